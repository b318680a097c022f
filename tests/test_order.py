"""Who goes first: shares and their weights, limits, and a job that is moved while it waits."""
import collections
import json

import pytest
from support import refused, sh, wait_for

ORDER = [{'order': 1, 'computeEnvironment': 'local'}]


@pytest.fixture
def lab(make_server):
    """Four GPUs, CPUs enough, and a queue `lab` in which the vision team has three times the part of the speech team."""
    gpus = make_server('--gpus', '4xA10G', '--cpus', '16')
    policy = gpus.batch.create_scheduling_policy(name='fair', fairsharePolicy={
        'shareDistribution': [{'shareIdentifier': 'vision', 'weightFactor': 0.1}, {'shareIdentifier': 'speech', 'weightFactor': 0.3}]})
    gpus.batch.create_job_queue(jobQueueName='lab', priority=1, computeEnvironmentOrder=ORDER, schedulingPolicyArn=policy['arn'])
    gpus.training = gpus.define('training', sh(f'until [ -e {gpus.work}/over ]; do sleep 0.05; done'), gpus=1)
    gpus.blocker = gpus.define('before', sh(f'until [ -e {gpus.work}/before-over ]; do sleep 0.05; done'), gpus=4)
    yield gpus
    (gpus.work / 'before-over').touch()
    (gpus.work / 'over').touch()


def running(server, jobs):
    return [job for job in server.batch.describe_jobs(jobs=jobs)['jobs'] if job['status'] in ('STARTING', 'RUNNING')]


def test_two_teams_get_gpus_by_their_weights(lab):
    # Somebody has all four GPUs, so what the teams submit waits, speech first.
    before = lab.submit(lab.blocker)
    lab.wait(before, 'RUNNING')
    jobs = [lab.submit(lab.training, 'lab', shareIdentifier='speech') for _ in range(6)]
    jobs += [lab.submit(lab.training, 'lab', shareIdentifier='vision') for _ in range(6)]
    assert not running(lab, jobs)
    # The snapshot tells who would be next: three of vision for one of speech.
    front = lab.batch.get_job_queue_snapshot(jobQueue='lab')['frontOfQueue']['jobs']
    next_four = [lab.job(one['jobArn'].split('/')[-1])['shareIdentifier'] for one in front[:4]]
    assert collections.Counter(next_four) == {'vision': 3, 'speech': 1}
    # And so it comes when the GPUs are free.
    (lab.work / 'before-over').touch()
    wait_for(lambda: len(running(lab, jobs)) == 4)
    assert collections.Counter(job['shareIdentifier'] for job in running(lab, jobs)) == {'vision': 3, 'speech': 1}
    # What has run is remembered when the server comes again.
    lab.kill()
    lab.start()
    wait_for(lambda: len(running(lab, jobs)) == 4)
    (lab.work / 'over').touch()
    for job in jobs:
        assert lab.wait(job)['status'] == 'SUCCEEDED'


def test_a_waiting_job_is_moved_to_the_front_and_to_another_queue(lab):
    before = lab.submit(lab.blocker)
    lab.wait(before, 'RUNNING')
    first, second, third = (lab.submit(lab.training, 'lab', name=name, shareIdentifier='vision') for name in ('one', 'two', 'three'))
    said = lab.cli('update', third, '--priority', '50', check=0).stdout
    assert 'queue lab, share vision, priority 50' in said
    assert lab.job(third)['schedulingPriority'] == 50
    front = lab.batch.get_job_queue_snapshot(jobQueue='lab')['frontOfQueue']['jobs']
    assert [one['jobArn'].split('/')[-1] for one in front] == [third, first, second]
    lab.cli('update', 'two', '--queue', 'default', check=0)
    assert lab.job(second)['jobQueue'].endswith('job-queue/default')
    assert 'shareIdentifier' not in lab.job(second)
    assert 'shareIdentifier: is required' in lab.cli('update', 'two', '--queue', 'lab', check=5).stderr
    assert 'only a job that waits can be updated' in lab.cli('update', before, '--queue', 'lab', '--share', 'x', check=5).stderr
    lab.cli('update', first, check=2)


def test_jobs_that_are_alike_have_one_reason_that_is_no_older_than_each_of_them(lab):
    lab.wait(lab.submit(lab.blocker), 'RUNNING')
    first, second = (lab.submit(lab.training, 'lab', shareIdentifier='vision') for _ in range(2))
    told = {job: json.loads(lab.cli('explain', '--json', job, check=0).stdout) for job in (first, second)}
    assert told[first]['reasons'][0]['text'] == told[second]['reasons'][0]['text']
    assert told[first]['since'] < told[second]['since']
    for answer in told.values():
        assert answer['reasons'][0]['since'] >= answer['since']
        assert answer['asks'] == '1 vCPU, 64 MiB, 1 GPU'


def test_a_large_job_is_explained_and_so_is_who_waits_behind_it(lab):
    small = lab.submit(lab.training)
    lab.wait(small, 'RUNNING')
    large = lab.submit(lab.blocker, name='large')
    behind = lab.submit(lab.training, name='behind')
    wait_for(lambda: 'Waits behind job' in lab.job(behind).get('statusReason', ''))
    reasons = json.loads(lab.cli('explain', '--json', behind, check=0).stdout)['reasons']
    assert [reason['kind'] for reason in reasons] == ['ORDER', 'RESOURCES']
    assert reasons[1]['jobId'] == large and 'asks' in reasons[1]['text'] and reasons[1]['since'] > 0
    dependent = lab.submit(lab.training, dependsOn=[{'jobId': large}])
    reasons = json.loads(lab.cli('explain', '--json', dependent, check=0).stdout)['reasons']
    assert reasons[1]['jobId'] == large and 'RUNNABLE: Waits for GPU' in reasons[1]['text']


def test_who_waits_behind_another_queue_is_told_which(lab):
    lab.batch.create_job_queue(jobQueueName='urgent', priority=9, computeEnvironmentOrder=ORDER)
    lab.wait(lab.submit(lab.blocker), 'RUNNING')
    ahead = lab.submit(lab.training, 'urgent')
    behind = lab.submit(lab.training)
    told = json.loads(lab.cli('explain', '--json', behind, check=0).stdout)['reasons']
    text = f'Job queue urgent, of priority 9, goes first in compute environment local: {ahead} is next there'
    assert ('QUEUES', text) in [(reason['kind'], reason['text']) for reason in told]
    assert text in lab.cli('explain', behind, check=0).stdout
    assert 'Job queue' not in lab.cli('explain', ahead, check=0).stdout


def test_a_node_that_may_not_be_used_does_not_fit(lab):
    def node(job):
        answer = json.loads(lab.cli('explain', '--json', job, check=0).stdout)
        return answer['nodes'][0], answer['asks']

    lab.batch.create_quota_share(quotaShareName='t4', jobQueue='default', capacityLimits=[{'maxCapacity': 2, 'capacityUnit': 'T4'}],
                                 resourceSharingConfiguration={'strategy': 'RESERVE'}, preemptionConfiguration={'inSharePreemption': 'DISABLED'})
    other, asks = node(lab.submit(lab.training, shareIdentifier='t4'))
    assert not other['fits'] and other['lacksEver'] == ['GPU'] and 'T4' in asks.upper()
    lab.batch.update_compute_environment(computeEnvironment='local', state='DISABLED')
    disabled, _ = node(lab.submit(lab.training, 'lab', shareIdentifier='vision'))
    assert not disabled['fits'] and disabled['lacksNow'] == ['environment is DISABLED']
    lab.batch.update_compute_environment(computeEnvironment='local', state='ENABLED')


def test_a_limit_on_a_queue_holds_jobs_back_until_it_is_raised(lab):
    queue = lab.batch.describe_job_queues(jobQueues=['default'])['jobQueues'][0]['jobQueueArn']
    lab.batch.tag_resource(resourceArn=queue, tags={'stoker:max-running': '2'})
    jobs = [lab.submit(lab.training) for _ in range(4)]
    wait_for(lambda: len(running(lab, jobs)) == 2)
    assert 'its limit is 2 at a time' in lab.job(jobs[3])['statusReason']
    refused(lab.batch.tag_resource, 'stoker:max-running must be a whole number', resourceArn=queue, tags={'stoker:max-running': 'few'})
    lab.batch.untag_resource(resourceArn=queue, tagKeys=['stoker:max-running'])
    wait_for(lambda: len(running(lab, jobs)) == 4)


def test_a_tag_of_ours_is_known_or_refused_on_everything(lab):
    batch = lab.batch
    policy = batch.create_scheduling_policy(name='tagged')['arn']
    consumable = batch.create_consumable_resource(consumableResourceName='tagged', totalQuantity=1)['consumableResourceArn']
    environment = batch.describe_compute_environments(computeEnvironments=['local'])['computeEnvironments'][0]['computeEnvironmentArn']
    queue = batch.describe_job_queues(jobQueues=['default'])['jobQueues'][0]['jobQueueArn']
    definition = batch.describe_job_definitions(jobDefinitions=[lab.training])['jobDefinitions'][0]['jobDefinitionArn']
    job = batch.describe_jobs(jobs=[lab.submit(lab.training)])['jobs'][0]['jobArn']
    for arn in (policy, consumable, environment, queue, definition, job):
        refused(batch.tag_resource, 'stoker:max-runing is no tag of this server', resourceArn=arn, tags={'stoker:max-runing': '2'})
        refused(batch.tag_resource, 'Stoker:spot', 'in small letters', resourceArn=arn, tags={'Stoker:spot': 'never'})
        assert not any(key.lower().startswith('stoker') for key in batch.list_tags_for_resource(resourceArn=arn)['tags'])
    refused(batch.tag_resource, 'stoker:spot must be first, only or never', resourceArn=definition, tags={'stoker:spot': 'maybe'})
    lab.wait(lab.submit(lab.training), 'RUNNING')


def test_a_limit_on_a_quota_share_holds_jobs_back_also_over_a_restart(lab):
    arn = lab.batch.create_quota_share(
        quotaShareName='vision', jobQueue='default', capacityLimits=[{'maxCapacity': 8, 'capacityUnit': 'GPU'}],
        resourceSharingConfiguration={'strategy': 'LEND'}, preemptionConfiguration={'inSharePreemption': 'DISABLED'},
        tags={'stoker:max-running': '1'})['quotaShareArn']
    jobs = [lab.submit(lab.training, shareIdentifier='vision') for _ in range(3)]
    wait_for(lambda: len(running(lab, jobs)) == 1)
    assert 'quota share vision in job queue default to end: its limit is 1 at a time' in lab.job(jobs[2])['statusReason']
    lab.restart('kill')
    wait_for(lambda: 'its limit is 1 at a time' in lab.job(jobs[2]).get('statusReason', ''))
    assert len(running(lab, jobs)) == 1
    lab.batch.untag_resource(resourceArn=arn, tagKeys=['stoker:max-running'])
    wait_for(lambda: len(running(lab, jobs)) == 3)

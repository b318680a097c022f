"""Job queues: members, states, relations, deletion, what they refuse."""
import pytest
from support import refused, sh, wait_for

ORDER = [{'order': 1, 'computeEnvironment': 'local'}]


def queue(batch, name):
    found = batch.describe_job_queues(jobQueues=[name])['jobQueues']
    return found[0] if found else None


def test_a_fresh_server_has_a_queue_on_this_machine(batch):
    default = queue(batch, 'default')
    assert default['state'] == 'ENABLED' and default['status'] == 'VALID'
    assert default['jobQueueArn'] == 'arn:aws:batch:us-east-1:000000000000:job-queue/default'
    assert len(default['computeEnvironmentOrder']) == 1
    assert default['computeEnvironmentOrder'][0]['computeEnvironment'].endswith('compute-environment/local')


def test_a_queue_is_made_described_changed_and_deleted(batch):
    made = batch.create_job_queue(jobQueueName='fast', priority=10, computeEnvironmentOrder=ORDER, tags={'team': 'a'},
                                  jobStateTimeLimitActions=[{'state': 'RUNNABLE', 'action': 'CANCEL', 'maxTimeSeconds': 600,
                                                             'reason': 'MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT'}])
    assert made == {**made, 'jobQueueName': 'fast', 'jobQueueArn': 'arn:aws:batch:us-east-1:000000000000:job-queue/fast'}
    found = queue(batch, made['jobQueueArn'])
    assert (found['jobQueueName'], found['priority'], found['state'], found['status']) == ('fast', 10, 'ENABLED', 'VALID')
    assert found['tags'] == {'team': 'a'} and found['jobStateTimeLimitActions'][0]['maxTimeSeconds'] == 600
    batch.update_job_queue(jobQueue='fast', priority=3, state='DISABLED')
    found = queue(batch, 'fast')
    assert (found['priority'], found['state']) == (3, 'DISABLED') and found['tags'] == {'team': 'a'}
    batch.delete_job_queue(jobQueue='fast')
    wait_for(lambda: (queue(batch, 'fast') or {'status': 'DELETED'})['status'] == 'DELETED')
    refused(batch.update_job_queue, 'does not exist', jobQueue='fast', priority=1)


def test_a_queue_must_be_disabled_before_it_is_deleted(batch):
    batch.create_job_queue(jobQueueName='busy', priority=1, computeEnvironmentOrder=ORDER)
    refused(batch.delete_job_queue, jobQueue='busy')
    assert queue(batch, 'busy')['status'] == 'VALID'


def test_a_disabled_queue_takes_no_jobs_but_finishes_those_it_has(server):
    batch = server.batch
    batch.create_job_queue(jobQueueName='closing', priority=1, computeEnvironmentOrder=ORDER)
    gate = server.work / 'gate'
    job = server.submit(server.define('work', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done')), queue='closing')
    server.wait(job, 'RUNNING')
    batch.update_job_queue(jobQueue='closing', state='DISABLED')
    refused(batch.submit_job, 'closing', jobName='late', jobQueue='closing', jobDefinition='work')
    gate.touch()
    assert server.wait(job)['status'] == 'SUCCEEDED'


def test_deleting_a_queue_terminates_its_jobs(server):
    batch = server.batch
    batch.create_job_queue(jobQueueName='gone', priority=1, computeEnvironmentOrder=ORDER)
    work = server.define('work', ['sleep', '600'])
    waiting = server.define('waiting', ['sleep', '600'], vcpus=100000)
    running, stuck = server.submit(work, queue='gone'), server.submit(waiting, queue='gone')
    server.wait(running, 'RUNNING')
    batch.update_job_queue(jobQueue='gone', state='DISABLED')
    batch.delete_job_queue(jobQueue='gone')
    assert server.wait(running)['status'] == 'FAILED' and server.wait(stuck)['status'] == 'FAILED'


def test_a_name_in_use_is_refused(batch):
    refused(batch.create_job_queue, 'already exists', jobQueueName='default', priority=1, computeEnvironmentOrder=ORDER)


def test_unknown_queues_are_left_out_of_descriptions_and_refused_elsewhere(shared):
    assert shared.batch.describe_job_queues(jobQueues=['no-such-queue'])['jobQueues'] == []
    refused(shared.batch.update_job_queue, 'does not exist', jobQueue='no-such-queue', priority=1)
    refused(shared.batch.submit_job, 'does not exist', jobName='x', jobQueue='no-such-queue', jobDefinition='x')


def test_queues_are_listed_in_pages(batch):
    for number in range(5):
        batch.create_job_queue(jobQueueName=f'q{number}', priority=1, computeEnvironmentOrder=ORDER)
    pages = [page['jobQueues'] for page in batch.get_paginator('describe_job_queues').paginate(PaginationConfig={'PageSize': 4})]
    assert [len(page) for page in pages] == [4, 2]
    assert {one['jobQueueName'] for page in pages for one in page} == {'default', 'q0', 'q1', 'q2', 'q3', 'q4'}


def test_environments_come_back_as_they_were_sent(batch):
    resources = {'type': 'EC2', 'maxvCpus': 4, 'subnets': ['subnet-1'], 'instanceRole': 'role', 'instanceTypes': ['m5'],
                 'securityGroupIds': ['sg-1']}
    for name in ('one', 'two'):
        batch.create_compute_environment(computeEnvironmentName=name, type='MANAGED', computeResources=resources)
    order = [{'order': 20, 'computeEnvironment': 'two'}, {'order': 10, 'computeEnvironment': 'one'}]
    batch.create_job_queue(jobQueueName='ordered', priority=1, computeEnvironmentOrder=order)
    found = queue(batch, 'ordered')['computeEnvironmentOrder']
    assert [(one['order'], one['computeEnvironment'].rsplit('/', 1)[1]) for one in found] == [(20, 'two'), (10, 'one')]


BAD = {
    'no environment': dict(computeEnvironmentOrder=[]),
    'an unknown environment': dict(computeEnvironmentOrder=[{'order': 1, 'computeEnvironment': 'nowhere'}]),
    'the same environment twice': dict(computeEnvironmentOrder=ORDER + [{'order': 2, 'computeEnvironment': 'local'}]),
    'a bad name': dict(jobQueueName='with space'),
    'a name that begins with a dash': dict(jobQueueName='-dash'),
    'a state that does not exist': dict(state='SLEEPING'),
    'an unknown policy': dict(schedulingPolicyArn='arn:aws:batch:us-east-1:000000000000:scheduling-policy/none'),
    'a time limit under ten minutes': dict(jobStateTimeLimitActions=[{
        'state': 'RUNNABLE', 'action': 'CANCEL', 'maxTimeSeconds': 599, 'reason': 'MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT'}]),
    'a time limit over a day': dict(jobStateTimeLimitActions=[{
        'state': 'RUNNABLE', 'action': 'CANCEL', 'maxTimeSeconds': 86401, 'reason': 'MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT'}]),
    'a time limit for a reason without action': dict(jobStateTimeLimitActions=[{
        'state': 'RUNNABLE', 'action': 'CANCEL', 'maxTimeSeconds': 600, 'reason': 'UNDETERMINED'}]),
    'a tag of aws': dict(tags={'AWS:x': 'y'}),
}


@pytest.mark.parametrize('what', BAD)
def test_a_queue_is_refused_with(shared, what):
    refused(shared.batch.create_job_queue, **{'jobQueueName': 'bad', 'priority': 1, 'computeEnvironmentOrder': ORDER, **BAD[what]})
    assert queue(shared.batch, 'bad') is None


def test_a_policy_is_replaced_but_never_added_or_removed(batch):
    policies = [batch.create_scheduling_policy(name=name, fairsharePolicy={'shareDecaySeconds': 600})['arn'] for name in ('p1', 'p2')]
    batch.create_job_queue(jobQueueName='fair', priority=1, computeEnvironmentOrder=ORDER, schedulingPolicyArn=policies[0])
    batch.update_job_queue(jobQueue='fair', schedulingPolicyArn=policies[1])
    assert queue(batch, 'fair')['schedulingPolicyArn'] == policies[1]
    refused(batch.update_job_queue, jobQueue='fair', schedulingPolicyArn='')
    refused(batch.update_job_queue, jobQueue='default', schedulingPolicyArn=policies[0])


def test_the_snapshot_shows_the_front_of_the_queue_in_order(server):
    big = server.define('big', ['sleep', '1'], vcpus=100000)
    jobs = [server.submit(big, name=f'j{number}') for number in range(4)]
    for job in jobs:
        server.wait(job, 'RUNNABLE')
    front = server.batch.get_job_queue_snapshot(jobQueue='default')['frontOfQueue']
    assert [one['jobArn'].rsplit('/', 1)[1] for one in front['jobs']] == jobs
    assert all(one['earliestTimeAtPosition'] > 0 for one in front['jobs']) and front['lastUpdatedAt'] > 0
    refused(server.batch.get_job_queue_snapshot, 'does not exist', jobQueue='none')

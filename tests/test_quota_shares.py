"""Quota shares: teams that share a queue. What one leaves idle the other borrows, and gives back."""
import json

import pytest

from support import refused, sh, wait_for

ORDER = [{'order': 1, 'computeEnvironment': 'local'}]
ARN = 'arn:aws:batch:us-east-1:000000000000:job-queue/default/quota-share/'


def share(batch, name, gpus, strategy='LEND', inside='DISABLED', borrow=None, queue='default', **members):
    sharing = {'strategy': strategy, **({} if borrow is None else {'borrowLimit': borrow})}
    return batch.create_quota_share(quotaShareName=name, jobQueue=queue, capacityLimits=[{'maxCapacity': gpus, 'capacityUnit': 'GPU'}],
                                    resourceSharingConfiguration=sharing, preemptionConfiguration={'inSharePreemption': inside},
                                    **members)['quotaShareArn']


# ---- the API ----
def test_a_share_is_made_described_listed_changed_and_deleted(batch):
    arn = share(batch, 'vision', 2, 'LEND_AND_BORROW', borrow=50, tags={'a': 'b'})
    assert arn == ARN + 'vision'
    found = batch.describe_quota_share(quotaShareArn=arn)
    assert found['quotaShareName'] == 'vision' and found['jobQueueArn'].endswith(':job-queue/default')
    assert found['capacityLimits'] == [{'maxCapacity': 2, 'capacityUnit': 'GPU'}]
    assert found['resourceSharingConfiguration'] == {'strategy': 'LEND_AND_BORROW', 'borrowLimit': 50}
    assert found['preemptionConfiguration'] == {'inSharePreemption': 'DISABLED'}
    assert (found['state'], found['status'], found['tags']) == ('ENABLED', 'VALID', {'a': 'b'})
    assert batch.list_quota_shares(jobQueue='default')['quotaShares'][0]['quotaShareArn'] == arn
    assert batch.update_quota_share(quotaShareArn=arn, capacityLimits=[{'maxCapacity': 4, 'capacityUnit': 'A100'}])['quotaShareArn'] == arn
    assert batch.describe_quota_share(quotaShareArn=arn)['capacityLimits'] == [{'maxCapacity': 4, 'capacityUnit': 'A100'}]
    batch.tag_resource(resourceArn=arn, tags={'c': 'd'})
    batch.untag_resource(resourceArn=arn, tagKeys=['a'])
    assert batch.list_tags_for_resource(resourceArn=arn)['tags'] == {'c': 'd'}
    refused(batch.delete_quota_share, 'must be DISABLED first', quotaShareArn=arn)
    batch.update_quota_share(quotaShareArn=arn, state='DISABLED')
    batch.delete_quota_share(quotaShareArn=arn)
    refused(batch.describe_quota_share, 'does not exist', quotaShareArn=arn)
    assert batch.list_quota_shares(jobQueue='default')['quotaShares'] == []


def test_shares_are_paged_and_survive_a_restart(server):
    for number in range(5):
        share(server.batch, f's{number}', number)
    refused(lambda **arguments: share(server.batch, 's0', 1, **arguments), 'already exists')
    server.restart('kill')
    pages = list(server.batch.get_paginator('list_quota_shares').paginate(jobQueue='default', PaginationConfig={'PageSize': 2}))
    assert [[one['capacityLimits'][0]['maxCapacity'] for one in page['quotaShares']] for page in pages] == [[0, 1], [2, 3], [4]]


@pytest.mark.parametrize('what, members, text', [
    ('no limits', dict(capacityLimits=[]), 'must have 1 to 5'),
    ('an unknown unit', dict(capacityLimits=[{'maxCapacity': 1, 'capacityUnit': 'RAM'}]), 'must be GPU, VCPU'),
    ('a number as unit', dict(capacityLimits=[{'maxCapacity': 1, 'capacityUnit': '5'}]), 'must be GPU, VCPU'),
    ('a model that nothing has', dict(capacityLimits=[{'maxCapacity': 1, 'capacityUnit': 'A1000'}]), "that this server knows, such as A100"),
    ('a limit below nothing', dict(capacityLimits=[{'maxCapacity': -1, 'capacityUnit': 'GPU'}]), 'between 0 and'),
    ('a borrow limit without borrowing', dict(resourceSharingConfiguration={'strategy': 'LEND', 'borrowLimit': 5}), 'LEND_AND_BORROW'),
    ('an unknown strategy', dict(resourceSharingConfiguration={'strategy': 'GIVE'}), 'strategy'),
    ('no such queue', dict(jobQueue='none'), 'does not exist'),
    ('a bad name', dict(quotaShareName='-x'), 'pattern'),
])
def test_a_share_is_refused_with(shared, what, members, text):
    good = dict(quotaShareName='bad', jobQueue='default', capacityLimits=[{'maxCapacity': 1, 'capacityUnit': 'GPU'}],
                resourceSharingConfiguration={'strategy': 'RESERVE'}, preemptionConfiguration={'inSharePreemption': 'ENABLED'})
    refused(shared.batch.create_quota_share, text, **{**good, **members})


def test_jobs_of_a_queue_with_shares_name_theirs(server):
    batch = server.batch
    policy = batch.create_scheduling_policy(name='quota', quotaSharePolicy={'idleResourceAssignmentStrategy': 'FIFO'})['arn']
    batch.create_job_queue(jobQueueName='teams', priority=1, computeEnvironmentOrder=ORDER, schedulingPolicyArn=policy)
    work = server.define('work')
    refused(batch.submit_job, 'shareIdentifier', jobName='x', jobQueue='teams', jobDefinition=work)
    refused(batch.submit_job, 'does not exist', jobName='x', jobQueue='teams', jobDefinition=work, shareIdentifier='team-a')
    arn = share(batch, 'team-a', 1, queue='teams')
    job = server.submit(work, queue='teams', shareIdentifier='team-a', schedulingPriorityOverride=7)
    found = server.wait(job)
    assert (found['status'], found['shareIdentifier'], found['schedulingPriority']) == ('SUCCEEDED', 'team-a', 7)
    batch.update_quota_share(quotaShareArn=arn, state='DISABLED')
    refused(batch.submit_job, 'DISABLED', jobName='x', jobQueue='teams', jobDefinition=work, shareIdentifier='team-a')


# ---- the story ----
def test_two_teams_lend_borrow_and_take_back(make_server):
    server = make_server('--gpus', '2xA10G', '--cpus', '8')
    batch = server.batch
    share(batch, 'vision', 1, 'LEND')
    share(batch, 'speech', 1, 'LEND_AND_BORROW')
    # A run says how often it began, and goes on where it was told to stop.
    train = server.define('train', sh(f'echo attempt $AWS_BATCH_JOB_ATTEMPT; trap "echo saved; exit 0" TERM; '
                                      f'while [ ! -e {server.work}/gate ]; do sleep 0.05; done; echo done'), gpus=1)
    # Speech has the machine for itself: its own GPU, and the one that vision leaves idle.
    first, second, third = (server.submit(train, shareIdentifier='speech', tags={'stoker:checkpoint': 'signal'}) for _ in range(3))
    for job in (first, second):
        server.wait(job, 'RUNNING')
    reason = wait_for(lambda: server.job(third).get('statusReason'))
    assert reason == ('Waits for quota share speech: asks 1 GPU, 2 of 1 GPU are in use, 1 of them borrowed; '
                      'idle and lent by other shares: 0 GPU')
    usage = batch.get_job_queue_snapshot(jobQueue='default')
    assert {one['quotaShareName']: one['capacityUsage'] for one in usage['queueUtilization']['quotaShareUtilization']['topCapacityUtilization']} == {
        'speech': [{'capacityUnit': 'GPU', 'quantity': 2.0}], 'vision': [{'capacityUnit': 'GPU', 'quantity': 0.0}]}
    assert usage['frontOfQuotaShares']['quotaShares']['speech'][0]['jobArn'].endswith(third)
    wait_for(lambda: server.log(second) == ['attempt 1'])  # it has set its trap, or is about to: it must see the signal
    # Vision comes back: the younger of the two is stopped, and vision has its GPU.
    owner = server.submit(server.define('owner', sh(f'while [ ! -e {server.work}/owner ]; do sleep 0.05; done'), gpus=1),
                          shareIdentifier='vision')
    server.wait(owner, 'RUNNING')
    assert server.status(first) == 'RUNNING'
    stopped = server.wait(second, 'RUNNABLE')
    assert stopped['attempts'][0]['statusReason'] == (
        f'Preempted by job {owner}: quota share vision takes back what quota share speech holds beyond its limits')
    assert stopped['attempts'][0]['container']['exitCode'] == 0, 'it saved and left; that is not success'
    line = next(line for line in json.loads(server.cli('jobs', '--json', check=0).stdout) if line['jobId'] == second)
    assert line['attemptStoppedAt'] == stopped['attempts'][0]['stoppedAt'], 'since then it waits and does not run on'
    chain = server.cli('explain', second, check=0).stdout
    assert 'lent' in chain or 'Quota share speech uses 1 of 1 GPU' in chain
    # Vision is done: speech borrows again, and its second job resumes before its third begins.
    (server.work / 'owner').touch()
    server.wait(owner)
    resumed = server.wait(second, 'RUNNING')
    assert len(resumed['attempts']) == 1 and server.status(third) == 'RUNNABLE'
    wait_for(lambda: server.log(second) == ['attempt 1'])  # a stream of its own; being stopped has used no attempt
    (server.work / 'gate').touch()
    for job in (first, second, third):
        assert server.wait(job)['status'] == 'SUCCEEDED'


def test_a_preemption_under_way_survives_the_server(make_server):
    server = make_server('--gpus', '1xA10G', '--cpus', '4')
    share(server.batch, 'a', 1, 'LEND')
    share(server.batch, 'b', 0, 'LEND_AND_BORROW')
    slow = server.define('slow', sh(f'trap "touch {server.work}/told" TERM; while [ ! -e {server.work}/leave ]; do sleep 0.05; done; exit 3'),
                         gpus=1)
    borrower = server.submit(slow, shareIdentifier='b')
    server.wait(borrower, 'RUNNING')
    # The trap is set before the first look at the gate; without it the signal would end the job at once, which is as well.
    owner = server.submit(server.define('owner', gpus=1), shareIdentifier='a')
    wait_for(lambda: 'being stopped for it' in server.job(owner).get('statusReason', '') or server.status(owner) == 'SUCCEEDED')
    server.restart('kill')
    (server.work / 'leave').touch()
    assert server.wait(owner)['status'] == 'SUCCEEDED'
    found = server.wait(borrower)
    assert found['attempts'][0]['statusReason'].startswith('Preempted by job')
    assert found['status'] == 'FAILED' and len(found['attempts']) == 2, 'the preempted attempt did not count, the failed one did'


def test_a_higher_priority_takes_the_place_of_a_lower_one_in_its_share(make_server):
    server = make_server('--gpus', '1xA10G', '--cpus', '4')
    share(server.batch, 'team', 1, 'RESERVE', inside='ENABLED')
    waits = sh(f'while [ ! -e {server.work}/gate ]; do sleep 0.05; done')
    low = server.submit(server.define('low', waits, gpus=1), shareIdentifier='team', tags={'stoker:preemption-retries': '0'})
    server.wait(low, 'RUNNING')
    same = server.submit(server.define('same', gpus=1), shareIdentifier='team')
    high = server.submit(server.define('high', gpus=1), shareIdentifier='team', schedulingPriorityOverride=5)
    assert server.wait(high)['status'] == 'SUCCEEDED'
    ended = server.wait(low)
    assert ended['status'] == 'FAILED' and ended['statusReason'] == f'Preempted by job {high} of higher priority in quota share team'
    assert server.wait(same)['status'] == 'SUCCEEDED'


def test_a_deleted_share_takes_its_jobs_along(make_server):
    server = make_server('--gpus', '1xA10G', '--cpus', '4')
    arn = share(server.batch, 'gone', 1)
    work = server.define('work', sh('sleep 1000'), gpus=1)
    running, waiting = (server.submit(work, shareIdentifier='gone') for _ in range(2))
    server.wait(running, 'RUNNING')
    server.batch.update_quota_share(quotaShareArn=arn, state='DISABLED')
    server.batch.delete_quota_share(quotaShareArn=arn)
    for job in (running, waiting):
        assert server.wait(job)['statusReason'] == 'Quota share gone was deleted'

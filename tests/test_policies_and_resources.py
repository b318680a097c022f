"""Scheduling policies, fair-share queues, consumable resources and tags."""
import pytest
from support import refused, sh, wait_for

ORDER = [{'order': 1, 'computeEnvironment': 'local'}]
FAIR = {'shareDecaySeconds': 3600, 'computeReservation': 10,
        'shareDistribution': [{'shareIdentifier': 'team*', 'weightFactor': 0.5}, {'shareIdentifier': 'guest', 'weightFactor': 2}]}


# ---- scheduling policies ----
def test_a_policy_is_made_listed_changed_and_deleted(batch):
    arn = batch.create_scheduling_policy(name='fair', fairsharePolicy=FAIR, tags={'a': 'b'})['arn']
    assert arn == 'arn:aws:batch:us-east-1:000000000000:scheduling-policy/fair'
    found = batch.describe_scheduling_policies(arns=[arn])['schedulingPolicies'][0]
    assert found['name'] == 'fair' and found['tags'] == {'a': 'b'}
    assert found['fairsharePolicy']['shareDecaySeconds'] == 3600
    assert {one['shareIdentifier']: one['weightFactor'] for one in found['fairsharePolicy']['shareDistribution']} == {'team*': 0.5, 'guest': 2}
    assert [one['arn'] for one in batch.list_scheduling_policies()['schedulingPolicies']] == [arn]
    batch.update_scheduling_policy(arn=arn, fairsharePolicy={'shareDecaySeconds': 60})
    assert batch.describe_scheduling_policies(arns=[arn])['schedulingPolicies'][0]['fairsharePolicy']['shareDecaySeconds'] == 60
    batch.delete_scheduling_policy(arn=arn)
    assert batch.describe_scheduling_policies(arns=[arn])['schedulingPolicies'] == []


def test_a_policy_in_use_cannot_be_deleted(batch):
    arn = batch.create_scheduling_policy(name='used', fairsharePolicy=FAIR)['arn']
    batch.create_job_queue(jobQueueName='q', priority=1, computeEnvironmentOrder=ORDER, schedulingPolicyArn=arn)
    refused(batch.delete_scheduling_policy, arn=arn)


@pytest.mark.parametrize('what, policy', {
    'overlapping shares': {'shareDistribution': [{'shareIdentifier': 'UserA*'}, {'shareIdentifier': 'UserA1'}]},
    'a decay over a week': {'shareDecaySeconds': 604801},
    'all of it reserved': {'computeReservation': 100},
    'a weight of zero': {'shareDistribution': [{'shareIdentifier': 'a', 'weightFactor': 0.0}]},
    'a weight of a thousand': {'shareDistribution': [{'shareIdentifier': 'a', 'weightFactor': 1000.0}]},
}.items())
def test_a_policy_is_refused_with(shared, what, policy):
    refused(shared.batch.create_scheduling_policy, name='bad', fairsharePolicy=policy)


def test_a_policy_name_in_use_is_refused_and_policies_are_paged(batch):
    for number in range(5):
        batch.create_scheduling_policy(name=f'p{number}')
    refused(batch.create_scheduling_policy, 'already exists', name='p0')
    pages = list(batch.get_paginator('list_scheduling_policies').paginate(PaginationConfig={'PageSize': 2}))
    assert [len(page['schedulingPolicies']) for page in pages] == [2, 2, 1]


def test_a_fair_share_queue_asks_for_a_share_and_a_plain_one_refuses_it(server):
    arn = server.batch.create_scheduling_policy(name='fair', fairsharePolicy=FAIR)['arn']
    server.batch.create_job_queue(jobQueueName='shares', priority=1, computeEnvironmentOrder=ORDER, schedulingPolicyArn=arn)
    work = server.define('work')
    job = server.submit(work, queue='shares', shareIdentifier='teamA', schedulingPriorityOverride=5)
    found = server.wait(job)
    assert found['shareIdentifier'] == 'teamA' and found['schedulingPriority'] == 5 and found['status'] == 'SUCCEEDED'
    refused(server.batch.submit_job, 'share', jobName='x', jobQueue='shares', jobDefinition=work)
    refused(server.batch.submit_job, 'can onlybe submitted to job queue with fair share', jobName='x', jobQueue='default',
            jobDefinition=work, shareIdentifier='teamA')
    refused(server.batch.submit_job, 'can onlybe submitted to job queue with fair share', jobName='x', jobQueue='default',
            jobDefinition=work, schedulingPriorityOverride=1)


# ---- consumable resources ----
def resource(batch, name):
    return batch.describe_consumable_resource(consumableResource=name)


def needing(server, quantity=1, script='true', name='licensed', resource_name='license'):
    return server.define(name, sh(script), consumableResourceProperties={
        'consumableResourceList': [{'consumableResource': resource_name, 'quantity': quantity}]})


def test_a_resource_is_made_changed_and_deleted(batch):
    arn = batch.create_consumable_resource(consumableResourceName='license', totalQuantity=5, tags={'a': 'b'})['consumableResourceArn']
    assert arn == 'arn:aws:batch:us-east-1:000000000000:consumable-resource/license'
    found = resource(batch, arn)
    assert (found['totalQuantity'], found['inUseQuantity'], found['availableQuantity']) == (5, 0, 5)
    assert found['resourceType'] == 'REPLENISHABLE' and found['tags'] == {'a': 'b'} and found['createdAt'] > 0
    assert batch.update_consumable_resource(consumableResource='license', operation='ADD', quantity=3)['totalQuantity'] == 8
    assert batch.update_consumable_resource(consumableResource='license', operation='REMOVE', quantity=2)['totalQuantity'] == 6
    assert batch.update_consumable_resource(consumableResource='license', operation='SET', quantity=1)['totalQuantity'] == 1
    batch.delete_consumable_resource(consumableResource='license')
    refused(batch.describe_consumable_resource, 'does not exist', consumableResource='license')


def test_the_same_client_token_changes_a_resource_once(batch):
    batch.create_consumable_resource(consumableResourceName='license', totalQuantity=5)
    for _ in range(2):
        answer = batch.update_consumable_resource(consumableResource='license', operation='ADD', quantity=3, clientToken='once')
        assert answer['totalQuantity'] == 8


def test_more_than_there_is_cannot_be_removed(batch):
    batch.create_consumable_resource(consumableResourceName='license', totalQuantity=5)
    refused(batch.update_consumable_resource, consumableResource='license', operation='REMOVE', quantity=6)
    refused(batch.update_consumable_resource, consumableResource='license', operation='HALVE', quantity=1)
    refused(batch.update_consumable_resource, consumableResource='license', operation='ADD', quantity=-1)
    refused(batch.create_consumable_resource, 'already exists', consumableResourceName='license', totalQuantity=1)
    refused(batch.create_consumable_resource, consumableResourceName='less', totalQuantity=-1)
    refused(batch.create_consumable_resource, consumableResourceName='odd', totalQuantity=1, resourceType='MAGIC')


def test_a_job_waits_for_its_license_and_gives_it_back(server):
    batch = server.batch
    batch.create_consumable_resource(consumableResourceName='license', totalQuantity=1)
    gate = server.work / 'gate'
    definition = needing(server, script=f'while [ ! -e {gate} ]; do sleep 0.05; done')
    first = server.submit(definition)
    server.wait(first, 'RUNNING')
    second = server.submit(definition, name='second')
    server.wait(second, 'RUNNABLE')
    wait_for(lambda: 'license' in server.job(second).get('statusReason', ''))
    found = resource(batch, 'license')
    assert (found['inUseQuantity'], found['availableQuantity']) == (1, 0)
    users = batch.list_jobs_by_consumable_resource(consumableResource='license')['jobs']
    assert {one['jobName']: one['jobStatus'] for one in users} == {'job': 'RUNNING', 'second': 'RUNNABLE'}
    assert all(one['quantity'] == 1 for one in users)
    only = batch.list_jobs_by_consumable_resource(consumableResource='license', filters=[{'name': 'JOB_STATUS', 'values': ['RUNNABLE']}])
    assert [one['jobArn'].rsplit('/', 1)[1] for one in only['jobs']] == [second]
    gate.touch()
    assert server.wait(second)['status'] == 'SUCCEEDED'
    assert resource(batch, 'license')['inUseQuantity'] == 0


def test_what_is_not_replenishable_is_used_up(server):
    server.batch.create_consumable_resource(consumableResourceName='license', totalQuantity=3, resourceType='NON_REPLENISHABLE')
    job = server.submit(needing(server, 2))
    assert server.wait(job)['status'] == 'SUCCEEDED'
    assert resource(server.batch, 'license')['availableQuantity'] == 1
    starving = server.submit(needing(server, 2))
    server.wait(starving, 'RUNNABLE')
    server.batch.update_consumable_resource(consumableResource='license', operation='ADD', quantity=1)
    assert server.wait(starving)['status'] == 'SUCCEEDED'


def test_resources_are_listed_by_name_prefix_and_in_pages(batch):
    for name in ('alpha-1', 'alpha-2', 'beta'):
        batch.create_consumable_resource(consumableResourceName=name, totalQuantity=1)
    found = batch.list_consumable_resources(filters=[{'name': 'CONSUMABLE_RESOURCE_NAME', 'values': ['ALPHA*']}])
    assert sorted(one['consumableResourceName'] for one in found['consumableResources']) == ['alpha-1', 'alpha-2']
    pages = list(batch.get_paginator('list_consumable_resources').paginate(PaginationConfig={'PageSize': 2}))
    assert [len(page['consumableResources']) for page in pages] == [2, 1]


def test_a_job_of_a_resource_that_does_not_exist_is_refused(server):
    refused(server.batch.submit_job, jobName='x', jobQueue='default', jobDefinition=needing(server, resource_name='none'))


# ---- tags ----
def test_tags_are_merged_listed_and_taken_off_every_kind_of_resource(server):
    batch = server.batch
    policy = batch.create_scheduling_policy(name='fair')['arn']
    consumable = batch.create_consumable_resource(consumableResourceName='license', totalQuantity=1)['consumableResourceArn']
    definition = batch.register_job_definition(jobDefinitionName='work', type='container', tags={'first': '1'}, containerProperties={
        'image': 'host', 'command': ['true'], 'vcpus': 1, 'memory': 64})['jobDefinitionArn']
    job = batch.submit_job(jobName='x', jobQueue='default', jobDefinition='work', tags={'first': '1'})['jobArn']
    queue = batch.create_job_queue(jobQueueName='q', priority=1, computeEnvironmentOrder=ORDER, tags={'first': '1'})['jobQueueArn']
    local = 'arn:aws:batch:us-east-1:000000000000:compute-environment/local'
    for arn in (policy, consumable, definition, job, queue, local):
        batch.tag_resource(resourceArn=arn, tags={'first': 'one', 'second': 'two words & more', 'third': ''})
        assert batch.list_tags_for_resource(resourceArn=arn)['tags'] == {'first': 'one', 'second': 'two words & more', 'third': ''}
        batch.untag_resource(resourceArn=arn, tagKeys=['second', 'third', 'never there'])
        assert batch.list_tags_for_resource(resourceArn=arn)['tags'] == {'first': 'one'}
    assert batch.describe_job_queues(jobQueues=['q'])['jobQueues'][0]['tags'] == {'first': 'one'}


def test_tags_are_refused_where_they_cannot_be(server):
    local = 'arn:aws:batch:us-east-1:000000000000:compute-environment/local'
    refused(server.batch.tag_resource, resourceArn=local, tags={'aws:mine': 'x'})
    refused(server.batch.tag_resource, resourceArn=local, tags={'k' * 129: 'x'})
    refused(server.batch.tag_resource, resourceArn=local, tags={'k': 'x' * 257})
    server.batch.tag_resource(resourceArn=local, tags={f'k{number}': 'v' for number in range(40)})
    refused(server.batch.tag_resource, resourceArn=local, tags={f'more{number}': 'v' for number in range(11)})
    refused(server.batch.list_tags_for_resource, resourceArn='arn:aws:batch:us-east-1:000000000000:job-queue/none')
    refused(server.batch.list_tags_for_resource, resourceArn='not an arn')
    job = server.submit(server.define('work'), arrayProperties={'size': 2})
    refused(server.batch.tag_resource, resourceArn=f'arn:aws:batch:us-east-1:000000000000:job/{job}:0', tags={'a': 'b'})

"""Compute environments: this machine, managed ones that are kept but get no machines yet, states and relations."""
import pytest
from support import refused, wait_for

EC2 = {'type': 'EC2', 'minvCpus': 0, 'desiredvCpus': 0, 'maxvCpus': 16, 'instanceTypes': ['g5.xlarge', 'g5'], 'subnets': ['subnet-1'],
       'securityGroupIds': ['sg-1'], 'instanceRole': 'ecsInstanceRole', 'allocationStrategy': 'BEST_FIT_PROGRESSIVE',
       'tags': {'Name': 'batch'}, 'ec2Configuration': [{'imageType': 'ECS_AL2023_NVIDIA'}],
       'launchTemplate': {'launchTemplateName': 'lt', 'version': '$Latest'}}
SPOT = {**EC2, 'type': 'SPOT', 'bidPercentage': 60, 'allocationStrategy': 'SPOT_PRICE_CAPACITY_OPTIMIZED'}


def environment(batch, name):
    found = batch.describe_compute_environments(computeEnvironments=[name])['computeEnvironments']
    return found[0] if found else None


def create(batch, name='fleet', kind='MANAGED', resources=None, **members):
    if kind == 'MANAGED':
        members['computeResources'] = resources or EC2
    return batch.create_compute_environment(computeEnvironmentName=name, type=kind, **members)


def test_this_machine_is_the_environment_local(batch):
    local = environment(batch, 'local')
    assert local['type'] == 'UNMANAGED' and local['state'] == 'ENABLED' and local['status'] == 'VALID'
    assert local['computeEnvironmentArn'] == 'arn:aws:batch:us-east-1:000000000000:compute-environment/local'
    assert local['ecsClusterArn'] and local['containerOrchestrationType'] == 'ECS' and local['uuid']


@pytest.mark.parametrize('resources', [EC2, SPOT], ids=['EC2', 'SPOT'])
def test_a_managed_environment_is_kept_with_everything_it_was_given(batch, resources):
    create(batch, resources=resources, serviceRole='arn:aws:iam::000000000000:role/batch', tags={'a': 'b'})
    found = environment(batch, 'fleet')
    assert found['status'] == 'VALID' and found['state'] == 'ENABLED' and found['type'] == 'MANAGED' and found['tags'] == {'a': 'b'}
    for member, value in resources.items():
        if member != 'ec2Configuration':
            assert found['computeResources'][member] == value, member
    assert found['computeResources']['ec2Configuration'][0]['imageType'] == 'ECS_AL2023_NVIDIA'


def test_a_job_on_an_environment_without_machines_says_so_while_it_waits(server):
    batch = server.batch
    create(batch)
    batch.create_job_queue(jobQueueName='cloud', priority=1, computeEnvironmentOrder=[{'order': 1, 'computeEnvironment': 'fleet'}])
    job = server.submit(server.define('work'), queue='cloud')
    found = server.wait(job, 'RUNNABLE')
    wait_for(lambda: server.job(job).get('statusReason'))
    reason = server.job(job)['statusReason']
    assert 'fleet' in reason and not reason.startswith('MISCONFIGURATION'), reason
    batch.cancel_job(jobId=job, reason='tired of waiting')
    assert server.wait(job)['statusReason'] == 'tired of waiting' and 'startedAt' not in found


def test_a_job_goes_to_the_second_environment_when_the_first_has_no_machine(server):
    create(server.batch)
    server.batch.create_job_queue(jobQueueName='both', priority=1, computeEnvironmentOrder=[
        {'order': 1, 'computeEnvironment': 'fleet'}, {'order': 2, 'computeEnvironment': 'local'}])
    assert server.wait(server.submit(server.define('work'), queue='both'))['status'] == 'SUCCEEDED'


def test_the_way_to_delete_is_disable_detach_delete(batch):
    create(batch)
    batch.create_job_queue(jobQueueName='q', priority=1, computeEnvironmentOrder=[{'order': 1, 'computeEnvironment': 'fleet'}])
    refused(batch.delete_compute_environment, computeEnvironment='fleet')  # enabled
    batch.update_compute_environment(computeEnvironment='fleet', state='DISABLED')
    refused(batch.delete_compute_environment, 'Cannot delete, found existing JobQueue relationship', computeEnvironment='fleet')
    batch.update_job_queue(jobQueue='q', state='DISABLED')
    batch.delete_job_queue(jobQueue='q')
    batch.delete_compute_environment(computeEnvironment='fleet')
    wait_for(lambda: (environment(batch, 'fleet') or {'status': 'DELETED'})['status'] == 'DELETED')
    refused(batch.update_compute_environment, 'does not exist', computeEnvironment='fleet', state='ENABLED')


def test_a_disabled_environment_places_no_job_until_it_is_enabled(server):
    server.batch.update_compute_environment(computeEnvironment='local', state='DISABLED')
    job = server.submit(server.define('work'))
    server.wait(job, 'RUNNABLE')
    wait_for(lambda: 'disabled' in server.job(job).get('statusReason', '').lower())
    server.batch.update_compute_environment(computeEnvironment='local', state='ENABLED')
    assert server.wait(job)['status'] == 'SUCCEEDED'


def test_scaling_members_are_updated_and_desired_never_goes_down(batch):
    create(batch, resources={**EC2, 'desiredvCpus': 4})
    batch.update_compute_environment(computeEnvironment='fleet', computeResources={'maxvCpus': 32, 'desiredvCpus': 8})
    found = environment(batch, 'fleet')['computeResources']
    assert found['maxvCpus'] == 32 and found['desiredvCpus'] == 8 and found['instanceTypes'] == EC2['instanceTypes']
    refused(batch.update_compute_environment, 'Manually scaling down compute environment is not supported',
            computeEnvironment='fleet', computeResources={'desiredvCpus': 2})


def test_a_name_in_use_is_refused(batch):
    create(batch)
    refused(create, 'already exists', batch=batch)
    refused(create, 'already exists', batch=batch, name='local', kind='UNMANAGED')


def test_environments_are_listed_in_pages_and_unknown_ones_left_out(batch):
    for number in range(4):
        create(batch, name=f'e{number}')
    pages = batch.get_paginator('describe_compute_environments').paginate(PaginationConfig={'PageSize': 2})
    names = [one['computeEnvironmentName'] for page in pages for one in page['computeEnvironments']]
    assert sorted(names) == ['e0', 'e1', 'e2', 'e3', 'local']
    assert environment(batch, 'unknown') is None


BAD = {
    'no resources for a managed one': dict(resources={}),
    'a type that does not exist': dict(kind='CLOUD'),
    'no most vCPUs': dict(resources={key: value for key, value in EC2.items() if key != 'maxvCpus'}),
    'fewer most than least vCPUs': dict(resources={**EC2, 'minvCpus': 20}),
    'a strategy that does not exist': dict(resources={**EC2, 'allocationStrategy': 'RANDOM'}),
    'a resource type that does not exist': dict(resources={**EC2, 'type': 'LAMBDA'}),
    'no subnet': dict(resources={key: value for key, value in EC2.items() if key != 'subnets'}),
    'a bad name': dict(name='not a name'),
    'a tag of aws': dict(tags={'aws:a': 'b'}),
    'a scale-down delay of five minutes': dict(resources={**EC2, 'scalingPolicy': {'minScaleDownDelayMinutes': -1}}),
}


@pytest.mark.parametrize('what', BAD)
def test_an_environment_is_refused_with(shared, what):
    unchecked = shared.client('batch', parameter_validation=False)  # the client would not even send some of these
    refused(unchecked.create_compute_environment, **(lambda name='bad', kind='MANAGED', resources=EC2, **more: {
        'computeEnvironmentName': name, 'type': kind, 'computeResources': resources, **more})(**BAD[what]))

"""Job definitions: revisions, states, what is echoed, what is refused."""
import copy

import pytest
from support import refused

MINIMAL = {'image': 'host', 'command': ['true'],
           'resourceRequirements': [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '64'}]}

# Every member of containerProperties that may stand in one EC2 definition.
FULL = {
    'image': 'public.example/team/trainer:1.2',
    'command': ['python', 'train.py', 'Ref::data', '--epochs=Ref::epochs'],
    'jobRoleArn': 'arn:aws:iam::000000000000:role/job',
    'executionRoleArn': 'arn:aws:iam::000000000000:role/execution',
    'volumes': [{'name': 'scratch', 'host': {'sourcePath': '/tmp/scratch'}}, {'name': 'anonymous', 'host': {}},
                {'name': 'shared', 'efsVolumeConfiguration': {'fileSystemId': 'fs-12345678', 'rootDirectory': '/',
                                                              'transitEncryption': 'ENABLED', 'transitEncryptionPort': 2999,
                                                              'authorizationConfig': {'accessPointId': 'fsap-1', 'iam': 'ENABLED'}}}],
    'mountPoints': [{'containerPath': '/scratch', 'readOnly': True, 'sourceVolume': 'scratch'}],
    'environment': [{'name': 'MODE', 'value': 'full'}, {'name': 'LEVEL', 'value': '3'}],
    'secrets': [{'name': 'TOKEN', 'valueFrom': 'arn:aws:secretsmanager:us-east-1:000000000000:secret:token'}],
    'ulimits': [{'name': 'nofile', 'softLimit': 512, 'hardLimit': 1024}],
    'privileged': False, 'readonlyRootFilesystem': True, 'user': '1000:1000',
    'resourceRequirements': [{'type': 'VCPU', 'value': '2'}, {'type': 'MEMORY', 'value': '2048'}, {'type': 'GPU', 'value': '1'}],
    'linuxParameters': {'devices': [{'hostPath': '/dev/fuse', 'containerPath': '/dev/fuse', 'permissions': ['READ', 'WRITE']}],
                        'initProcessEnabled': True, 'sharedMemorySize': 256,
                        'tmpfs': [{'containerPath': '/fast', 'size': 64, 'mountOptions': ['noexec']}], 'maxSwap': 128, 'swappiness': 30},
    'logConfiguration': {'logDriver': 'awslogs', 'options': {'awslogs-group': '/team/jobs'}},
    'repositoryCredentials': {'credentialsParameter': 'arn:aws:secretsmanager:us-east-1:000000000000:secret:registry'},
    'enableExecuteCommand': True,
}


def latest(batch, **query):
    return batch.describe_job_definitions(**query)['jobDefinitions']


def contains(whole, part):
    """Whether every member given in `part` is in `whole` with the same value (the server may add defaults)."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and contains(whole[key], value) for key, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) == len(part) and all(map(contains, whole, part))
    return whole == part


def test_revisions_count_up_from_one_and_each_stands_alone(batch):
    first = batch.register_job_definition(jobDefinitionName='train', type='container', containerProperties=MINIMAL,
                                          parameters={'a': '1'}, timeout={'attemptDurationSeconds': 90})
    second = batch.register_job_definition(jobDefinitionName='train', type='container', containerProperties=MINIMAL)
    assert (first['revision'], second['revision']) == (1, 2)
    assert first['jobDefinitionArn'] == 'arn:aws:batch:us-east-1:000000000000:job-definition/train:1'
    newest, oldest = latest(batch, jobDefinitionName='train')
    assert (newest['revision'], oldest['revision']) == (2, 1)
    assert newest.get('parameters', {}) == {} and 'timeout' not in newest  # nothing is inherited
    assert oldest['parameters'] == {'a': '1'} and oldest['timeout'] == {'attemptDurationSeconds': 90}


def test_every_member_of_a_container_comes_back_as_it_was_given(batch):
    batch.register_job_definition(
        jobDefinitionName='full', type='container', containerProperties=FULL, parameters={'data': '/d', 'epochs': '3', 'unused': 'x'},
        retryStrategy={'attempts': 3, 'evaluateOnExit': [{'onStatusReason': 'Host EC2*', 'action': 'RETRY'},
                                                         {'onReason': '*', 'onExitCode': '1*', 'action': 'EXIT'}]},
        timeout={'attemptDurationSeconds': 600}, schedulingPriority=7, propagateTags=True, tags={'team': 'vision'},
        platformCapabilities=['EC2'],
        consumableResourceProperties={'consumableResourceList': [{'consumableResource': 'license', 'quantity': 2}]})
    found = latest(batch, jobDefinitions=['full:1'])[0]
    assert contains(found['containerProperties'], FULL)
    assert found['status'] == 'ACTIVE' and found['type'] == 'container' and found['containerOrchestrationType'] == 'ECS'
    assert found['parameters'] == {'data': '/d', 'epochs': '3', 'unused': 'x'}
    assert found['retryStrategy']['attempts'] == 3
    assert [rule['action'].upper() for rule in found['retryStrategy']['evaluateOnExit']] == ['RETRY', 'EXIT']
    assert found['timeout'] == {'attemptDurationSeconds': 600} and found['schedulingPriority'] == 7
    assert found['propagateTags'] is True and found['tags'] == {'team': 'vision'} and found['platformCapabilities'] == ['EC2']
    assert found['consumableResourceProperties']['consumableResourceList'][0]['quantity'] == 2


def test_absent_lists_come_back_empty(batch):
    batch.register_job_definition(jobDefinitionName='bare', type='container', containerProperties={
        'image': 'host', 'vcpus': 1, 'memory': 64})
    properties = latest(batch, jobDefinitionName='bare')[0]['containerProperties']
    for member in ('command', 'volumes', 'environment', 'mountPoints', 'ulimits', 'resourceRequirements', 'secrets'):
        assert properties[member] == [], member
    assert properties['vcpus'] == 1 and properties['memory'] == 64


def test_fargate_definitions_are_kept_with_their_own_members(batch):
    batch.register_job_definition(
        jobDefinitionName='serverless', type='container', platformCapabilities=['FARGATE'],
        containerProperties={'image': 'busybox', 'executionRoleArn': 'arn:aws:iam::000000000000:role/e', 'command': ['true'],
                             'resourceRequirements': [{'type': 'VCPU', 'value': '0.25'}, {'type': 'MEMORY', 'value': '512'}],
                             'networkConfiguration': {'assignPublicIp': 'ENABLED'}, 'ephemeralStorage': {'sizeInGiB': 30},
                             'runtimePlatform': {'operatingSystemFamily': 'LINUX', 'cpuArchitecture': 'ARM64'}})
    properties = latest(batch, jobDefinitionName='serverless')[0]['containerProperties']
    assert properties['fargatePlatformConfiguration'] == {'platformVersion': 'LATEST'}
    assert properties['networkConfiguration'] == {'assignPublicIp': 'ENABLED'}
    assert properties['ephemeralStorage'] == {'sizeInGiB': 30}


def test_several_containers_a_pod_and_nodes_of_them_are_kept_but_not_run_yet(server):
    batch = server.batch
    ecs = {'taskProperties': [{'containers': [
        {'name': 'main', 'image': 'busybox', 'command': ['true'], 'essential': True,
         'dependsOn': [{'containerName': 'side', 'condition': 'START'}],
         'resourceRequirements': [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '64'}]},
        {'name': 'side', 'image': 'busybox', 'essential': False,
         'resourceRequirements': [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '64'}]}]}]}
    eks = {'podProperties': {'hostNetwork': False, 'containers': [
        {'image': 'busybox', 'command': ['true'], 'resources': {'limits': {'cpu': '1', 'memory': '64Mi'}}}]}}
    node = {'numNodes': 2, 'mainNode': 0, 'nodeRangeProperties': [{'targetNodes': '0:', 'container': dict(MINIMAL, image='busybox')}]}
    batch.register_job_definition(jobDefinitionName='task', type='container', ecsProperties=ecs)
    batch.register_job_definition(jobDefinitionName='pod', type='container', eksProperties=eks)
    batch.register_job_definition(jobDefinitionName='nodes', type='multinode', nodeProperties=node)
    tasks = {'numNodes': 2, 'mainNode': 0, 'nodeRangeProperties': [{'targetNodes': '0:', 'ecsProperties': ecs}]}
    batch.register_job_definition(jobDefinitionName='node-tasks', type='multinode', nodeProperties=tasks)
    assert contains(latest(batch, jobDefinitionName='task')[0]['ecsProperties'], ecs)
    assert contains(latest(batch, jobDefinitionName='pod')[0]['eksProperties'], eks)
    assert latest(batch, jobDefinitionName='pod')[0]['containerOrchestrationType'] == 'EKS'
    assert contains(latest(batch, jobDefinitionName='nodes')[0]['nodeProperties'], node)
    for name in ('task', 'pod', 'node-tasks'):
        refused(batch.submit_job, 'does not run them yet', jobName='x', jobQueue='default', jobDefinition=name)


def test_a_deregistered_revision_is_inactive_and_the_one_before_becomes_the_latest(server):
    batch = server.batch
    for word in ('one', 'two', 'three'):
        server.define('echo', ['echo', word])
    batch.deregister_job_definition(jobDefinition='echo:3')
    batch.deregister_job_definition(jobDefinition='arn:aws:batch:us-east-1:000000000000:job-definition/echo:1')
    states = {one['revision']: one['status'] for one in latest(batch, jobDefinitionName='echo')}
    assert states == {3: 'INACTIVE', 2: 'ACTIVE', 1: 'INACTIVE'}
    assert [one['revision'] for one in latest(batch, jobDefinitionName='echo', status='ACTIVE')] == [2]
    assert [one['revision'] for one in latest(batch, jobDefinitionName='echo', status='INACTIVE')] == [3, 1]
    job = server.submit('echo')
    assert server.wait(job)['jobDefinition'].endswith('job-definition/echo:2') and server.log(job) == ['two']
    refused(batch.submit_job, 'echo:3', jobName='x', jobQueue='default', jobDefinition='echo:3')
    assert server.define('echo', ['echo', 'four']) == 'echo:4'  # numbers are not used again


def test_deregistering_an_unknown_revision_or_without_a_revision_is_refused(server):
    server.define('known')
    refused(server.batch.deregister_job_definition, jobDefinition='unknown:1')
    refused(server.batch.deregister_job_definition, jobDefinition='known')
    refused(server.batch.deregister_job_definition, jobDefinition='known:7')


def test_running_jobs_keep_the_definition_they_started_with(server):
    job = server.run('echo started; while [ ! -e go ]; do sleep 0.05; done; echo done', wait=False, name='long',
                     container={'environment': [{'name': 'X', 'value': '1'}]})
    server.wait(job, 'RUNNING')
    server.batch.deregister_job_definition(jobDefinition='long:1')
    server.batch.terminate_job(jobId=job, reason='enough')
    assert server.wait(job)['statusReason'] == 'enough'


def test_describe_pages_by_name_and_takes_a_list_of_revisions_or_arns(batch, server):
    for number in range(7):
        server.define('paged', ['echo', str(number)])
        server.define(f'other-{number}')
    pages = batch.get_paginator('describe_job_definitions').paginate(jobDefinitionName='paged',
                                                                     PaginationConfig={'PageSize': 3})
    pages = [page['jobDefinitions'] for page in pages]
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [one['revision'] for page in pages for one in page] == [7, 6, 5, 4, 3, 2, 1]
    everything = [one for page in batch.get_paginator('describe_job_definitions').paginate(PaginationConfig={'PageSize': 4})
                  for one in page['jobDefinitions']]
    assert len(everything) == 14 and len({one['jobDefinitionArn'] for one in everything}) == 14
    some = latest(batch, jobDefinitions=['paged:2', 'arn:aws:batch:us-east-1:000000000000:job-definition/other-3:1', 'none:1'])
    assert {(one['jobDefinitionName'], one['revision']) for one in some} == {('paged', 2), ('other-3', 1)}
    assert latest(batch, jobDefinitionName='nothing-of-this-name') == []


def test_a_bad_page_token_or_page_size_is_refused(shared):
    refused(shared.batch.describe_job_definitions, nextToken='not a token of ours')
    refused(shared.batch.describe_job_definitions, maxResults=0)
    refused(shared.batch.describe_job_definitions, maxResults=101)


def changed(path, value):
    """The minimal definition with one member changed: ('containerProperties', 'image'), 'x'."""
    request = {'jobDefinitionName': 'bad', 'type': 'container', 'containerProperties': copy.deepcopy(MINIMAL)}
    place = request
    for step in path[:-1]:
        place = place.setdefault(step, {}) if isinstance(place, dict) else place[step]
    place[path[-1]] = value
    return request


C = 'containerProperties'
BAD = {
    'a name with a space': (('jobDefinitionName',), 'a b'),
    'a name of 129 characters': (('jobDefinitionName',), 'n' * 129),
    'an empty name': (('jobDefinitionName',), ''),
    'a type that does not exist': (('type',), 'pod'),
    'no processors': ((C, 'resourceRequirements'), [{'type': 'MEMORY', 'value': '64'}]),
    'no memory': ((C, 'resourceRequirements'), [{'type': 'VCPU', 'value': '1'}]),
    'half a processor on a machine': ((C, 'resourceRequirements'), [{'type': 'VCPU', 'value': '0.5'}, {'type': 'MEMORY', 'value': '64'}]),
    'a processor count with a point': ((C, 'resourceRequirements'), [{'type': 'VCPU', 'value': '2.0'}, {'type': 'MEMORY', 'value': '64'}]),
    'too little memory': ((C, 'resourceRequirements'), [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '3'}]),
    'memory that is no number': ((C, 'resourceRequirements'), [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '4G'}]),
    'zero GPUs': ((C, 'resourceRequirements'), MINIMAL['resourceRequirements'] + [{'type': 'GPU', 'value': '0'}]),
    'a resource that does not exist': ((C, 'resourceRequirements'), MINIMAL['resourceRequirements'] + [{'type': 'DISK', 'value': '1'}]),
    'both forms of processors': ((C, 'vcpus'), 1),
    'an environment name of AWS Batch': ((C, 'environment'), [{'name': 'AWS_BATCH_JOB_ID', 'value': 'x'}]),
    'a log driver that does not exist': ((C, 'logConfiguration'), {'logDriver': 'printer'}),
    'a public address on a machine': ((C, 'networkConfiguration'), {'assignPublicIp': 'ENABLED'}),
    'Fargate storage on a machine': ((C, 'ephemeralStorage'), {'sizeInGiB': 30}),
    'a mount of a volume that is not there': ((C, 'mountPoints'), [{'sourceVolume': 'nope', 'containerPath': '/x'}]),
    'swappiness over 100': ((C, 'linuxParameters'), {'swappiness': 101, 'maxSwap': 1}),
    'an image of 256 characters': ((C, 'image'), 'i' * 256),
    'eleven attempts': (('retryStrategy',), {'attempts': 11}),
    'no attempt': (('retryStrategy',), {'attempts': 0}),
    'rules without attempts': (('retryStrategy',), {'evaluateOnExit': [{'onExitCode': '1', 'action': 'EXIT'}]}),
    'six rules': (('retryStrategy',), {'attempts': 2, 'evaluateOnExit': [{'onExitCode': '1', 'action': 'EXIT'}] * 6}),
    'an action that does not exist': (('retryStrategy',), {'attempts': 2, 'evaluateOnExit': [{'onExitCode': '1', 'action': 'STOP'}]}),
    'a timeout under a minute': (('timeout',), {'attemptDurationSeconds': 59}),
    'a priority over 9999': (('schedulingPriority',), 10000),
    'a capability that does not exist': (('platformCapabilities',), ['MAINFRAME']),
    'six consumable resources': (('consumableResourceProperties',), {'consumableResourceList': [
        {'consumableResource': f'r{n}', 'quantity': 1} for n in range(6)]}),
    'a tag of aws': (('tags',), {'aws:x': '1'}),
    '51 tags': (('tags',), {f'k{n}': 'v' for n in range(51)}),
    'two kinds of properties': (('eksProperties',), {'podProperties': {'containers': []}}),
    'nodes in a container definition': (('nodeProperties',), {'numNodes': 1, 'mainNode': 0, 'nodeRangeProperties': []}),
}


@pytest.mark.parametrize('what', BAD)
def test_a_definition_is_refused_with(shared, what):
    refused(shared.batch.register_job_definition, **changed(*BAD[what]))


def test_a_definition_without_any_properties_is_refused(shared):
    refused(shared.batch.register_job_definition, jobDefinitionName='none', type='container')
    refused(shared.batch.register_job_definition, jobDefinitionName='none', type='multinode')


def test_a_definition_over_24_kib_is_refused(shared):
    environment = [{'name': f'V{n}', 'value': 'x' * 1000} for n in range(25)]
    refused(shared.batch.register_job_definition, **changed((C, 'environment'), environment))


MNP_BAD = {
    'a main node outside': dict(numNodes=2, mainNode=2, nodeRangeProperties=[{'targetNodes': '0:1', 'container': MINIMAL}]),
    'a gap between the ranges': dict(numNodes=4, mainNode=0, nodeRangeProperties=[
        {'targetNodes': '0:0', 'container': MINIMAL}, {'targetNodes': '2:3', 'container': MINIMAL}]),
    'six groups': dict(numNodes=6, mainNode=0, nodeRangeProperties=[
        {'targetNodes': f'{n}:{n}', 'container': MINIMAL} for n in range(6)]),
}


@pytest.mark.parametrize('what', MNP_BAD)
def test_a_multi_node_definition_is_refused_with(shared, what):
    refused(shared.batch.register_job_definition, jobDefinitionName='bad', type='multinode', nodeProperties=MNP_BAD[what])


def test_the_command_line_client_registers_and_describes(server):
    answer = server.aws('batch', 'register-job-definition', '--job-definition-name', 'cli', '--type', 'container',
                        '--container-properties', '{"image":"host","command":["true"],"vcpus":1,"memory":64}')
    assert answer['revision'] == 1
    found = server.aws('batch', 'describe-job-definitions', '--job-definition-name', 'cli')
    assert found['jobDefinitions'][0]['containerProperties']['command'] == ['true']
    result = server.aws_result('batch', 'register-job-definition', '--job-definition-name', 'a b', '--type', 'container')
    assert result.returncode in (253, 254, 255) and 'ClientException' in result.stderr

"""SubmitJob: what it answers, overrides, parameters, and what it refuses."""
import re

import pytest
from support import refused, sh, wait_for

UUID = r'[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'


def test_a_job_runs_to_its_end_and_is_described_in_full(server):
    server.define('hello', ['echo', 'hello', 'world'])
    answer = server.batch.submit_job(jobName='first', jobQueue='default', jobDefinition='hello', tags={'who': 'me'})
    assert re.fullmatch(UUID, answer['jobId']) and answer['jobName'] == 'first'
    assert answer['jobArn'] == f"arn:aws:batch:us-east-1:000000000000:job/{answer['jobId']}"
    job = server.wait(answer['jobId'])
    assert job['status'] == 'SUCCEEDED' and job['statusReason'] == 'Essential container in task exited'
    assert job['jobQueue'] == 'arn:aws:batch:us-east-1:000000000000:job-queue/default'
    assert job['jobDefinition'] == 'arn:aws:batch:us-east-1:000000000000:job-definition/hello:1'
    assert job['createdAt'] <= job['startedAt'] <= job['stoppedAt']
    assert job['tags'] == {'who': 'me'} and job['dependsOn'] == [] and job['isCancelled'] is False and job['isTerminated'] is False
    container = job['container']
    assert container['exitCode'] == 0 and container['command'] == ['echo', 'hello', 'world'] and container['image'] == 'host'
    assert re.fullmatch(r'hello/default/\w+', container['logStreamName']) and container['taskArn'].startswith('arn:aws:ecs:')
    attempt = job['attempts'][-1]
    assert len(job['attempts']) == 1 and attempt['container']['exitCode'] == 0
    assert attempt['container']['logStreamName'] == container['logStreamName']
    assert (attempt['startedAt'], attempt['stoppedAt']) == (job['startedAt'], job['stoppedAt'])
    assert server.log(job['jobId']) == ['hello world']


def test_definition_and_queue_are_named_in_every_way(server):
    for word in ('one', 'two'):
        server.define('echo', ['echo', word])
    arn = 'arn:aws:batch:us-east-1:000000000000:'
    for definition, word in (('echo', 'two'), ('echo:1', 'one'), (arn + 'job-definition/echo', 'two'), (arn + 'job-definition/echo:1', 'one')):
        job = server.submit(definition, queue=arn + 'job-queue/default')
        server.wait(job)
        assert server.log(job) == [word]


def test_overrides_replace_the_command_and_merge_the_environment(server):
    definition = server.define('env', sh('echo definition'), container={'environment': [
        {'name': 'KEPT', 'value': 'kept'}, {'name': 'CHANGED', 'value': 'before'}]})
    job = server.submit(definition, containerOverrides={
        'command': sh('echo $KEPT $CHANGED $ADDED'),
        'environment': [{'name': 'CHANGED', 'value': 'after'}, {'name': 'ADDED', 'value': 'added'}],
        'resourceRequirements': [{'type': 'MEMORY', 'value': '128'}]})
    described = server.wait(job)
    assert server.log(job) == ['kept after added']
    container = described['container']
    assert {one['name']: one['value'] for one in container['environment']} == {'KEPT': 'kept', 'CHANGED': 'after', 'ADDED': 'added'}
    assert {one['type']: one['value'] for one in container['resourceRequirements']} == {'VCPU': '1', 'MEMORY': '128'}
    definition = server.batch.describe_job_definitions(jobDefinitionName='env')['jobDefinitions'][0]
    assert definition['containerProperties']['command'] == sh('echo definition')


def test_retry_strategy_timeout_and_propagation_are_replaced_as_a_whole(server):
    definition = server.define('work', retryStrategy={'attempts': 5}, timeout={'attemptDurationSeconds': 100},
                               propagateTags=True, tags={'definition': 'yes'})
    job = server.wait(server.submit(definition, retryStrategy={'attempts': 2}, timeout={'attemptDurationSeconds': 200},
                                    propagateTags=False))
    assert job['retryStrategy']['attempts'] == 2 and job['timeout'] == {'attemptDurationSeconds': 200} and job['propagateTags'] is False
    job = server.wait(server.submit(definition))
    assert job['retryStrategy']['attempts'] == 5 and job['timeout'] == {'attemptDurationSeconds': 100} and job['propagateTags'] is True


def test_parameters_take_the_place_of_references(server):
    definition = server.define('copy', ['echo', 'Ref::input', '--out=Ref::output', 'Ref::in', 'plain'],
                               parameters={'input': 'default-input', 'output': 'default-output', 'in': 'short', 'marker': 'unused'})
    job = server.submit(definition, parameters={'output': '/data/out'})
    described = server.wait(job)
    assert server.log(job) == ['default-input --out=/data/out short plain']
    assert described['parameters'] == {'input': 'default-input', 'output': '/data/out', 'in': 'short', 'marker': 'unused'}
    refused(server.batch.submit_job, 'Unable to substitute value. No parameter found for reference nowhere', jobName='x',
            jobQueue='default', jobDefinition=server.define('broken', ['echo', 'Ref::nowhere']))


def test_the_old_form_of_resources_is_overridden_by_the_old_form_alone(server):
    server.batch.register_job_definition(jobDefinitionName='old', type='container', containerProperties={
        'image': 'host', 'command': ['true'], 'vcpus': 1, 'memory': 64})
    job = server.wait(server.submit('old', containerOverrides={'memory': 100}))
    assert job['status'] == 'SUCCEEDED'
    refused(server.batch.submit_job, 'This value was submitted in a deprecated key', jobName='x', jobQueue='default',
            jobDefinition=server.define('new'), containerOverrides={'memory': 100})


def test_a_fargate_definition_does_not_fit_a_queue_of_machines(server):
    server.batch.register_job_definition(
        jobDefinitionName='serverless', type='container', platformCapabilities=['FARGATE'],
        containerProperties={'image': 'busybox', 'executionRoleArn': 'arn:aws:iam::000000000000:role/e', 'command': ['true'],
                             'resourceRequirements': [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '2048'}]})
    refused(server.batch.submit_job, 'FARGATE', jobName='x', jobQueue='default', jobDefinition='serverless')


BAD = {
    'a name with a space': dict(jobName='a b'),
    'an empty name': dict(jobName=''),
    'a name that begins with a dash': dict(jobName='-a'),
    'a name of 129 characters': dict(jobName='n' * 129),
    'an unknown definition': dict(jobDefinition='unknown'),
    'an unknown revision': dict(jobDefinition='work:99'),
    'an array of one': dict(arrayProperties={'size': 1}),
    'an array of 10,001': dict(arrayProperties={'size': 10001}),
    'a timeout under a minute': dict(timeout={'attemptDurationSeconds': 59}),
    'eleven attempts': dict(retryStrategy={'attempts': 11}),
    'a variable of AWS Batch': dict(containerOverrides={'environment': [{'name': 'AWS_BATCH_X', 'value': '1'}]}),
    'an empty word in the command': dict(containerOverrides={'command': ['echo', '']}),
    'a dependency on nothing known': dict(dependsOn=[{'jobId': '00000000-0000-4000-8000-000000000000'}]),
    'a dependency on something that is no id': dict(dependsOn=[{'jobId': 'yesterday'}]),
    '21 dependencies': dict(dependsOn=[{'jobId': '00000000-0000-4000-8000-000000000000'}] * 21),
    'a dependency type that does not exist': dict(dependsOn=[{'type': 'SOMETIMES'}]),
    'an instance type outside of multi-node': dict(containerOverrides={'instanceType': 'g5.xlarge'}),
    'overrides of nodes': dict(nodeOverrides={'numNodes': 2}),
    'a reserved tag': dict(tags={'aws:x': '1'}),
}


@pytest.mark.parametrize('what', BAD)
def test_a_submission_is_refused_with(shared, what):
    shared.define('work')
    message = refused(shared.batch.submit_job, **{'jobName': 'x', 'jobQueue': 'default', 'jobDefinition': 'work', **BAD[what]})
    if what == 'a name with a space':
        assert 'Job name should match valid pattern' in message


def test_a_submission_over_30_kib_is_refused(shared):
    shared.define('work')
    refused(shared.batch.submit_job, jobName='x', jobQueue='default', jobDefinition='work', parameters={'long': 'x' * 31000})


def test_a_job_that_never_fits_says_why_at_once_and_can_be_cancelled(server):
    job = server.submit(server.define('huge', memory=100_000_000))
    server.wait(job, 'RUNNABLE')
    reason = wait_for(lambda: server.job(job).get('statusReason'))
    assert reason.startswith('MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT'), reason
    server.batch.cancel_job(jobId=job, reason='never mind')
    assert server.wait(job)['status'] == 'FAILED'


def test_unknown_ids_are_left_out_of_descriptions(server):
    job = server.run('true')['jobId']
    unknown = '00000000-0000-4000-8000-000000000000'
    found = server.batch.describe_jobs(jobs=[unknown, job, 'not an id', f'{job}:3'])['jobs']
    assert [one['jobId'] for one in found] == [job]
    refused(server.batch.describe_jobs, jobs=[unknown] * 101)


def test_more_than_fifty_tags_after_propagation_fail_the_job(server):
    definition = server.define('tagged', tags={f'd{number}': 'v' for number in range(30)}, propagateTags=True)
    job = server.submit(definition, tags={f'j{number}': 'v' for number in range(30)})
    assert server.wait(job)['status'] == 'FAILED' and 'tag' in server.job(job)['statusReason'].lower()


def test_the_command_line_client_submits_waits_and_describes(server):
    server.define('work', ['echo', 'by hand'])
    answer = server.aws('batch', 'submit-job', '--job-name', 'cli', '--job-queue', 'default', '--job-definition', 'work')
    server.wait(answer['jobId'])
    found = server.aws('batch', 'describe-jobs', '--jobs', answer['jobId'])['jobs'][0]
    assert found['status'] == 'SUCCEEDED' and found['jobName'] == 'cli'
    listed = server.aws('batch', 'list-jobs', '--job-queue', 'default', '--job-status', 'SUCCEEDED')['jobSummaryList']
    assert [one['jobId'] for one in listed] == [answer['jobId']]

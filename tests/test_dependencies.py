"""Jobs that wait for other jobs."""
from support import refused, sh


def gated(server, name='gated'):
    gate = server.work / f'{name}.gate'
    return server.submit(server.define(name, sh(f'while [ ! -e {gate} ]; do sleep 0.05; done'))), gate


def test_a_job_waits_for_all_it_depends_on(server):
    (first, open_first), (second, open_second) = gated(server, 'a'), gated(server, 'b')
    last = server.submit(server.define('last'), dependsOn=[{'jobId': first}, {'jobId': second}])
    described = server.wait(last, 'PENDING')
    assert [one['jobId'] for one in described['dependsOn']] == [first, second]
    open_first.touch()
    server.wait(first)
    assert server.status(last) == 'PENDING'
    open_second.touch()
    ended = server.wait(last)
    assert ended['status'] == 'SUCCEEDED' and ended['startedAt'] >= server.job(second)['stoppedAt']


def test_a_failure_cascades_to_everything_behind_it(server):
    first = server.submit(server.define('fails', sh('sleep 0.3; exit 3')))
    second = server.submit(server.define('never'), dependsOn=[{'jobId': first}])
    third = server.submit('never', dependsOn=[{'jobId': second}])
    for job in (second, third):
        ended = server.wait(job)
        assert ended['status'] == 'FAILED' and ended['statusReason'] == 'Dependent Job failed'
        assert 'startedAt' not in ended and ended['stoppedAt'] > 0 and ended.get('attempts', []) == []


def test_a_dependency_that_has_succeeded_already_is_met(server):
    first = server.run('true')['jobId']
    assert server.wait(server.submit('work', dependsOn=[{'jobId': first}]))['status'] == 'SUCCEEDED'


def test_a_dependency_that_has_failed_already_fails_the_job(server):
    first = server.run('exit 1')['jobId']
    ended = server.wait(server.submit('work', dependsOn=[{'jobId': first}]))
    assert (ended['status'], ended['statusReason']) == ('FAILED', 'Dependent Job failed')


def test_a_retried_dependency_counts_by_its_last_attempt(server):
    script = f'[ -e {server.work}/again ] || {{ touch {server.work}/again; exit 1; }}'
    first = server.submit(server.define('second-time', sh(script), retryStrategy={'attempts': 2}))
    assert server.wait(server.submit(server.define('after'), dependsOn=[{'jobId': first}]))['status'] == 'SUCCEEDED'


def test_sequential_with_a_job_is_a_plain_dependency(server):
    first, gate = gated(server)
    second = server.submit(server.define('after'), dependsOn=[{'jobId': first, 'type': 'SEQUENTIAL'}])
    server.wait(second, 'PENDING')
    gate.touch()
    assert server.wait(second)['status'] == 'SUCCEEDED'


def test_a_cancelled_dependency_fails_the_dependent(server):
    first = server.submit(server.define('big', vcpus=100000))
    second = server.submit(server.define('after'), dependsOn=[{'jobId': first}])
    server.batch.cancel_job(jobId=first, reason='no')
    assert server.wait(second)['statusReason'] == 'Dependent Job failed'


def test_twenty_dependencies_and_a_deep_chain(server):
    definition = server.define('work')
    many = [server.submit(definition) for _ in range(20)]
    wide = server.submit(definition, dependsOn=[{'jobId': one} for one in many])
    job = wide
    for _ in range(30):
        job = server.submit(definition, dependsOn=[{'jobId': job}])
    assert server.wait(job, deadline=60)['status'] == 'SUCCEEDED'


def test_a_job_may_depend_on_a_job_of_another_queue(server):
    server.batch.create_job_queue(jobQueueName='other', priority=1, computeEnvironmentOrder=[{'order': 1, 'computeEnvironment': 'local'}])
    first, gate = gated(server)
    second = server.submit(server.define('after'), queue='other', dependsOn=[{'jobId': first}])
    server.wait(second, 'PENDING')
    gate.touch()
    assert server.wait(second)['status'] == 'SUCCEEDED'


def test_an_unknown_dependency_is_refused_by_its_id(server):
    unknown = '11111111-2222-4333-8444-555555555555'
    server.define('work')
    refused(server.batch.submit_job, unknown, jobName='x', jobQueue='default', jobDefinition='work', dependsOn=[{'jobId': unknown}])
    assert server.ids(jobQueue='default', jobStatus='PENDING') == []

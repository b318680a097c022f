"""Attempts: when a job is tried again, and when not."""
import os

import pytest
from support import sh


def attempts_of(server, script, attempts=3, rules=None, name='try'):
    strategy = {'attempts': attempts, **({'evaluateOnExit': rules} if rules else {})}
    job = server.run(script, name=name, retryStrategy=strategy)
    return job, len(job['attempts'])


def test_a_failing_job_is_tried_as_often_as_it_may(server):
    job, attempts = attempts_of(server, 'echo attempt $AWS_BATCH_JOB_ATTEMPT; exit 4')
    assert job['status'] == 'FAILED' and attempts == 3
    assert [one['container']['exitCode'] for one in job['attempts']] == [4, 4, 4]
    streams = [one['container']['logStreamName'] for one in job['attempts']]
    assert len(set(streams)) == 3 and job['container']['logStreamName'] == streams[-1]
    logs = [[event['message'] for event in server.logs.get_log_events(logGroupName='/aws/batch/job', logStreamName=stream)['events']]
            for stream in streams]
    assert logs == [['attempt 1'], ['attempt 2'], ['attempt 3']]
    starts = [(one['startedAt'], one['stoppedAt']) for one in job['attempts']]
    assert starts == sorted(starts)


def test_a_job_that_succeeds_is_not_tried_again(server):
    job, attempts = attempts_of(server, f'[ -e {server.work}/x ] && exit 0; touch {server.work}/x; exit 1', attempts=10)
    assert job['status'] == 'SUCCEEDED' and attempts == 2


RULES = {
    # rules, exit code, attempts made of 3
    'an exit code that says exit': ([{'onExitCode': '4', 'action': 'EXIT'}], 4, 1),
    'another exit code': ([{'onExitCode': '5', 'action': 'EXIT'}], 4, 3),
    'a prefix of the exit code': ([{'onExitCode': '4*', 'action': 'EXIT'}], 42, 1),
    'no prefix without a star': ([{'onExitCode': '4', 'action': 'EXIT'}], 42, 3),
    'the first rule that matches': ([{'onExitCode': '4', 'action': 'RETRY'}, {'onExitCode': '*', 'action': 'EXIT'}], 4, 3),
    'the second where the first does not': ([{'onExitCode': '4', 'action': 'RETRY'}, {'onReason': '*', 'action': 'EXIT'}], 5, 1),
    'the usual rule for lost hosts': ([{'onStatusReason': 'Host EC2*', 'action': 'RETRY'}, {'onReason': '*', 'action': 'EXIT'}], 1, 1),
    'the status reason': ([{'onStatusReason': 'Essential container*', 'action': 'EXIT'}], 1, 1),
    'all conditions of one rule': ([{'onStatusReason': 'Essential*', 'onExitCode': '9', 'action': 'EXIT'}], 1, 3),
    'an action in lower case': ([{'onExitCode': '4', 'action': 'exit'}], 4, 1),
}


@pytest.mark.parametrize('what', RULES)
def test_the_decision_follows(server, what):
    rules, code, expected = RULES[what]
    job, attempts = attempts_of(server, f'exit {code}', rules=rules)
    assert attempts == expected and job['status'] == 'FAILED' and job['container']['exitCode'] == code


def test_a_terminated_job_is_not_tried_again(server):
    job = server.run('sleep 600', wait=False, retryStrategy={'attempts': 5})
    server.wait(job, 'RUNNING')
    server.batch.terminate_job(jobId=job, reason='enough')
    ended = server.wait(job)
    assert ended['status'] == 'FAILED' and len(ended['attempts']) == 1 and ended['statusReason'] == 'enough'


def test_a_program_that_cannot_start_counts_as_an_attempt(server):
    job = server.wait(server.submit(server.define('missing', ['/no/such/program'], retryStrategy={'attempts': 2})))
    assert job['status'] == 'FAILED' and len(job['attempts']) == 2
    assert job['statusReason'] == 'Task failed to start'
    assert job['container']['reason'].startswith('CannotStartContainerError'), job['container']
    assert 'exitCode' not in job['container']


def test_a_retried_job_goes_to_the_front_of_the_queue(server):
    order = server.work / 'order'
    cpus = os.cpu_count()
    first = server.submit(server.define('first', sh(f'echo first >> {order}; sleep 0.5; [ $AWS_BATCH_JOB_ATTEMPT -eq 2 ]'), vcpus=cpus,
                                        retryStrategy={'attempts': 2}))
    others = [server.submit(server.define('other', sh(f'echo other >> {order}'), vcpus=cpus)) for _ in range(3)]
    for job in (first, *others):
        assert server.wait(job)['status'] == 'SUCCEEDED'
    assert order.read_text().split() == ['first', 'first', 'other', 'other', 'other']

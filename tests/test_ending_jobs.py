"""CancelJob, TerminateJob and timeouts, in every state a job can be in."""
import time

import pytest
from support import refused, said, sh, wait_for

BOTH = pytest.mark.parametrize('how', ['cancel_job', 'terminate_job'])


def end(server, how, job, reason='because'):
    assert {k: v for k, v in getattr(server.batch, how)(jobId=job, reason=reason).items() if k != 'ResponseMetadata'} == {}


@BOTH
def test_a_waiting_job_fails_with_the_callers_reason_and_never_runs(server, how):
    job = server.submit(server.define('big', vcpus=100000))
    server.wait(job, 'RUNNABLE')
    end(server, how, job, 'changed my mind')
    ended = server.wait(job)
    assert ended['status'] == 'FAILED' and ended['statusReason'] == 'changed my mind' and ended['stoppedAt'] > 0
    assert 'startedAt' not in ended and ended.get('attempts', []) == []


@BOTH
def test_a_pending_job_is_ended_at_once(server, how):
    first = server.submit(server.define('first', ['sleep', '600']))
    second = server.submit(server.define('second'), dependsOn=[{'jobId': first}])
    server.wait(second, 'PENDING')
    end(server, how, second)
    assert server.wait(second)['statusReason'] == 'because' and server.status(first) != 'FAILED'
    server.batch.terminate_job(jobId=first, reason='done')
    server.wait(first)


def test_cancelling_a_running_job_changes_nothing(server):
    gate = server.work / 'gate'
    job = server.run(f'while [ ! -e {gate} ]; do sleep 0.05; done', wait=False)
    server.wait(job, 'RUNNING')
    end(server, 'cancel_job', job)
    gate.touch()
    assert server.wait(job)['status'] == 'SUCCEEDED'


def test_terminating_a_running_job_asks_first(server):
    job = server.run('trap "echo asked to stop; exit 9" TERM; echo ready; while true; do sleep 0.05; done', wait=False)
    server.wait(job, 'RUNNING')
    wait_for(lambda: server.log(job) == ['ready'])
    end(server, 'terminate_job', job, 'enough of it')
    ended = server.wait(job)
    assert ended['status'] == 'FAILED' and ended['statusReason'] == 'enough of it' and ended['isTerminated'] is True
    assert said(server.log(job)) == ['ready', 'asked to stop'] and ended['container']['exitCode'] == 9


def test_a_job_that_does_not_listen_is_killed_with_all_its_children_after_the_grace(server):
    script = 'trap "" TERM; (trap "" TERM; echo $$ > child; while true; do sleep 0.1; done) & echo ready; while true; do sleep 0.1; done'
    job = server.run(script.replace('child', str(server.work / 'child')), wait=False)
    server.wait(job, 'RUNNING')
    wait_for(lambda: server.log(job) == ['ready'])
    before = time.monotonic()
    end(server, 'terminate_job', job, 'listen')
    ended = server.wait(job, deadline=50)
    assert 25 < time.monotonic() - before < 45
    assert ended['container']['exitCode'] == 137 and ended['statusReason'] == 'listen'
    wait_for(lambda: not any('sleep 0.1' in line or 'trap' in line for line in server.processes().values()))


@BOTH
def test_an_ended_job_stays_as_it_is(server, how):
    for script in ('true', 'exit 3'):
        before = server.run(script)
        end(server, how, before['jobId'], 'too late')
        assert server.job(before['jobId']) == before


@BOTH
def test_unknown_ids_are_no_error_but_empty_ones_are(shared, how):
    end(shared, how, '00000000-0000-4000-8000-000000000000')
    call = getattr(shared.batch, how)
    refused(call, jobId='', reason='x')
    refused(call, jobId='00000000-0000-4000-8000-000000000000', reason='')
    refused(call, jobId='00000000-0000-4000-8000-000000000000', reason='x' * 1025)


def test_a_job_cancelled_before_it_started_says_so_by_flag(server):
    job = server.submit(server.define('big', vcpus=100000))
    end(server, 'cancel_job', job)
    assert server.wait(job)['isCancelled'] is True


def test_many_jobs_are_ended_in_a_burst_whatever_they_are_doing(server):
    definition = server.define('short', sh('sleep 0.2'))
    jobs = [server.submit(definition) for _ in range(40)]
    for job in jobs[::2]:
        end(server, 'terminate_job', job, 'burst')
    ended = [server.wait(job, deadline=60) for job in jobs]
    assert {job['status'] for job in ended[1::2]} == {'SUCCEEDED'}
    for job in ended[::2]:
        assert job['status'] == 'SUCCEEDED' or job['statusReason'] == 'burst'


def test_a_timeout_ends_the_attempt_and_is_not_retried(server):
    asked = server.work / 'asked'
    job = server.run(f'trap "touch {asked}; exit 1" TERM; while true; do sleep 0.1; done', wait=False,
                     timeout={'attemptDurationSeconds': 60}, retryStrategy={'attempts': 3})
    server.wait(job, 'RUNNING')
    ended = server.wait(job, deadline=100)
    assert ended['status'] == 'FAILED' and ended['statusReason'] == 'Job attempt duration exceeded timeout'
    assert len(ended['attempts']) == 1 and asked.exists()
    assert 58_000 < ended['stoppedAt'] - ended['startedAt'] < 75_000

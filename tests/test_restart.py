"""The server ends and comes back; what it knew and what it ran are still there."""
import os
import signal
import socket

import pytest
from support import Server, said, sh, wait_for

HOWS = pytest.mark.parametrize('how', ['terminate', 'kill'])


def alive(pid):
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def long_job(server, gate, **more):
    return server.run(f'echo $$ > {server.work}/pid; echo started; while [ ! -e {gate} ]; do sleep 0.05; done; echo finished; exit 5',
                      wait=False, **more)


@HOWS
def test_a_running_job_lives_on_and_its_true_exit_status_is_kept(server, how):
    gate = server.work / 'gate'
    job = long_job(server, gate)
    before = server.wait(job, 'RUNNING')
    pid = int(wait_for(lambda: (server.work / 'pid').exists() and (server.work / 'pid').read_text().strip()))
    server.restart(how)
    assert alive(pid) and server.wait(job, 'RUNNING')['startedAt'] == before['startedAt']
    gate.touch()
    ended = server.wait(job)
    assert ended['container']['exitCode'] == 5 and len(ended['attempts']) == 1
    assert server.log(job) == ['started', 'finished']


@HOWS
def test_a_job_that_ends_while_the_server_is_away_is_found_ended(server, how):
    gate = server.work / 'gate'
    job = long_job(server, gate)
    server.wait(job, 'RUNNING')
    wait_for(lambda: (server.work / 'pid').exists())
    pid = int((server.work / 'pid').read_text())
    getattr(server, how)()
    gate.touch()
    wait_for(lambda: not alive(pid))
    server.start()
    ended = server.wait(job)
    assert (ended['status'], ended['container']['exitCode'], len(ended['attempts'])) == ('FAILED', 5, 1)
    assert server.log(job) == ['started', 'finished']


@HOWS
def test_so_is_one_that_never_said_a_word(server, how):
    gate = server.work / 'gate'
    job = server.run(f'echo $$ > {server.work}/pid; while [ ! -e {gate} ]; do sleep 0.05; done; exit 5', wait=False)
    server.wait(job, 'RUNNING')
    pid = int(wait_for(lambda: (server.work / 'pid').exists() and (server.work / 'pid').read_text().strip()))
    getattr(server, how)()
    gate.touch()
    wait_for(lambda: not alive(pid))
    server.start()
    ended = server.wait(job)
    assert (ended['status'], ended['container']['exitCode'], len(ended['attempts'])) == ('FAILED', 5, 1)


@HOWS
def test_everything_defined_is_there_again(server, how):
    batch = server.batch
    policy = batch.create_scheduling_policy(name='fair', tags={'a': 'b'})['arn']
    batch.create_job_queue(jobQueueName='q', priority=7, schedulingPolicyArn=policy, tags={'c': 'd'},
                           computeEnvironmentOrder=[{'order': 1, 'computeEnvironment': 'local'}])
    batch.create_consumable_resource(consumableResourceName='license', totalQuantity=3)
    server.define('work')
    server.define('work')
    batch.deregister_job_definition(jobDefinition='work:1')
    done = server.run('echo hello', name='hello')
    waiting = server.submit(server.define('big', vcpus=100000), tags={'e': 'f'})
    array = server.submit('big', arrayProperties={'size': 50})
    dependent = server.submit('work', dependsOn=[{'jobId': waiting}])
    server.wait(waiting, 'RUNNABLE')

    def everything():
        def answer(call, **arguments):
            found = getattr(server.batch, call)(**arguments)
            found.pop('ResponseMetadata')
            return found
        return [answer('describe_job_queues'), answer('describe_compute_environments'), answer('describe_job_definitions'),
                answer('describe_scheduling_policies', arns=[policy]), answer('describe_consumable_resource', consumableResource='license'),
                [{key: value for key, value in job.items() if key != 'statusReason'} for job in
                 answer('describe_jobs', jobs=[done['jobId'], waiting, array, f'{array}:7', dependent])['jobs']],
                server.log(done['jobId'])]

    before = everything()
    server.restart(how)
    assert everything() == before
    assert server.define('work') == 'work:3'


@HOWS
def test_waiting_jobs_go_on_after_a_restart(server, how):
    server.batch.update_compute_environment(computeEnvironment='local', state='DISABLED')
    first = server.submit(server.define('work', ['echo', 'ran']))
    second = server.submit('work', dependsOn=[{'jobId': first}])
    array = server.submit('work', arrayProperties={'size': 10}, dependsOn=[{'type': 'SEQUENTIAL'}])
    server.restart(how)
    server.batch.update_compute_environment(computeEnvironment='local', state='ENABLED')
    for job in (first, second, array):
        assert server.wait(job)['status'] == 'SUCCEEDED'
    assert server.log(second) == ['ran']


def test_a_restarted_server_terminates_what_the_old_one_started(server):
    job = server.run('trap "echo bye; exit 3" TERM; echo ready; while true; do sleep 0.05; done', wait=False)
    server.wait(job, 'RUNNING')
    wait_for(lambda: server.log(job) == ['ready'])
    server.restart('kill')
    server.batch.terminate_job(jobId=job, reason='after the restart')
    ended = server.wait(job)
    assert ended['statusReason'] == 'after the restart' and said(server.log(job)) == ['ready', 'bye']


def test_the_agent_may_die_and_its_jobs_are_adopted(server):
    gate = server.work / 'gate'
    job = long_job(server, gate)
    server.wait(job, 'RUNNING')
    wait_for(lambda: (server.work / 'pid').exists())
    agent = wait_for(server.agents)[0]
    os.kill(agent, signal.SIGKILL)
    wait_for(lambda: [pid for pid in server.agents() if pid != agent], what=server.processes)
    gate.touch()
    ended = server.wait(job)
    assert ended['container']['exitCode'] == 5 and len(ended['attempts']) == 1 and server.log(job) == ['started', 'finished']
    assert server.wait(server.submit(server.define('next')))['status'] == 'SUCCEEDED'


def test_why_the_agent_of_the_server_ends_is_in_the_servers_log():
    server = Server()
    server.expected_errors.append('agent_not_started')
    server.data.mkdir()
    (server.data / 'node').touch()  # where the agent wants a folder
    server.start()
    try:
        wait_for(lambda: any('agent_ended' in line and 'File exists' in line for line in server.log_file.read_text().splitlines()),
                 what=server.log_tail)
    finally:
        server.stop()


def test_stop_jobs_ends_what_runs(make_server):
    server = make_server('--stop-jobs')
    job = server.run('sleep 4999', wait=False)
    server.wait(job, 'RUNNING')
    server.terminate()
    wait_for(lambda: not server.processes(), what=server.processes)
    server.start()
    assert server.wait(job)['status'] == 'FAILED'


def test_stop_jobs_starts_nothing_more(make_server):
    server = make_server('--stop-jobs', '--cpus', '2')
    definition = server.define('sleep', sh(f'echo >> {server.work}/begun; exec sleep 4999'))
    jobs = [server.submit(definition) for _ in range(4)]
    for job in jobs[:2]:
        server.wait(job, 'RUNNING')
    begun = server.work / 'begun'
    wait_for(lambda: begun.exists() and len(begun.read_text()) == 2)
    server.terminate(20)  # shorter than the time after which it gives up
    wait_for(lambda: not server.processes(), what=server.processes)
    assert len(begun.read_text()) == 2
    server.start()
    assert [server.wait(job)['status'] for job in jobs[:2]] == ['FAILED'] * 2
    for job in jobs[2:]:
        server.wait(job, 'RUNNING')


def test_without_jobs_nothing_is_left_after_sigterm(server):
    server.run('true')
    server.terminate()
    wait_for(lambda: not server.processes(), 10, what=server.processes)


def test_sigterm_lets_a_request_under_way_be_answered(server):
    host, port = server.address.removeprefix('http://').split(':')
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(b'POST /v1/describejobqueues HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
        assert connection.recv(100).startswith(b'HTTP/1.1 200')
    server.terminate()


def test_two_servers_on_one_state_folder_are_refused(server):
    result = server.cli('serve', '--listen', '127.0.0.1:0', '--data', server.data, timeout=20)
    assert result.returncode != 0 and str(server.data) in result.stderr
    assert server.status(server.run('true')['jobId']) == 'SUCCEEDED'


def test_a_timeout_counts_on_over_a_restart(server):
    job = server.run('sleep 600', wait=False, timeout={'attemptDurationSeconds': 60})
    started = server.wait(job, 'RUNNING')['startedAt']
    server.restart('kill')
    ended = server.wait(job, deadline=100)
    assert ended['statusReason'] == 'Job attempt duration exceeded timeout' and 58_000 < ended['stoppedAt'] - started < 75_000


def test_gpus_stay_with_the_job_that_has_them(make_server):
    server = make_server('--gpus', '2xA10G', '--cpus', '8')
    gate = server.work / 'gate'
    holder = server.submit(server.define('holder', sh(f'echo $NVIDIA_VISIBLE_DEVICES; while [ ! -e {gate} ]; do sleep 0.05; done'), gpus=1))
    server.wait(holder, 'RUNNING')
    server.restart('kill')
    others = [server.submit(server.define('other', sh('echo $NVIDIA_VISIBLE_DEVICES'), gpus=1)) for _ in range(4)]
    for job in others:
        server.wait(job)
    taken = server.log(holder)[0]
    assert all(server.log(job)[0] != taken for job in others)
    gate.touch()
    assert server.wait(holder)['status'] == 'SUCCEEDED'

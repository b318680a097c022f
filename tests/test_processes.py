"""Jobs as processes of this machine: their surroundings, their ends, their resources and GPUs."""
import os
import re
import time

import pytest
from support import sh, wait_for


def variables(server, job):
    return dict(line.split('=', 1) for line in server.log(job) if '=' in line)


def test_a_job_finds_its_place_in_its_environment(server):
    job = server.run('env', retryStrategy={'attempts': 2}, container={'environment': [{'name': 'MINE', 'value': 'a b=c'}]})
    found = variables(server, job['jobId'])
    assert found['AWS_BATCH_JOB_ID'] == job['jobId'] and found['AWS_BATCH_JQ_NAME'] == 'default'
    assert found['AWS_BATCH_CE_NAME'] == 'local' and found['AWS_BATCH_JOB_ATTEMPT'] == '1' and found['MINE'] == 'a b=c'
    assert 'AWS_BATCH_JOB_ARRAY_INDEX' not in found and found['PATH']
    assert found['CUDA_VISIBLE_DEVICES'] in ('', 'void', '-1') or found['NVIDIA_VISIBLE_DEVICES'] == 'void'
    assert found['NVIDIA_VISIBLE_DEVICES'] == 'void'


@pytest.mark.parametrize('code', [0, 1, 2, 77, 127, 255])
def test_the_exit_status_is_the_programs_own(server, code):
    job = server.run(f'exit {code}')
    assert job['container']['exitCode'] == code and job['status'] == ('SUCCEEDED' if code == 0 else 'FAILED')
    assert job['statusReason'] == 'Essential container in task exited'


def test_a_program_killed_by_a_signal_ends_with_128_and_its_number(server):
    assert server.run('kill -SEGV $$')['container']['exitCode'] == 139
    assert server.run('kill -KILL $$')['container']['exitCode'] == 137


def test_a_command_is_run_without_a_shell(server):
    job = server.wait(server.submit(server.define('plain', ['echo', '$HOME', '*', 'a  b', '"q"', "it's"])))
    assert server.log(job['jobId']) == ['$HOME * a  b "q" it\'s']


def test_nothing_a_job_started_survives_it(server):
    job = server.run('sleep 4321 & (setsid sleep 4322 &) ; sleep 0.1; echo done')
    assert server.log(job['jobId']) == ['done']
    wait_for(lambda: not any('sleep 432' in line for line in server.processes().values()), what=server.processes)


def test_standard_input_is_empty_and_the_job_has_no_terminal(server):
    job = server.run('cat; echo rc $?; [ -t 0 ] || echo no terminal')
    assert server.log(job['jobId']) == ['rc 0', 'no terminal']


def test_jobs_run_at_the_same_time_but_never_more_than_fit(make_server):
    server = make_server('--cpus', '4')
    trace = server.work / 'trace'
    script = f'echo + >> {trace}; sleep 0.2; echo - >> {trace}'
    jobs = [server.submit(server.define('two', sh(script), vcpus=2)) for _ in range(8)]
    for job in jobs:
        assert server.wait(job)['status'] == 'SUCCEEDED'
    level, highest = 0, 0
    for line in trace.read_text().split():
        level += 1 if line == '+' else -1
        highest = max(highest, level)
    assert highest == 2


def test_memory_is_given_out_once(make_server):
    server = make_server('--cpus', '8', '--memory-mib', '1000')
    gate = server.work / 'gate'
    holds = server.define('holds', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done'), memory=600)
    first = server.submit(holds)
    server.wait(first, 'RUNNING')
    second = server.submit(holds)
    server.wait(second, 'RUNNABLE')
    small = server.submit(server.define('small', memory=300))
    reason = wait_for(lambda: server.job(second).get('statusReason'))
    assert re.search('memory', reason, re.I) and '600' in reason, reason
    gate.touch()
    assert server.wait(second)['status'] == 'SUCCEEDED' and server.wait(small)['status'] == 'SUCCEEDED'


def can_limit_memory():
    if os.geteuid() != 0:
        return False
    return os.access('/sys/fs/cgroup/memory', os.W_OK) or os.path.exists('/sys/fs/cgroup/cgroup.subtree_control')


@pytest.mark.skipif(not can_limit_memory(), reason='this user may not make control groups here')
def test_a_job_over_its_memory_is_killed_and_says_so(server):
    script = 'x=$(head -c 400000000 /dev/zero | tr "\\0" x); echo survived'
    job = server.run(script, memory=64)
    assert job['status'] == 'FAILED' and server.log(job['jobId']) != ['survived']
    assert job['container']['reason'] == 'OutOfMemoryError: Container killed due to memory usage'
    assert job['container']['exitCode'] != 0


# ---- GPUs, pretended ----
def test_each_job_gets_gpus_of_its_own(gpus):
    script = 'echo $CUDA_VISIBLE_DEVICES; sleep 0.3'
    jobs = [gpus.submit(gpus.define('train', sh(script), gpus=count, vcpus=1)) for count in (1, 1, 2)]
    for job in jobs:
        assert gpus.wait(job)['status'] == 'SUCCEEDED'
    given = [gpus.log(job)[0].split(',') for job in jobs]
    assert [len(one) for one in given] == [1, 1, 2]


def test_no_gpu_is_ever_given_to_two_jobs_at_once(make_server):
    server = make_server('--gpus', '4xA10G', '--cpus', '16')
    trace = server.work / 'trace'
    script = f'for g in $(echo $NVIDIA_VISIBLE_DEVICES | tr , " "); do echo + $g; done >> {trace}; sleep 0.0$(($$ % 9 + 1)); ' \
             f'for g in $(echo $NVIDIA_VISIBLE_DEVICES | tr , " "); do echo - $g; done >> {trace}'
    definitions = [server.define('train', sh(script), gpus=count) for count in (1, 2, 3, 4)]
    jobs = [server.submit(definitions[number % 4]) for number in range(40)]
    for job in jobs:
        assert server.wait(job, deadline=60)['status'] == 'SUCCEEDED'
    held = set()
    for line in trace.read_text().splitlines():
        sign, gpu = line.split()
        if sign == '+':
            assert gpu not in held, f'{gpu} was given out twice'
            held.add(gpu)
        else:
            held.remove(gpu)
    assert not held and len({line.split()[1] for line in trace.read_text().splitlines()}) == 4


def test_a_job_without_gpus_sees_none_and_may_run_beside(gpus):
    job = gpus.run('echo $NVIDIA_VISIBLE_DEVICES')
    assert gpus.log(job['jobId']) == ['void']


def test_five_gpus_on_a_machine_of_four_are_a_misconfiguration(gpus):
    job = gpus.submit(gpus.define('five', gpus=5))
    gpus.wait(job, 'RUNNABLE')
    reason = wait_for(lambda: gpus.job(job).get('statusReason'))
    assert reason.startswith('MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT') and 'GPU' in reason, reason


def test_a_job_that_waits_for_a_gpu_says_so_and_one_that_needs_none_passes_by(gpus):
    gate = gpus.work / 'gate'
    holder = gpus.submit(gpus.define('holder', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done'), gpus=4))
    gpus.wait(holder, 'RUNNING')
    waiting = gpus.submit(gpus.define('waiting', gpus=1))
    gpus.wait(waiting, 'RUNNABLE')
    reason = wait_for(lambda: gpus.job(waiting).get('statusReason'))
    assert 'GPU' in reason and not reason.startswith('MISCONFIGURATION'), reason
    gate.touch()
    assert gpus.wait(waiting)['status'] == 'SUCCEEDED' and gpus.wait(holder)['status'] == 'SUCCEEDED'


def test_a_machine_without_gpus_says_so(make_server):
    server = make_server('--gpus', 'none')
    job = server.submit(server.define('train', gpus=1))
    server.wait(job, 'RUNNABLE')
    reason = wait_for(lambda: server.job(job).get('statusReason'))
    assert 'GPU' in reason, reason


# ---- order ----
def test_a_queue_of_higher_priority_goes_first(make_server):
    server = make_server('--cpus', '1')
    order = [{'order': 1, 'computeEnvironment': 'local'}]
    server.batch.create_job_queue(jobQueueName='urgent', priority=100, computeEnvironmentOrder=order)
    trace, gate = server.work / 'trace', server.work / 'gate'
    holder = server.submit(server.define('holder', sh(f'while [ ! -e {gate} ]; do sleep 0.02; done')))
    server.wait(holder, 'RUNNING')
    work = server.define('work', sh(f'echo $AWS_BATCH_JQ_NAME >> {trace}'))
    jobs = [server.submit(work) for _ in range(3)] + [server.submit(work, queue='urgent') for _ in range(3)]
    gate.touch()
    for job in jobs:
        server.wait(job)
    assert trace.read_text().split() == ['urgent'] * 3 + ['default'] * 3


def test_jobs_of_one_queue_start_in_the_order_of_submission(make_server):
    server = make_server('--cpus', '1')
    trace = server.work / 'trace'
    jobs = [server.submit(server.define('work', sh(f'echo {number} >> {trace}'))) for number in range(20)]
    for job in jobs:
        server.wait(job)
    assert trace.read_text().split() == [str(number) for number in range(20)]


def test_a_thousand_short_jobs_all_end(server):
    definition = server.define('noop')
    start = time.monotonic()
    parent = server.submit(definition, arrayProperties={'size': 1000})
    assert server.wait(parent, deadline=120)['status'] == 'SUCCEEDED'
    assert server.job(parent)['arrayProperties']['statusSummary']['SUCCEEDED'] == 1000
    assert time.monotonic() - start < 120

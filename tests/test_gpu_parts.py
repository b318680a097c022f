"""Shares of GPUs, MIG devices, and what else a job can ask of the GPUs it gets, on pretended GPUs."""
import os
import pathlib
import subprocess

import pytest

from support import STOKER, refused, sh, wait_for

# A driver that pretends two H100 in MIG mode and keeps the real one's rules (src/agent/testing/fake_mig_nvml.cc).
DRIVER = pathlib.Path(STOKER).resolve().parent / 'fake_driver'

SEEN = sh('echo $CUDA_VISIBLE_DEVICES; echo $CUDA_MPS_ACTIVE_THREAD_PERCENTAGE $CUDA_MPS_PINNED_DEVICE_MEM_LIMIT')


def gated(server, name):
    """A command that tells its GPUs and ends when the gate of that name is there."""
    return sh(f'echo $CUDA_VISIBLE_DEVICES; while [ ! -e {server.work / name} ]; do sleep 0.05; done')


def reason(server, job):
    return wait_for(lambda: server.job(job).get('statusReason'))


def test_two_halves_share_a_gpu_and_a_third_takes_the_next(make_server):
    server = make_server('--gpus', '2xA10G', '--cpus', '8')
    half = server.define('half', gated(server, 'gate'), gpus=0.5)
    jobs = [server.submit(half) for _ in range(3)]
    whole = server.submit(server.define('whole', SEEN, gpus=1))
    for job in jobs:
        server.wait(job, 'RUNNING')
    assert 'GPU' in reason(server, whole), 'half of a GPU is no GPU'
    (server.work / 'gate').touch()
    for job in jobs:
        assert server.wait(job)['status'] == 'SUCCEEDED'
    given = [server.log(job)[0] for job in jobs]
    assert given[0] == given[1] != given[2]
    assert server.wait(whole)['status'] == 'SUCCEEDED'


def test_top_shows_who_holds_parts_of_gpus(make_server):
    server = make_server('--gpus', '1xT4,A100-80GB/mig', '--cpus', '8')
    jobs = [server.submit(server.define('part', gated(server, 'gate'), gpus=gpus), name=name)
            for name, gpus in (('half', '0.5'), ('third', '0.333'), ('slice', '3g.40gb'))]
    for job in jobs:
        server.wait(job, 'RUNNING')
    text = server.cli('top', check=0).stdout
    lines = [' '.join(line.split()) for line in text.splitlines()]
    assert '0.833 shared, 0.167 free' in text and '1.261/2' in text, text
    for part, name, job in zip(('0.5', '0.333', '3g.40gb'), ('half', 'third', 'slice'), jobs):
        assert f'{part} {name} ({job[:8]})' in lines, text
    (server.work / 'gate').touch()


@pytest.mark.parametrize('gpus,why', [
    ('foo', 'expected auto'), ('4x', 'expected auto'), ('x4', 'expected auto'), ('-1xA10G', 'expected auto'),
    ('4xA10G,', 'expected auto'), ('9999xA10G', 'at most 1024'), ('4xA10G/mig/mig', "after a '/'"), ('A10G/mig', 'A10G has no MIG')])
def test_gpus_that_make_no_sense_are_refused_before_anything_serves(tmp_path, gpus, why):
    for command in (['serve', '--listen', '127.0.0.1:0', '--data', tmp_path / 'state'], ['node', '--server', 'unix:/x', '--state', tmp_path / 'node']):
        result = subprocess.run([STOKER, *command, f'--gpus={gpus}'], capture_output=True, text=True, timeout=20)
        assert result.returncode == 2 and f'option --gpus: {why}' in result.stderr, (result.returncode, result.stderr)
    assert not list(tmp_path.iterdir())


def test_a_share_is_told_how_much_it_has(make_server):
    server = make_server('--gpus', '1xT4')
    job = server.submit(server.define('quarter', SEEN, gpus=0.25))
    assert server.wait(job)['status'] == 'SUCCEEDED'
    assert server.log(job) == ['GPU-pretended-0', '25 0=4096M']


def test_mig_devices_are_given_by_their_profile(make_server):
    server = make_server('--gpus', 'A100-80GB/3g.40gb+2g.20gb+2g.20gb', '--cpus', '8')
    pair = server.submit(server.define('pair', gated(server, 'gate'), gpus='2x2g.20gb'))
    large = server.submit(server.define('large', gated(server, 'gate'), gpus='3g.40gb'))
    small = server.submit(server.define('small', SEEN, gpus='2g.20gb'))
    for job in (pair, large):
        server.wait(job, 'RUNNING')
    assert '1 MIG 2g.20gb' in reason(server, small)
    other = server.submit(server.define('other', gpus='1g.10gb'))
    assert reason(server, other).startswith('MISCONFIGURATION')
    (server.work / 'gate').touch()
    assert server.wait(small)['status'] == 'SUCCEEDED'
    assert server.log(pair) == ['MIG-GPU-pretended-0-1,MIG-GPU-pretended-0-2']
    assert server.log(large) == ['MIG-GPU-pretended-0-0']


def test_layouts_are_planned_where_the_node_can_make_them(make_server):
    server = make_server('--gpus', 'H100/mig', '--cpus', '8')
    halves = server.define('half', gated(server, 'gate'), gpus='3g.40gb')
    jobs = [server.submit(halves) for _ in range(2)]
    for job in jobs:
        server.wait(job, 'RUNNING')
    whole = server.submit(server.define('whole', SEEN, gpus='7g.80gb'))
    assert '7g.80gb' in reason(server, whole)
    server.restart('kill')
    (server.work / 'gate').touch()
    assert server.wait(whole)['status'] == 'SUCCEEDED'
    assert [server.log(job)[0] for job in jobs] == ['GPU-pretended-0/3g.40gb@0', 'GPU-pretended-0/3g.40gb@4']
    assert server.log(whole)[0] == 'GPU-pretended-0/7g.80gb@0'


class Driver:
    """The state of the driver that pretends: what it has, and what it refuses."""

    def __init__(self, file):
        self.file = file
        self.file.write_text('gpu GPU-a 1 1\ngpu GPU-b 1 1\nserial 1\n')
        self.environment = {'LD_LIBRARY_PATH': str(DRIVER), 'FAKE_MIG_STATE': str(file)}

    def add(self, line):
        self.file.write_text(self.file.read_text() + line + '\n')

    def instances(self):
        return sorted(tuple(map(int, line.split()[1:])) for line in self.file.read_text().splitlines() if line.startswith('gi '))


@pytest.fixture
def driver(tmp_path):
    if not (DRIVER / 'libnvidia-ml.so.1').exists():
        pytest.skip('the driver that pretends comes with the unit tests: make unit')
    if os.geteuid() != 0:
        pytest.skip('only root may change MIG layouts')
    return Driver(tmp_path / 'mig.state')


def test_devices_are_made_on_gpus_in_mig_mode_and_outlive_agent_and_server(make_server, driver):
    server = make_server('--cpus', '8', environment=driver.environment)
    half = server.define('half', gated(server, 'gate'), gpus='3g.40gb')
    jobs = [server.submit(half) for _ in range(4)]
    for job in jobs:
        server.wait(job, 'RUNNING')
    assert [(gpu, profile, start) for gpu, _, profile, start, _, _ in driver.instances()] == \
        [(0, 9, 0), (0, 9, 4), (1, 9, 0), (1, 9, 4)]
    whole = server.submit(server.define('whole', SEEN, gpus='7g.80gb'))
    assert '7g.80gb' in reason(server, whole)
    for agent in server.agents():
        os.kill(agent, 9)
    server.restart('kill')
    (server.work / 'gate').touch()
    for job in jobs:
        assert server.wait(job)['status'] == 'SUCCEEDED'
    assert server.wait(whole)['status'] == 'SUCCEEDED'
    given = [server.log(job)[0] for job in jobs]
    assert len(set(given)) == 4 and all(name.startswith(('MIG-GPU-a-', 'MIG-GPU-b-')) for name in given)
    assert server.log(whole)[0] in ('MIG-GPU-a-5', 'MIG-GPU-b-5')


def test_a_gpu_that_somebody_divides_by_hand_is_left_to_them(make_server, driver):
    server = make_server('--cpus', '8', environment=driver.environment)
    assert server.wait(server.submit(server.define('first', SEEN)))['status'] == 'SUCCEEDED', 'the node is known'
    theirs = (0, 5, 14, 2, 90, 1)
    driver.add('gi ' + ' '.join(map(str, theirs)))
    jobs = [server.submit(server.define('whole', gated(server, 'gate'), gpus='7g.80gb')) for _ in range(2)]
    wait_for(lambda: 'RUNNING' in map(server.status, jobs))
    (server.work / 'gate').touch()
    for job in jobs:
        assert server.wait(job)['status'] == 'SUCCEEDED'
        assert server.log(job)[0].startswith('MIG-GPU-b-')
    # One of them was planned where the other device is, unless the agent has looked meanwhile, as it does each minute.
    lost = [one['container']['reason'] for job in jobs for one in server.job(job)['attempts'][:-1]]
    assert len(lost) <= 1 and all('did not make: 2g.20gb at memory slice 2' in one for one in lost)
    part = server.submit(server.define('part', SEEN, gpus='2g.20gb'))
    assert server.wait(part)['status'] == 'SUCCEEDED'
    assert theirs in driver.instances()


def test_slices_that_are_free_beside_a_run_stay_usable_over_a_restart(make_server, driver):
    driver.file.write_text('gpu GPU-a 1 1\nserial 1\n')
    server = make_server('--cpus', '8', environment=driver.environment)
    small = server.define('small', gated(server, 'gate'), gpus='1g.10gb')
    first = server.submit(small)
    server.wait(first, 'RUNNING')
    server.restart('kill')
    second = server.submit(small)
    server.wait(second, 'RUNNING')
    (server.work / 'gate').touch()
    assert server.wait(first)['status'] == server.wait(second)['status'] == 'SUCCEEDED'


def test_what_the_driver_refuses_is_said_and_not_tried_again_there(make_server, driver):
    driver.add('fail nvmlDeviceCreateGpuInstanceWithPlacement 4')
    server = make_server('--cpus', '8', environment=driver.environment)
    job = server.submit(server.define('part', SEEN, gpus='2g.20gb'))
    wait_for(lambda: reason(server, job).startswith('MISCONFIGURATION'))
    assert 'Insufficient Permissions' in server.job(job)['attempts'][0]['container']['reason']
    assert server.job(job)['status'] == 'RUNNABLE' and driver.instances() == []


def test_a_wish_for_a_model_or_for_memory_is_met(make_server):
    server = make_server('--gpus', '1xT4,1xA100-80GB', '--cpus', '8')
    one = server.define('one', SEEN, gpus=1)
    large = server.submit(one, tags={'stoker:gpu-memory-min': '40000'})
    other = server.submit(one, tags={'stoker:gpu-models': 'H100/T4'})
    assert server.wait(large)['status'] == server.wait(other)['status'] == 'SUCCEEDED'
    assert server.log(large)[0] == 'GPU-pretended-1' and server.log(other)[0] == 'GPU-pretended-0'
    none = server.submit(one, tags={'stoker:gpu-models': 'B200'})
    assert 'of model b200' in reason(server, none)


@pytest.mark.parametrize('tag, value', [('stoker:spot', 'maybe'), ('stoker:gpu-model', 'T4'), ('stoker:gpu-memory-min', '40GiB'),
                                        ('stoker:deadline', 'tomorrow')])
def test_a_wish_that_is_not_legal_is_refused_by_name(shared, tag, value):
    definition = shared.define('wishing')
    refused(shared.batch.submit_job, tag, jobName='x', jobQueue='default', jobDefinition=definition, tags={tag: value})


def test_other_tags_are_nobody_s_business(shared):
    job = shared.submit(shared.define('tagged'), tags={'team': 'vision', 'stoker': 'x'})
    assert shared.wait(job)['status'] == 'SUCCEEDED'


def test_a_gpu_out_of_order_gets_no_runs_and_who_waits_is_told(make_server):
    server = make_server('--gpus', '2xT4,T4/bad', '--cpus', '8')
    gate = server.define('gate', gated(server, 'gate'), gpus=1)
    jobs = [server.submit(gate) for _ in range(3)]
    for job in jobs[:2]:
        server.wait(job, 'RUNNING')
    assert 'free on node local: 6 vCPU' in reason(server, jobs[2]) and '; 1 of its 3 GPUs is out of order' in reason(server, jobs[2])
    (server.work / 'gate').touch()
    assert server.wait(jobs[2])['status'] == 'SUCCEEDED'
    assert 'GPU-pretended-2' not in {line for job in jobs for line in server.log(job)}

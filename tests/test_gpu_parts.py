"""Shares of GPUs, MIG devices, and what else a job can ask of the GPUs it gets, on pretended GPUs."""
import pytest

from support import refused, sh, wait_for

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

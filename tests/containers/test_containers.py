"""Jobs as containers: pulled from a registry, limited, watched, adopted."""
import json
import os
import signal
import time

import pytest
from support import said, sh, wait_for


def run(server, image, script, wait=True, submit=None, name='boxed', **definition):
    job = server.submit(server.define(name, sh(script), image=image, **definition), **(submit or {}))
    return server.wait(job, deadline=60) if wait else job


def test_a_container_runs_and_its_log_and_exit_status_are_kept(server, busybox):
    job = run(server, busybox, 'echo hello from a box; echo and to stderr >&2; exit 3')
    assert job['status'] == 'FAILED' and job['container']['exitCode'] == 3
    assert job['statusReason'] == 'Essential container in task exited' and 'reason' not in job['container']
    assert sorted(server.log(job['jobId'])) == ['and to stderr', 'hello from a box']
    assert job['container']['image'] == busybox


def test_the_batch_variables_are_inside(server, busybox):
    job = run(server, busybox, 'env', container={'environment': [{'name': 'MINE', 'value': 'x y'}]})
    found = dict(line.split('=', 1) for line in server.log(job['jobId']) if '=' in line)
    assert found['AWS_BATCH_JOB_ID'] == job['jobId'] and found['MINE'] == 'x y' and found['AWS_BATCH_JOB_ATTEMPT'] == '1'
    assert found['PATH'] == '/bin' and found['NVIDIA_VISIBLE_DEVICES'] == 'void'


def test_the_command_of_the_image_is_used_when_the_job_has_none(server, registry):
    image = registry.push('speaks', config={'Cmd': ['/bin/echo', 'I speak'], 'Env': ['PATH=/bin', 'FROM_IMAGE=1']})
    server.batch.register_job_definition(jobDefinitionName='speaks', type='container',
                                         containerProperties={'image': image, 'vcpus': 1, 'memory': 64})
    job = server.wait(server.submit('speaks'), deadline=60)
    assert job['status'] == 'SUCCEEDED' and server.log(job['jobId']) == ['I speak']


def test_the_second_job_of_an_image_pulls_nothing(server, registry):
    image = registry.push('pulled-once', more=[('data', os.urandom(3_000_000))])
    name = image.split('/')[1].split(':')[0]
    assert run(server, image, 'true')['status'] == 'SUCCEEDED'
    before = registry.requests(f'/v2/{name}/')
    assert before > 0
    for _ in range(3):
        assert run(server, image, 'true')['status'] == 'SUCCEEDED'
    assert registry.requests(f'/v2/{name}/') == before


def test_many_jobs_of_a_new_image_pull_it_once(server, registry):
    image = registry.push('pulled-together', more=[('data', os.urandom(3_000_000))])
    name = image.split('/')[1].split(':')[0]
    jobs = [run(server, image, 'true', wait=False) for _ in range(6)]
    assert {server.wait(job, deadline=60)['status'] for job in jobs} == {'SUCCEEDED'}
    assert registry.requests(f'"GET /v2/{name}/blobs/') <= 2 + 2  # one layer, one configuration; redirects apart


def held_images(server):
    status, _, body = server.http('POST', '/stoker/v1/listnodes', b'{}')
    assert status == 200, body
    return [image for node in json.loads(body)['nodes'] if node['connected'] for image in node['images']]


def test_the_server_knows_which_images_its_node_holds(server, registry, engine):
    first, second = registry.push('held-first', more=[('data', os.urandom(1000))]), registry.push('held-second')
    assert not {first, second} & set(held_images(server))
    assert run(server, first, 'true')['status'] == 'SUCCEEDED'
    wait_for(lambda: first in held_images(server))
    assert any(name.startswith(f'{registry.name}/held-first@sha256:') for name in held_images(server))
    removed = engine.podman('rmi', '-f', first)
    assert removed.returncode == 0, removed.stderr
    assert run(server, second, 'true')['status'] == 'SUCCEEDED'
    wait_for(lambda: second in held_images(server) and first not in held_images(server))
    server.restart('kill')
    wait_for(lambda: second in held_images(server))  # the agent's hello says so


def test_an_image_that_is_not_there_is_said_so_and_tried_again(server, registry):
    job = run(server, f'{registry.name}/nothing:9', 'true', retryStrategy={'attempts': 2})
    assert job['status'] == 'FAILED' and job['statusReason'] == 'Task failed to start' and len(job['attempts']) == 2
    assert job['container']['reason'].startswith('CannotPullContainerError') and 'exitCode' not in job['container']


def test_a_registry_that_asks_for_a_password_gets_that_of_the_usual_file(server, locked_registry, engine):
    image = locked_registry.push('secret')
    job = run(server, image, 'echo opened')
    assert job['container']['reason'].startswith('CannotPullContainerError')
    folder = engine.folder / '.docker'
    folder.mkdir(exist_ok=True)
    token = locked_registry.headers['Authorization'].split()[1]
    (folder / 'config.json').write_text(json.dumps({'auths': {locked_registry.name: {'auth': token}}}))
    try:
        job = run(server, image, 'echo opened')
        assert server.log(job['jobId']) == ['opened']
    finally:
        (folder / 'config.json').unlink()


def test_a_program_that_is_not_in_the_image_cannot_start(server, busybox):
    job = server.wait(server.submit(server.define('missing', ['/no/such/program'], image=busybox)), deadline=60)
    assert job['status'] == 'FAILED' and job['statusReason'] == 'Task failed to start'
    assert job['container']['reason'].startswith('CannotStartContainerError')


def test_a_container_over_its_memory_is_killed_and_says_so(server, busybox):
    job = run(server, busybox, 'x=$(head -c 300000000 /dev/zero | tr "\\0" x); echo survived', memory=32)
    assert job['status'] == 'FAILED' and server.log(job['jobId']) != ['survived']
    assert job['container']['reason'] == 'OutOfMemoryError: Container killed due to memory usage'
    assert job['container']['exitCode'] == 137


def test_mounts_tmpfs_shared_memory_user_and_a_read_only_root(server, busybox):
    (server.work / 'given').write_text('from outside')
    os.chmod(server.work, 0o777)
    script = 'id -u; cat /in/given; (touch /in/x) 2>/dev/null || echo /in is read-only; echo back > /out/made; (touch /x) 2>/dev/null || ' \
             'echo / is read-only; touch /fast/x && df -k /fast | tail -n1 | tr -s " " | head -c 40; echo; df -k /dev/shm; ulimit -n'
    script = script.replace('| tail -n1 | tr -s " " | head -c 40; echo', '')
    job = run(server, busybox, script, container={
        'volumes': [{'name': 'in', 'host': {'sourcePath': str(server.work)}}, {'name': 'out', 'host': {'sourcePath': str(server.work / 'out')}}],
        'mountPoints': [{'sourceVolume': 'in', 'containerPath': '/in', 'readOnly': True}, {'sourceVolume': 'out', 'containerPath': '/out'}],
        'user': '0:0', 'readonlyRootFilesystem': True, 'ulimits': [{'name': 'nofile', 'softLimit': 256, 'hardLimit': 512}],
        'linuxParameters': {'tmpfs': [{'containerPath': '/fast', 'size': 8}], 'sharedMemorySize': 16, 'initProcessEnabled': True}})
    log = server.log(job['jobId'])
    assert job['status'] == 'SUCCEEDED', (job, log)
    assert log[0] == '0' and 'from outside' in log[1] and '/in is read-only' in '\n'.join(log) and '/ is read-only' in log
    assert any('8192' in line and '/fast' in line for line in log) and any('16384' in line and '/dev/shm' in line for line in log)
    assert log[-1] == '256' and (server.work / 'out/made').read_text() == 'back\n'
    job = run(server, busybox, 'id -u; id -g', container={'user': '1000:1000'})
    assert server.log(job['jobId']) == ['1000', '1000']


def test_terminating_asks_first_and_kills_then(server, busybox, engine):
    polite = run(server, busybox, 'trap "echo bye; exit 4" TERM; echo ready; while true; do sleep 0.1; done', wait=False)
    server.wait(polite, 'RUNNING', deadline=60)
    wait_for(lambda: server.log(polite) == ['ready'])
    server.batch.terminate_job(jobId=polite, reason='enough')
    ended = server.wait(polite, deadline=60)
    assert ended['statusReason'] == 'enough' and ended['container']['exitCode'] == 4 and said(server.log(polite)) == ['ready', 'bye']


def test_a_job_is_cancelled_while_its_image_is_pulled(server, registry, engine):
    image = registry.push('slow', more=[('data', os.urandom(40_000_000))])
    job = run(server, image, 'echo ran', wait=False)
    server.wait(job, 'STARTING', 'RUNNING', 'SUCCEEDED')
    server.batch.terminate_job(jobId=job, reason='too slow')
    ended = server.wait(job, deadline=60)
    assert ended['status'] == 'SUCCEEDED' or ended['statusReason'] == 'too slow'


@pytest.mark.parametrize('how', ['terminate', 'kill'])
def test_a_container_outlives_the_server_and_is_adopted(server, busybox, how):
    gate = server.work / 'gate'
    job = run(server, busybox, 'echo started; while [ ! -e /box/gate ]; do sleep 0.1; done; echo finished; exit 6', wait=False,
              container={'volumes': [{'name': 'w', 'host': {'sourcePath': str(server.work)}}],
                         'mountPoints': [{'sourceVolume': 'w', 'containerPath': '/box'}]})
    server.wait(job, 'RUNNING', deadline=60)
    server.restart(how)
    gate.touch()
    ended = server.wait(job, deadline=60)
    assert ended['container']['exitCode'] == 6 and len(ended['attempts']) == 1 and server.log(job) == ['started', 'finished']


def test_a_container_outlives_the_agent(server, busybox):
    gate = server.work / 'gate'
    job = run(server, busybox, 'echo started; while [ ! -e /box/gate ]; do sleep 0.1; done; exit 6', wait=False,
              container={'volumes': [{'name': 'w', 'host': {'sourcePath': str(server.work)}}],
                         'mountPoints': [{'sourceVolume': 'w', 'containerPath': '/box'}]})
    server.wait(job, 'RUNNING', deadline=60)
    for agent in server.agents():
        os.kill(agent, signal.SIGKILL)
    gate.touch()
    ended = server.wait(job, deadline=60)
    assert ended['container']['exitCode'] == 6 and len(ended['attempts']) == 1 and server.log(job) == ['started']


def test_a_container_outlives_the_engines_service(server, busybox, engine):
    gate = server.work / 'gate'
    job = run(server, busybox, 'while [ ! -e /box/gate ]; do sleep 0.1; done; exit 6', wait=False,
              container={'volumes': [{'name': 'w', 'host': {'sourcePath': str(server.work)}}],
                         'mountPoints': [{'sourceVolume': 'w', 'containerPath': '/box'}]})
    server.wait(job, 'RUNNING', deadline=60)
    engine.kill()
    time.sleep(0.2)  # some moments without an engine, as when it is upgraded
    engine.start()
    gate.touch()
    assert server.wait(job, deadline=60)['container']['exitCode'] == 6


def test_nothing_is_left_of_ended_containers(server, busybox, engine):
    jobs = [run(server, busybox, f'exit {number % 2}', wait=False) for number in range(6)]
    for job in jobs:
        server.wait(job, deadline=60)
    wait_for(lambda: engine.containers() == [], 30, engine.containers)


def test_progress_is_told_while_the_image_comes(server, registry):
    image = registry.push('large', more=[('data', os.urandom(60_000_000))])
    job = run(server, image, 'true', wait=False)
    seen = set()

    def ended():
        found = server.job(job)
        if found['status'] == 'STARTING':
            seen.add(found.get('statusReason') or found['container'].get('reason') or '')
        return found['status'] in ('SUCCEEDED', 'FAILED')

    wait_for(ended, 60, every=0.01)
    assert any('pull' in text.lower() for text in seen), seen


def test_host_processes_and_containers_run_side_by_side(server, busybox):
    boxed = run(server, busybox, 'echo boxed', wait=False)
    plain = server.submit(server.define('plain', ['echo', 'plain']))
    assert server.wait(boxed, deadline=60)['status'] == server.wait(plain)['status'] == 'SUCCEEDED'


def test_an_engine_that_comes_later_is_found(make_server, engine, registry, tmp_path):
    socket = tmp_path / 'engine.sock'
    server = make_server('--containers', str(socket))
    job = run(server, registry.push('later'), 'echo found', wait=False)
    wait_for(lambda: 'container' in (server.job(job).get('statusReason') or ''))
    socket.symlink_to(engine.socket)
    ended = server.wait(job, deadline=60)  # the agent looks again every quarter of a minute
    assert ended['status'] == 'SUCCEEDED' and server.log(job) == ['found']


def test_pull_policies(make_server, engine, registry):
    image = registry.push('policies', tag='1')
    never = make_server('--containers', str(engine.socket), '--pull', 'never')
    job = run(never, image, 'true')
    assert job['status'] == 'FAILED' and job['container']['reason'].startswith('CannotPullContainerError')
    always = make_server('--containers', str(engine.socket), '--pull', 'always')
    assert run(always, image, 'true')['status'] == 'SUCCEEDED'
    before = registry.requests('/v2/policies/manifests/1')
    assert run(always, image, 'true')['status'] == 'SUCCEEDED'
    assert registry.requests('/v2/policies/manifests/1') > before
    assert run(never, image, 'true')['status'] == 'SUCCEEDED'


def test_a_machine_without_an_engine_says_so(make_server, registry):
    server = make_server('--containers', 'none')
    job = server.submit(server.define('boxed', ['true'], image='busybox'))
    server.wait(job, 'RUNNABLE', 'FAILED')
    reason = wait_for(lambda: server.job(job).get('statusReason'))
    assert 'container' in reason.lower(), reason

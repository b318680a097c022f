"""The stoker command as people and scripts use it."""
import csv
import io
import json
import re
import subprocess
from decimal import Decimal

import pytest
from support import sh, wait_for


def test_submit_follows_the_log_and_exits_as_the_job_did(server):
    result = server.cli('submit', '--name', 'hello', '--memory', '64M', '--', 'sh', '-c', 'echo out; exit 7')
    assert result.returncode == 7 and 'out' in result.stdout
    assert server.cli('submit', '--', 'true').returncode == 0
    job = server.batch.list_jobs(jobQueue='default', jobStatus='FAILED')['jobSummaryList'][0]
    assert job['jobName'] == 'hello' and job['container']['exitCode'] == 7


def test_a_detached_submission_prints_the_id(server):
    result = server.cli('submit', '--detach', '--', 'echo', 'later', check=0)
    job = re.search(r'[0-9a-f-]{36}', result.stdout)[0]
    assert server.wait(job)['status'] == 'SUCCEEDED'
    assert server.cli('logs', job, check=0).stdout.splitlines() == ['later']


def test_jobs_are_shown_as_a_table_and_as_json(server):
    first = server.run('true')['jobId']
    waiting = server.submit(server.define('huge', vcpus=100000), name='waiting-one')
    server.wait(waiting, 'RUNNABLE')
    text = server.cli('jobs', check=0).stdout
    assert 'waiting-one' in text and 'RUNNABLE' in text
    found = json.loads(server.cli('jobs', '--json', check=0).stdout)
    found = found['jobs'] if isinstance(found, dict) else found
    assert {job['jobId']: job['status'] for job in found} == {first: 'SUCCEEDED', waiting: 'RUNNABLE'}


def test_logs_follow_until_the_job_ends(server):
    gate = server.work / 'gate'
    job = server.run(f'echo one; while [ ! -e {gate} ]; do sleep 0.05; done; echo two', wait=False)
    server.wait(job, 'RUNNING')
    out = server.work / 'out'
    with open(out, 'wb') as file:
        follow = subprocess.Popen([server.stoker, 'logs', '-f', job], stdout=file, stderr=subprocess.STDOUT, env=server.client_environment())
    wait_for(lambda: out.read_text().splitlines() == ['one'], what=out.read_text)
    gate.touch()
    assert follow.wait(20) == 0 and out.read_text().splitlines() == ['one', 'two']


def test_cancel_ends_a_job_whatever_it_does(server):
    running = server.run('sleep 600', wait=False)
    server.wait(running, 'RUNNING')
    waiting = server.submit(server.define('huge', vcpus=100000))
    for job in (running, waiting):
        server.cli('cancel', job, check=0)
        assert server.wait(job)['status'] == 'FAILED'
    unknown = server.cli('cancel', '00000000-0000-4000-8000-000000000000')
    assert unknown.returncode == 4 and 'no' in unknown.stderr.lower()


def test_explain_says_what_is_short(gpus):
    gate = gpus.work / 'gate'
    holder = gpus.submit(gpus.define('holder', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done'), gpus=4), name='holder-of-all')
    gpus.wait(holder, 'RUNNING')
    waiting = gpus.submit(gpus.define('train', gpus=1))
    gpus.wait(waiting, 'RUNNABLE')
    wait_for(lambda: gpus.job(waiting).get('statusReason'))
    text = gpus.cli('explain', waiting, check=0).stdout
    assert 'GPU' in text and 'RUNNABLE' in text, text
    assert json.loads(gpus.cli('explain', '--json', waiting, check=0).stdout)
    dependent = gpus.submit(gpus.define('after'), dependsOn=[{'jobId': waiting}])
    assert waiting[:8] in gpus.cli('explain', dependent, check=0).stdout
    gate.touch()
    gpus.wait(waiting)


def test_explain_says_for_whom_a_node_is_kept(gpus):
    gate = gpus.work / 'second-gate'
    holder = gpus.submit(gpus.define('one', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done'), gpus=1))
    gpus.wait(holder, 'RUNNING')
    head = gpus.submit(gpus.define('all', gpus=4))
    behind = gpus.submit(gpus.define('small', gpus=1))
    wait_for(lambda: 'is kept' in gpus.job(behind).get('statusReason', ''))
    assert f'is kept for {head[:8]}' in gpus.cli('explain', behind, check=0).stdout
    gate.touch()
    gpus.wait(behind)


def test_what_has_no_policy_has_no_priority(gpus):
    waiting = gpus.submit(gpus.define('never', gpus=9))
    said = gpus.cli('update', waiting, '--priority', '5', check=5).stderr
    assert 'job queue default has no scheduling policy' in said and 'submitted to' not in said
    gpus.cli('cancel', waiting, check=0)


def test_parts_of_gpus_are_shown_as_they_were_asked_for(gpus):
    half, part = (gpus.submit(gpus.define(name, gpus=value)) for name, value in (('half', '0.5'), ('mig', '3x1g.10gb')))
    rows = {row.split()[0]: row.split() for row in gpus.cli('jobs', '--all', check=0).stdout.splitlines()}
    assert '0.5' in rows[half[:8]] and '3x1g.10gb' in rows[part[:8]]
    assert 'no job has the id' in gpus.cli('update', half + '#0', '--queue', 'default', check=4).stderr
    gpus.cli('cancel', part, check=0)


def test_submit_with_a_gpu_gets_one(gpus):
    result = gpus.cli('submit', '--gpus', '1', '--', 'sh', '-c', 'echo gpu $NVIDIA_VISIBLE_DEVICES', check=0)
    assert re.search(r'gpu GPU-\w', result.stdout), result.stdout


def test_top_prints_once_where_there_is_no_terminal(gpus):
    text = ''

    def shows_the_node():  # which may connect only after the first request was answered
        nonlocal text
        text = gpus.cli('top', timeout=20).stdout
        return 'local' in text
    wait_for(shows_the_node, what=lambda: text)
    assert 'A10G' in text, text


def test_scripts_can_tell_what_went_wrong(server, tmp_path):
    assert server.cli('submit').returncode == 2
    assert server.cli('nonsense').returncode == 2
    assert server.cli('logs', '00000000-0000-4000-8000-000000000000').returncode == 4
    environment = {**server.client_environment(), 'AWS_ENDPOINT_URL': 'http://127.0.0.1:9', 'STOKER_ENDPOINT': 'http://127.0.0.1:9'}
    result = subprocess.run([server.stoker, 'jobs'], env=environment, capture_output=True, text=True, timeout=20, cwd=tmp_path)
    assert result.returncode == 3 and '127.0.0.1:9' in result.stderr


@pytest.mark.parametrize('command', ['serve', 'node', 'submit', 'jobs', 'logs', 'cancel', 'update', 'explain', 'top'])
def test_every_command_explains_itself(shared, command):
    text = shared.cli(command, '--help', check=0).stdout
    assert len(text.splitlines()) > 5 and command in text


def test_the_version_and_the_completion_are_printed(shared):
    assert re.search(r'\d+\.\d+', shared.cli('--version', check=0).stdout)
    script = shared.cli('completion', 'bash', check=0).stdout
    result = subprocess.run(['bash', '-n'], input=script, text=True, capture_output=True)
    assert result.returncode == 0 and 'stoker' in script


def test_costs_of_a_machine_with_a_price_are_split_among_its_jobs(make_server):
    server = make_server('--cpus', '4', '--node-price', '3600')  # a dollar a second
    gate = server.work / 'gate'
    job = server.run(f'while [ ! -e {gate} ]; do sleep 0.05; done', wait=False, submit={'name': 'dear'}, vcpus=4)
    server.wait(job, 'RUNNING')

    def costs(by):
        return json.loads(server.cli('costs', '--by', by, '--json', check=0).stdout)

    def work():
        return {row['queue']: float(row['work']) for row in costs('queue')['costs']}.get('default', 0)

    wait_for(lambda: work() > 0.2)  # what runs has a cost already
    gate.touch()
    server.wait(job)
    rows = costs('day,queue')
    micros = [sum(round(float(row[kind]) * 1e6) for kind in ('work', 'warmUp', 'idle', 'waste', 'credit')) for row in rows['costs']]
    assert micros == [round(float(row['total']) * 1e6) for row in rows['costs']]
    assert sum(micros) == round(float(rows['total']['total']) * 1e6)
    both = json.loads(server.cli('costs', '--json', '--focus', check=0).stdout)
    focus = list(csv.DictReader(io.StringIO(both['focus'])))
    assert sum(Decimal(row['BilledCost']) for row in focus) == Decimal(both['total']['total']) > 0
    assert {row['x_Queue'] for row in focus} >= {'default'} and {row['ChargeCategory'] for row in focus} == {'Usage'}
    assert server.cli('costs', '--focus', check=0).stdout.startswith('BilledCost,EffectiveCost,')
    line = next(line for line in server.cli('jobs', '--cost', check=0).stdout.splitlines() if 'dear' in line)
    assert re.search(r'~\d+\.\d+', line), line  # its column is there
    assert 'It cost' in server.cli('explain', job, check=0).stdout
    free = make_server()
    free.run('true')
    assert json.loads(free.cli('costs', '--json', check=0).stdout)['costs'] == []


def test_what_is_idle_beside_a_job_is_paid_as_its_environment_says(make_server):
    server = make_server('--cpus', '4', '--node-price', '3600')
    gate = server.work / 'gate'
    job = server.run(f'while [ ! -e {gate} ]; do sleep 0.05; done', wait=False, vcpus=1)
    server.wait(job, 'RUNNING')
    local = server.batch.describe_compute_environments(computeEnvironments=['local'])['computeEnvironments'][0]['computeEnvironmentArn']

    def idle():
        rows = json.loads(server.cli('costs', '--json', check=0).stdout)['costs']
        return {queue: sum(Decimal(row['idle']) for row in rows if row['queue'] == queue) for queue in ('', 'default')}

    start = idle()['']
    wait_for(lambda: idle()[''] > start + Decimal('0.5'))
    assert idle()['default'] == 0
    with pytest.raises(server.batch.exceptions.ClientException, match='environment or proportional'):
        server.batch.tag_resource(resourceArn=local, tags={'stoker:idle-cost': 'somebody'})
    server.batch.tag_resource(resourceArn=local, tags={'stoker:idle-cost': 'proportional'})
    assert idle()['default'] >= Decimal('0.5')
    assert 'of what was idle beside it' in server.cli('explain', job, check=0).stdout
    gate.touch()
    server.wait(job)
    ended = idle()
    wait_for(lambda: idle()[''] > ended[''] + Decimal('0.5'))  # nothing runs, and nobody else keeps this machine
    assert abs(idle()['default'] - ended['default']) < Decimal('0.00001')
    focus = list(csv.DictReader(io.StringIO(server.cli('costs', '--focus', check=0).stdout)))
    assert {row['x_Queue'] for row in focus if row['x_Kind'] == 'idle'} == {'', 'default'}

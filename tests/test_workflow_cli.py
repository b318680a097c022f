"""Workflows by the stoker command: run, executions, history, stop, redrive, validate."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest
from support import DEADLINE, sh, wait_for

JOB = 'arn:aws:states:::batch:submitJob.sync'


def machine(*states, **more):
    """A chain of states as (name, members); the last one ends it."""
    names = [name for name, _ in states] + [None]
    chain = {name: {**members, **({'Next': following} if following else {} if members['Type'] in ('Fail', 'Succeed') else {'End': True})}
             for (name, members), following in zip(states, names[1:])}
    return {'StartAt': names[0], 'States': chain, **more}


def write(server, definition, name='work.asl.json'):
    file = server.work / name
    file.write_text(definition if isinstance(definition, str) else json.dumps(definition, indent=2))
    return file


def job_state(definition, **members):
    return {'Type': 'Task', 'Resource': JOB,
            'Parameters': {'JobName': 'work', 'JobQueue': 'default', 'JobDefinition': definition}, **members}


def run(server, file, *arguments, **options):
    """Starts `stoker run` and goes on."""
    return subprocess.Popen([server.stoker, 'run', str(file), *arguments], env=server.client_environment(), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, cwd=server.folder, **options)


def executions(server, *arguments):
    return json.loads(server.cli('executions', '--json', *arguments, check=0).stdout)


def test_run_prints_the_output_and_nothing_else_on_standard_output(server):
    file = write(server, machine(('Greet', {'Type': 'Pass', 'Result': {'hello': 'you'}, 'ResultPath': '$.said'})))
    result = server.cli('run', file, '--input', '{"n": 1}', check=0)
    assert json.loads(result.stdout) == {'n': 1, 'said': {'hello': 'you'}}
    assert 'Greet: pass' in result.stderr
    (execution,) = executions(server)
    assert execution['status'] == 'SUCCEEDED' and ':execution:work:' in execution['executionArn']


def test_input_may_come_from_a_file_or_from_standard_input(server):
    file = write(server, machine(('Same', {'Type': 'Pass'})))
    given = write(server, '{"from": "file"}', 'given.json')
    assert json.loads(server.cli('run', file, '--input', f'@{given}', check=0).stdout) == {'from': 'file'}
    assert json.loads(server.cli('run', file, '--input', '-', input='["stdin"]', check=0).stdout) == ['stdin']
    assert server.cli('run', file, '--input', '{').returncode == 2


def test_running_a_file_again_updates_the_machine_only_when_it_has_changed(server):
    states = server.client('stepfunctions')
    first = write(server, machine(('A', {'Type': 'Pass'})))
    server.cli('run', first, check=0)
    server.cli('run', first, check=0)
    (arn,) = [one['stateMachineArn'] for one in states.list_state_machines()['stateMachines']]
    assert 'revisionId' not in states.describe_state_machine(stateMachineArn=arn)
    server.cli('run', write(server, machine(('B', {'Type': 'Pass', 'Result': 2}))), check=0)
    assert 'B' in json.loads(states.describe_state_machine(stateMachineArn=arn)['definition'])['States']


def test_a_workflow_that_fails_says_why(server):
    file = write(server, machine(('Give up', {'Type': 'Fail', 'Error': 'Bad.Luck', 'Cause': 'the dice'})))
    result = server.cli('run', file, check=1)
    assert result.stdout == '' and 'Bad.Luck: the dice' in result.stderr
    described = json.loads(server.cli('run', file, '--json', check=1).stdout)
    assert (described['status'], described['error']) == ('FAILED', 'Bad.Luck')


def test_faults_of_a_definition_come_with_their_lines(server):
    file = write(server, '{\n  "StartAt": "A",\n  "States": {\n    "A": {\n      "Type": "Pass",\n      "Next": "B"\n    }\n  }\n}\n')
    result = server.cli('validate', file, check=1)
    assert re.match(rf'{file}:6: error: MISSING_TRANSITION_TARGET: ', result.stdout), result.stdout
    refused = server.cli('run', file, check=5)
    assert f'{file}:6: error: ' in refused.stderr
    broken = write(server, '{\n "StartAt": oops\n}')
    assert f'{broken}:2: error: INVALID_JSON' in server.cli('validate', broken, check=1).stdout
    assert server.cli('validate', write(server, machine(('A', {'Type': 'Pass'}))), check=0).stdout == ''
    assert server.cli('validate', server.work / 'nowhere').returncode == 2


def test_history_and_executions_are_readable(server):
    branches = [machine((name, {'Type': 'Pass'})) for name in ('Left', 'Right')]
    file = write(server, machine(('Both', {'Type': 'Parallel', 'Branches': branches}), ('Last', {'Type': 'Pass'})))
    server.cli('run', file, '--name', 'monday', check=0)
    lines = server.cli('history', 'monday', check=0).stdout.splitlines()
    assert lines[0].split() == ['ID', 'AT', 'STATE', 'EVENT', 'DETAILS']
    text = '\n'.join(lines)
    assert re.search(r'Both\[1\]/Right +PassStateEntered', text) and re.search(r'Last +PassStateExited', text), text
    assert lines[-1].split()[0] == str(len(lines) - 1) and 'ExecutionSucceeded' in lines[-1]
    assert server.cli('history', 'mon', '--reverse', check=0).stdout.splitlines()[1] == lines[-1]
    events = json.loads(server.cli('history', 'work', '--json', check=0).stdout)
    assert [event['id'] for event in events] == list(range(1, len(lines)))
    assert re.search(r'monday +work +SUCCEEDED', server.cli('executions', check=0).stdout)
    assert server.cli('executions', '--names', '--machine', 'work', check=0).stdout == 'monday\n'
    assert server.cli('history', 'tuesday').returncode == 4


def test_a_detached_execution_can_be_followed_and_stopped(server):
    file = write(server, machine(('Long', {'Type': 'Wait', 'Seconds': 3600})))
    arn = server.cli('run', '--detach', file, '--name', 'slow', check=0).stdout.strip()
    assert arn.endswith(':execution:work:slow')
    follow = subprocess.Popen([server.stoker, 'history', '-f', 'slow'], env=server.client_environment(), stderr=subprocess.PIPE, text=True)
    assert 'Long: wait' in follow.stderr.readline()
    assert 'slow is stopped' in server.cli('stop', 'slow', '--cause', 'enough', check=0).stdout
    assert follow.wait(DEADLINE) == 1 and 'enough' in follow.stderr.read()
    assert 'had already ended (ABORTED)' in server.cli('stop', 'slow', check=0).stdout


def test_an_interrupt_stops_the_execution_and_its_job(server):
    file = write(server, machine(('Long', job_state(server.define('long', ('sleep', '600'))))))
    process = run(server, file)
    (job,) = wait_for(lambda: server.ids(jobQueue='default', jobStatus='RUNNING'), what='the job to run')
    (execution,) = executions(server, '--status', 'RUNNING')
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130 and 'ABORTED' in err, err
    states = server.client('stepfunctions')
    assert states.describe_execution(executionArn=execution['executionArn'])['status'] == 'ABORTED'
    assert server.wait(job)['status'] == 'FAILED'


def test_following_outlives_a_restart_of_the_server(server):
    gate = server.work / 'gate'
    file = write(server, machine(('Wait', job_state(server.define('gate', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done')))),
                                 ('End', {'Type': 'Pass', 'Result': 'done'})))
    address = server.address
    process = run(server, file)
    wait_for(lambda: server.ids(jobQueue='default', jobStatus='RUNNING'), what='the job to run')
    server.terminate()
    server.start('--listen', address.removeprefix('http://'))
    gate.touch()
    out, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0 and json.loads(out) == 'done', err
    assert 'the server is back' in err, err


def test_a_failed_job_is_tried_again_and_then_named(server):
    once = server.work / 'once'
    flaky = server.define('flaky', sh(f'test -e {once} || {{ touch {once}; exit 3; }}'))
    again = [{'ErrorEquals': ['States.TaskFailed'], 'IntervalSeconds': 1, 'MaxAttempts': 1}]
    result = server.cli('run', write(server, machine(('Fit', job_state(flaky, Retry=again, ResultPath=None)))), check=0)
    assert re.search(r'Fit: failed: States.TaskFailed: job [0-9a-f]{8}: exit 3\n', result.stderr), result.stderr
    assert 'Fit: try 2' in result.stderr, result.stderr
    broken = server.define('broken', sh('echo no more; exit 7'))
    result = server.cli('run', write(server, machine(('Fit', job_state(broken)))), check=1)
    job = re.search(r'FAILED after .*: States.TaskFailed: job ([0-9a-f]{8}): exit 7', result.stderr)[1]
    assert f'stoker logs {job}' in result.stderr
    assert server.cli('logs', job, check=0).stdout == 'no more\n'


def test_redrive_goes_on_where_it_failed(server):
    gate, ran = server.work / 'gate', server.work / 'ran'
    file = write(server, machine(('First', job_state(server.define('first', sh(f'echo once >> {ran}')))),
                                 ('Second', job_state(server.define('second', sh(f'test -e {gate}')), ResultPath=None)),
                                 ('Last', {'Type': 'Pass', 'Result': 'done'})))
    result = server.cli('run', file, '--name', 'monday', check=1)
    assert 'stoker redrive monday' in result.stderr
    gate.touch()
    result = server.cli('redrive', 'monday', check=0)
    assert json.loads(result.stdout) == 'done' and 'Second: task, visit 2' in result.stderr
    assert ran.read_text() == 'once\n'
    assert server.cli('redrive', 'monday').returncode == 5


def on_terminal(server, *arguments, columns=160, rows=30, meanwhile=None):
    """Runs the command with a terminal for everything: (exit status, all it has written). `meanwhile` is called with what there is."""
    pid, terminal = pty.fork()
    if pid == 0:
        environment = {**server.client_environment(), 'TERM': 'xterm', 'NO_COLOR': '1'}
        os.chdir(server.folder)
        os.execvpe(server.stoker, [server.stoker, *map(str, arguments)], environment)
    import fcntl
    import struct
    import termios
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    written, end = b'', time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            written += piece
        if meanwhile:
            meanwhile(written.decode(errors='replace'))
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), written.decode(errors='replace')


def test_a_terminal_shows_a_tree_with_the_reason_why_jobs_wait(server):
    gate = server.work / 'gate'
    huge = server.define('huge', vcpus=100000)
    branches = [machine(('Quick', {'Type': 'Pass'})), machine(('Stuck', job_state(huge)))]
    file = write(server, machine(('Both', {'Type': 'Parallel', 'Branches': branches})))

    def stop(text):
        if re.search(r'\[1\] Stuck +Task +RUNNING .*job [0-9a-f]{8} RUNNABLE: .*vCPU', text) and not gate.exists():
            gate.touch()
            server.cli('stop', 'work', check=0)

    status, text = on_terminal(server, 'run', file, meanwhile=stop)
    assert status == 1, text[-2000:]
    assert re.search(r'\[0\] Quick +Pass +SUCCEEDED', text) and re.search(r'\[1\] Stuck +Task +ABORTED', text), text[-2000:]
    assert text.endswith('\x1b[?25h' + text.rsplit('\x1b[?25h', 1)[1]) and 'ABORTED after' in text.rsplit('\x1b[?25h', 1)[1]


@pytest.mark.parametrize('command', ['run', 'executions', 'history', 'stop', 'redrive', 'validate'])
def test_every_command_explains_itself(shared, command):
    text = shared.cli(command, '--help', check=0).stdout
    assert len(text.splitlines()) > 10 and 'EXIT STATUS' in text and f'stoker {command}' in text

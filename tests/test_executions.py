"""Executions through boto3: what runs, what is told of it, and what a crash may not do."""
import json
import threading
import time

import pytest
from support import refused, sh, wait_for

ROLE = 'arn:aws:iam::000000000000:role/any'
HOWS = pytest.mark.parametrize('how', ['terminate', 'kill'])


def make(sfn, name, states, start=None, **members):
    definition = json.dumps({'StartAt': start or next(iter(states)), 'States': states})
    return sfn.create_state_machine(name=name, definition=definition, roleArn=ROLE, **members)['stateMachineArn']


def run(sfn, machine, input='{}', name=None):
    return sfn.start_execution(stateMachineArn=machine, input=input, **({'name': name} if name else {}))['executionArn']


def ended(sfn, execution):
    def there():
        seen = sfn.describe_execution(executionArn=execution)
        return seen if seen['status'] != 'RUNNING' else None
    return wait_for(there, what=lambda: f'the end of {execution}: {types(sfn, execution)}')


def types(sfn, execution):
    return [event['type'] for event in history(sfn, execution)]


def history(sfn, execution):
    pages = sfn.get_paginator('get_execution_history').paginate(executionArn=execution, PaginationConfig={'PageSize': 50})
    return [event for page in pages for event in page['events']]


def check_history(events):
    """Ids without gaps, every previous event an earlier one."""
    assert [event['id'] for event in events] == list(range(1, len(events) + 1))
    assert all(event['previousEventId'] < event['id'] for event in events)


def test_a_pass_and_a_choice(server):
    sfn = server.sfn
    machine = make(sfn, 'small', {
        'Add': {'Type': 'Pass', 'Result': 7, 'ResultPath': '$.n', 'Next': 'Large'},
        'Large': {'Type': 'Choice', 'Choices': [{'Variable': '$.n', 'NumericGreaterThan': 5, 'Next': 'Yes'}], 'Default': 'No'},
        'Yes': {'Type': 'Succeed'}, 'No': {'Type': 'Fail', 'Error': 'TooSmall'}})
    seen = ended(sfn, run(sfn, machine, '{"a": 1}'))
    assert seen['status'] == 'SUCCEEDED' and json.loads(seen['output']) == {'a': 1, 'n': 7}
    events = history(sfn, seen['executionArn'])
    check_history(events)
    assert types(sfn, seen['executionArn'])[-1] == 'ExecutionSucceeded'
    back = sfn.get_execution_history(executionArn=seen['executionArn'], reverseOrder=True, maxResults=2)
    assert [event['id'] for event in back['events']] == [len(events), len(events) - 1] and back['nextToken']


def test_a_batch_job_is_a_task(server):
    server.define('train', sh('echo trained; exit ${CODE:-0}'))
    sfn = server.sfn
    machine = make(sfn, 'train', {'Train': {
        'Type': 'Task', 'Resource': 'arn:aws:states:::batch:submitJob.sync', 'End': True,
        'Parameters': {'JobName': 'train', 'JobQueue': 'default', 'JobDefinition': 'train',
                       'ContainerOverrides': {'Environment': [{'Name': 'CODE', 'Value.$': '$.code'}]}}}})
    good = ended(sfn, run(sfn, machine, '{"code": "0"}'))
    job = json.loads(good['output'])
    assert good['status'] == 'SUCCEEDED' and job['Status'] == 'SUCCEEDED' and job['Container']['ExitCode'] == 0
    assert {'Name': 'MANAGED_BY_AWS', 'Value': 'STARTED_BY_STEP_FUNCTIONS'} in job['Container']['Environment']
    assert types(sfn, good['executionArn'])[2:6] == ['TaskScheduled', 'TaskStarted', 'TaskSubmitted', 'TaskSucceeded']
    bad = ended(sfn, run(sfn, machine, '{"code": "3"}'))
    assert bad['status'] == 'FAILED' and bad['error'] == 'States.TaskFailed'
    assert json.loads(bad['cause'])['Container']['ExitCode'] == 3
    wrong = ended(sfn, run(sfn, machine, '{"code": 3}'))
    assert wrong['error'] == 'States.Runtime' and "The value for the field 'Value' must be a STRING" in wrong['cause']


def test_a_refused_submission_names_the_exception(server):
    sfn = server.sfn
    machine = make(sfn, 'nowhere', {'Train': {
        'Type': 'Task', 'Resource': 'arn:aws:states:::batch:submitJob.sync', 'End': True,
        'Parameters': {'JobName': 'train', 'JobQueue': 'none', 'JobDefinition': 'none'}}})
    seen = ended(sfn, run(sfn, machine))
    assert seen['error'] == 'Batch.ClientException' and 'Error Code: ClientException' in seen['cause']
    assert 'TaskSubmitFailed' in types(sfn, seen['executionArn'])


def test_stopping_an_execution_ends_its_job(server):
    server.define('long', ['sleep', '600'])
    sfn = server.sfn
    machine = make(sfn, 'long', {'Train': {
        'Type': 'Task', 'Resource': 'arn:aws:states:::batch:submitJob.sync', 'End': True,
        'Parameters': {'JobName': 'long', 'JobQueue': 'default', 'JobDefinition': 'long'}}})
    execution = run(sfn, machine)
    submitted = wait_for(lambda: [e for e in history(sfn, execution) if e['type'] == 'TaskSubmitted'])[0]
    job = json.loads(submitted['taskSubmittedEventDetails']['output'])['JobId']
    server.wait(job, 'RUNNING')
    sfn.stop_execution(executionArn=execution, error='Enough', cause='of it')
    assert ended(sfn, execution)['status'] == 'ABORTED'
    assert server.wait(job)['status'] == 'FAILED'


def test_a_worker_polls_before_the_task_is_there(server):
    sfn = server.client('stepfunctions')
    activity = sfn.create_activity(name='work')['activityArn']
    machine = make(sfn, 'activity', {'Ask': {'Type': 'Task', 'Resource': activity, 'TimeoutSeconds': 60, 'End': True}})
    given = {}
    worker = threading.Thread(target=lambda: given.update(server.client('stepfunctions').get_activity_task(
        activityArn=activity, workerName='w')))
    worker.start()
    execution = run(sfn, machine, '{"question": 6}')
    worker.join(30)
    assert json.loads(given['input']) == {'question': 6}
    sfn.send_task_heartbeat(taskToken=given['taskToken'])
    sfn.send_task_success(taskToken=given['taskToken'], output='{"answer": 42}')
    assert json.loads(ended(sfn, execution)['output']) == {'answer': 42}
    refused(sfn.send_task_success, 'Task Timed Out', code='TaskTimedOut', taskToken=given['taskToken'], output='{}')


def test_our_own_apis_through_the_sdk_integrations(server):
    server.define('quick')
    sfn = server.sfn
    machine = make(sfn, 'sdk', {
        'Submit': {'Type': 'Task', 'Resource': 'arn:aws:states:::aws-sdk:batch:submitJob', 'Next': 'Look', 'ResultPath': '$.job',
                   'Parameters': {'JobName': 'quick', 'JobQueue': 'default', 'JobDefinition': 'quick'}},
        'Look': {'Type': 'Task', 'Resource': 'arn:aws:states:::aws-sdk:batch:describeJobs', 'End': True,
                 'Parameters': {'Jobs.$': 'States.Array($.job.JobId)'}}})
    seen = ended(sfn, run(sfn, machine))
    assert json.loads(seen['output'])['Jobs'][0]['JobName'] == 'quick'


def test_an_express_execution_answers_at_its_end(server):
    sfn = server.client('stepfunctions', inject_host_prefix=False)
    machine = make(sfn, 'express', {'A': {'Type': 'Wait', 'Seconds': 1, 'Next': 'B'}, 'B': {'Type': 'Pass', 'Result': 1, 'End': True}},
                   type='EXPRESS')
    seen = sfn.start_sync_execution(stateMachineArn=machine, input='{}')
    assert seen['status'] == 'SUCCEEDED' and seen['output'] == '1'


@HOWS
def test_executions_go_on_where_they_were(server, how):
    sfn = server.sfn
    activity = sfn.create_activity(name='work')['activityArn']
    asking = make(sfn, 'asking', {'Ask': {'Type': 'Task', 'Resource': activity, 'End': True}})
    waiting = make(sfn, 'waiting', {'W': {'Type': 'Wait', 'Seconds': 2, 'End': True}})
    asked, waited = run(sfn, asking), run(sfn, waiting)
    token = sfn.get_activity_task(activityArn=activity)['taskToken']
    server.restart(how)
    sfn = server.sfn
    sfn.send_task_success(taskToken=token, output='"kept"')
    assert ended(sfn, asked)['output'] == '"kept"'
    assert ended(sfn, waited)['status'] == 'SUCCEEDED'
    check_history(history(sfn, asked))
    assert types(sfn, waited) == ['ExecutionStarted', 'WaitStateEntered', 'WaitStateExited', 'ExecutionSucceeded']


@HOWS
def test_a_timer_that_fell_due_while_the_server_was_away_fires_at_once(server, how):
    sfn = server.sfn
    execution = run(sfn, make(sfn, 'waiting', {'W': {'Type': 'Wait', 'Seconds': 1, 'End': True}}))
    getattr(server, how)()
    due = time.monotonic() + 1.2
    wait_for(lambda: time.monotonic() > due)
    server.start()
    assert ended(server.sfn, execution)['status'] == 'SUCCEEDED'


def test_redrive_does_not_repeat_what_succeeded(server):
    gate = server.work / 'gate'
    server.define('once', sh(f'echo x >> {server.work}/first'))
    server.define('gated', sh(f'test -e {gate}'))
    sfn = server.sfn
    step = {'Type': 'Task', 'Resource': 'arn:aws:states:::batch:submitJob.sync'}
    machine = make(sfn, 'two', {
        'First': {**step, 'Next': 'Second', 'Parameters': {'JobName': 'a', 'JobQueue': 'default', 'JobDefinition': 'once'}},
        'Second': {**step, 'End': True, 'Parameters': {'JobName': 'b', 'JobQueue': 'default', 'JobDefinition': 'gated'}}})
    execution = run(sfn, machine)
    assert ended(sfn, execution)['status'] == 'FAILED'
    gate.touch()
    sfn.redrive_execution(executionArn=execution)
    seen = ended(sfn, execution)
    assert seen['status'] == 'SUCCEEDED' and seen['redriveCount'] == 1
    assert (server.work / 'first').read_text() == 'x\n'
    check_history(history(sfn, execution))

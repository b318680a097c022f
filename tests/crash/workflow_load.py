"""Executions of random kinds for the crash test, and what must be true of them in the end."""
import collections
import heapq
import http.client
import json
import socket
import threading
import time

from support import sh, wait_for

ROLE = 'arn:aws:iam::000000000000:role/any'
PREFIX = 'arn:aws:states:us-east-1:000000000000:'
SLACK = 3.0  # seconds that a timer may be late on a machine that is busy killing servers
RETRY = {'IntervalSeconds': 1, 'BackoffRate': 1.5, 'MaxAttempts': 3}
# A worker that was killed with the server never learns of its task: the time-out hands it to another one.
ASK_AGAIN = {'ErrorEquals': ['States.Timeout'], 'IntervalSeconds': 1, 'BackoffRate': 1.0, 'MaxAttempts': 100}


def task(resource, arguments, **members):
    return {'Type': 'Task', 'Resource': f'arn:aws:states:::{resource}', 'Parameters': arguments, **members}


def job(code, index=None, **members):
    """A job that notes its try in a file of its own and exits with the value of the shell words `code`."""
    name = "States.Format('{}-{}-{}-{}', $$.Execution.Name, $$.State.Name, $$.State.RetryCount, %s)" % (index or "'x'")
    return task('batch:submitJob.sync', {
        'JobName': 'task', 'JobQueue': 'default', 'JobDefinition': 'task',
        'ContainerOverrides': {'Environment': [
            {'Name': 'TRY', 'Value.$': name}, {'Name': 'CODE', 'Value': code},
            {'Name': 'COUNT', 'Value.$': "States.Format('{}', $$.State.RetryCount)"}]}}, **members)


def nested(form, machine, name=False, **parameters):
    arguments = {'StateMachineArn': f'{PREFIX}stateMachine:{machine}', 'Input': parameters}
    if name:
        arguments['Name.$'] = "States.Format('{}-child', $$.Execution.Name)"
    return task(f'states:startExecution.{form}', arguments)


def machine(start, **states):
    return {'StartAt': start, 'States': states}


PASS, WAIT = {'Type': 'Pass', 'End': True}, {'Type': 'Wait', 'Seconds': 1}
DISTRIBUTED = {'ProcessorConfig': {'Mode': 'DISTRIBUTED', 'ExecutionType': 'STANDARD'}}

# name -> (definition, how it must end, how often each state must be entered, how often each job must run: the end of its file's name)
KINDS = {
    'pure': (machine('First',
                     First={'Type': 'Pass', 'Result': {'items': [1, 2, 3]}, 'Next': 'Which'},
                     Which={'Type': 'Choice', 'Choices': [{'Variable': '$.items[0]', 'NumericEquals': 1, 'Next': 'Nap'}], 'Default': 'Wrong'},
                     Nap={**WAIT, 'Next': 'Each'},
                     Each={'Type': 'Map', 'ItemsPath': '$.items', 'Next': 'Both', 'MaxConcurrency': 2, 'ItemProcessor':
                           machine('Item', Item={'Type': 'Pass', 'Next': 'ItemNap'}, ItemNap={**WAIT, 'End': True})},
                     Both={'Type': 'Parallel', 'Next': 'Done', 'Branches': [
                         machine('Left', Left=PASS), machine('Right', Right={**WAIT, 'Next': 'RightEnd'}, RightEnd=PASS)]},
                     Done={'Type': 'Succeed'}, Wrong={'Type': 'Fail'}),
             'SUCCEEDED', {'First': 1, 'Which': 1, 'Nap': 1, 'Each': 1, 'Item': 3, 'ItemNap': 3, 'Both': 1, 'Left': 1, 'Right': 1,
                           'RightEnd': 1, 'Done': 1}, []),
    'train': (machine('Train', Train=job('0', End=True)), 'SUCCEEDED', {'Train': 1}, ['Train-0-x']),
    'retrain': (machine('Train', Train=job('$((COUNT < 2))', End=True, Retry=[{'ErrorEquals': ['States.TaskFailed'], **RETRY}])),
                'SUCCEEDED', {'Train': 1}, ['Train-0-x', 'Train-1-x', 'Train-2-x']),
    'sad': (machine('Train', Train=job('3', Next='Sad', Catch=[{'ErrorEquals': ['States.TaskFailed'], 'Next': 'Clean'}]),
                    Clean={'Type': 'Pass', 'Next': 'Sad'}, Sad={'Type': 'Fail', 'Error': 'Sad'}),
            'FAILED', {'Train': 1, 'Clean': 1, 'Sad': 1}, ['Train-0-x']),
    'fan': (machine('Each', Each={'Type': 'Map', 'ItemsPath': '$.items', 'End': True, 'ItemProcessor':
                                  machine('One', One=job('0', '$$.Map.Item.Index', End=True))}),
            'SUCCEEDED', {'Each': 1, 'One': 3}, ['One-0-0', 'One-0-1', 'One-0-2']),
    'ask': (machine('Ask', Ask={'Type': 'Task', 'Resource': f'{PREFIX}activity:ask', 'TimeoutSeconds': 3, 'End': True, 'Retry': [ASK_AGAIN]}),
            'SUCCEEDED', {'Ask': 1}, []),
    'call': (machine('Call', Call={**task('states:startExecution.waitForTaskToken', {
        'StateMachineArn': f'{PREFIX}stateMachine:back', 'Input': {'token.$': '$$.Task.Token'}}), 'End': True}),
             'SUCCEEDED', {'Call': 1}, []),
    'nest': (machine('Nest', Nest={**nested('sync:2', 'pure'), 'End': True}), 'SUCCEEDED', {'Nest': 1}, []),
    'nestjob': (machine('Nest', Nest={**nested('sync', 'train', name=True), 'End': True}), 'SUCCEEDED', {'Nest': 1}, ['child-Train-0-x']),
    'many': (machine('Each', Each={'Type': 'Map', 'ItemsPath': '$.items', 'End': True, 'ItemProcessor':
                                   {**DISTRIBUTED, **machine('Item', Item={'Type': 'Pass', 'Next': 'ItemNap'}, ItemNap={**WAIT, 'End': True})}}),
             'SUCCEEDED', {'Each': 1}, []),
    'stopped': (machine('Both', Both={'Type': 'Parallel', 'End': True, 'Branches': [
        machine('Sleep', Sleep=job('$(sleep 300)', End=True)), machine('Deep', Deep={**nested('sync', 'sleeper'), 'End': True}),
        machine('Ask', Ask={'Type': 'Task', 'Resource': f'{PREFIX}activity:nobody', 'End': True})]}),
                'ABORTED', None, None),
}
# Only started by the others.
HELPERS = {
    # The call may be repeated after a crash, and the token may then be over.
    'back': machine('Back', Back={**task('aws-sdk:sfn:sendTaskSuccess', {'TaskToken.$': '$.token', 'Output': '"called"'}), 'End': True,
                                  'Catch': [{'ErrorEquals': ['Sfn.TaskTimedOutException'], 'Next': 'Late'}]}, Late={'Type': 'Succeed'}),
    'sleeper': machine('Sleep', Sleep=job('$(sleep 300)', End=True)),
}
ENDS_OF_TASKS = ('Succeeded', 'Failed', 'TimedOut', 'SubmitFailed', 'StartFailed', 'ScheduleFailed')


class WorkflowLoad:
    """Starts executions of random kinds until told to stop; what has no answer is asked again under the same name."""

    def __init__(self, server, rng):
        self.server, self.rng = server, rng
        self.executions = {}  # name -> kind
        self.unanswered = 0
        self.failure = None
        self.stops = []  # heap of (when, name): executions to stop
        self.stopping, self.ended = threading.Event(), threading.Event()
        self.polls = [None, None]  # connections of the workers
        (server.work / 'tries').mkdir(exist_ok=True)
        server.define('task', sh(f'echo x >> {server.work}/tries/$TRY; exit $(eval echo $CODE)'), memory=16)
        for name in ('ask', 'nobody'):
            call(server, 'CreateActivity', name=name)
        for name, definition in {**{name: kind[0] for name, kind in KINDS.items()}, **HELPERS}.items():
            call(server, 'CreateStateMachine', name=name, definition=json.dumps(definition), roleArn=ROLE)
        self.threads = [threading.Thread(target=self.guard, args=(self.start_and_stop,))]
        self.threads += [threading.Thread(target=self.guard, args=(self.work, number)) for number in range(len(self.polls))]
        for thread in self.threads:
            thread.start()

    @property
    def answered(self):
        return len(self.executions)

    def guard(self, what, *arguments):
        try:
            what(*arguments)
        except BaseException as error:  # noqa: BLE001  # shown by the test, not by a thread nobody watches
            self.failure = error

    def start_and_stop(self):
        number = 0
        while not self.stopping.is_set() or self.stops:
            while self.stops and (self.stopping.is_set() or self.stops[0][0] <= time.monotonic()):
                self.persist('StopExecution', executionArn=arn(*heapq.heappop(self.stops)[1:]))
            if self.stopping.is_set():
                continue
            kind = self.rng.choice(list(KINDS))
            number += 1
            name = f'{kind}-{id(self) % 100000}-{number}'
            self.persist('StartExecution', 'ExecutionAlreadyExists', stateMachineArn=f'{PREFIX}stateMachine:{kind}', name=name,
                         input='{"items":[1,2,3]}')
            self.executions[name] = kind
            if kind == 'stopped':
                heapq.heappush(self.stops, (time.monotonic() + self.rng.random() * 1.5, kind, name))
            self.stopping.wait(self.rng.random() * 0.12)

    def persist(self, operation, *fine, **members):
        """Asks until there is an answer; errors called fine are one."""
        while True:
            try:
                return call(self.server, operation, *fine, **members)
            except (OSError, http.client.HTTPException):  # the server was just killed
                self.unanswered += 1
                time.sleep(0.01)

    def work(self, number):
        """A worker of the activity `ask`."""
        while not self.ended.is_set():
            try:
                self.polls[number] = http.client.HTTPConnection(self.server.address.removeprefix('http://'), timeout=70)
                given = exchange(self.polls[number], 'GetActivityTask', activityArn=f'{PREFIX}activity:ask', workerName=f'worker {number}')[1]
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
                continue
            finally:
                self.polls[number].close()
            if 'taskToken' in given:
                self.persist('SendTaskSuccess', 'TaskTimedOut', 'TaskDoesNotExist', taskToken=given['taskToken'], output='"told"')

    def stop(self):
        self.stopping.set()
        self.threads[0].join()
        self.show_failure()

    def show_failure(self):
        if self.failure:
            raise self.failure

    def close(self):
        """The workers go home; a poll that waits is cut off."""
        self.stopping.set()
        self.ended.set()
        while any(thread.is_alive() for thread in self.threads):
            for poll in self.polls:
                try:
                    if poll and poll.sock:
                        poll.sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            time.sleep(0.02)
        self.show_failure()


def arn(kind, name):
    return f'{PREFIX}execution:{kind}:{name}'


def exchange(connection, operation, **members):
    connection.request('POST', '/', json.dumps(members), {'content-type': 'application/x-amz-json-1.0',
                                                          'x-amz-target': f'AWSStepFunctions.{operation}'})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read() or b'{}')


def call(server, operation, *fine, **members):
    """One request on a connection of its own: a client of the SDK would take longer to make than the server lives here."""
    connection = http.client.HTTPConnection(server.address.removeprefix('http://'), timeout=70)
    try:
        status, answer = exchange(connection, operation, **members)
    finally:
        connection.close()
    assert status == 200 or answer.get('__type') in fine, (operation, members, status, answer)
    return answer


def pages(server, operation, key, **members):
    found, token = [], {}
    while True:
        answer = call(server, operation, **members, **token)
        found += answer[key]
        if not answer.get('nextToken'):
            return found
        token = {'nextToken': answer['nextToken']}


def running(server):
    """Names of all executions that have not ended, children of map runs apart, by machine."""
    return [one['executionArn'] for name in (*KINDS, *HELPERS)
            for one in pages(server, 'ListExecutions', 'executions', stateMachineArn=f'{PREFIX}stateMachine:{name}', statusFilter='RUNNING')]


def check_everything(server, load, lives, deadline=90):
    """lives: [(from, until)] of the server, in seconds since the epoch; the last one has no end."""
    load.stop()
    try:
        wait_for(lambda: not running(server), deadline, lambda: f'executions that run on: {running(server)[:5]}\n{server.log_tail()}', every=0.5)
    finally:
        load.close()
    problems = []
    for name, kind in load.executions.items():
        _, status, entered, tries = KINDS[kind]
        seen = call(server, 'DescribeExecution', executionArn=arn(kind, name))
        events = pages(server, 'GetExecutionHistory', 'events', executionArn=arn(kind, name), maxResults=1000)
        faults = history_faults(events, seen['status'], lives)
        if seen['status'] != status:
            faults.append(f"is {seen['status']}, wanted {status}: {seen.get('error')} {seen.get('cause', '')[:300]}")
        if entered is not None and entries(events) != entered:
            faults.append(f'entered {entries(events)}, wanted {entered}')
        for end in tries or []:
            file = server.work / 'tries' / f'{name}-{end}'
            lines = file.read_text().split() if file.exists() else []
            if lines != ['x']:
                faults.append(f'the job {end} ran {len(lines)} times')
        problems += [f'{name}: {fault}' for fault in faults]
    problems += [f'{file.name} ran {len(file.read_text().split())} times' for file in (server.work / 'tries').iterdir()
                 if file.read_text().split() != ['x']]
    assert not problems, f'{len(problems)} problems:\n' + '\n'.join(problems[:20])
    no_open_job = lambda: not [job for status in ('SUBMITTED', 'PENDING', 'RUNNABLE', 'STARTING', 'RUNNING')  # noqa: E731
                               for job in server.ids(jobQueue='default', jobStatus=status)]
    wait_for(no_open_job, what=lambda: f'jobs of executions that are over run on\n{server.log_tail()}', every=0.3)


def entries(events):
    return dict(collections.Counter(event['stateEnteredEventDetails']['name'] for event in events if 'stateEnteredEventDetails' in event))


def history_faults(events, status, lives):
    ids = [event['id'] for event in events]
    if ids != list(range(1, len(events) + 1)):
        return [f'ids are not 1 to {len(events)}: {ids[:50]}']
    by_id = {event['id']: event for event in events}
    faults = [f"event {event['id']} follows {event['previousEventId']}" for event in events if not 0 <= event['previousEventId'] < event['id']]
    faults += [f"event {event['id']} is earlier than the one before" for before, event in zip(events, events[1:])
               if event['timestamp'] < before['timestamp']]
    last = {'SUCCEEDED': 'ExecutionSucceeded', 'FAILED': 'ExecutionFailed', 'ABORTED': 'ExecutionAborted', 'TIMED_OUT': 'ExecutionTimedOut'}
    if events[-1]['type'] != last.get(status):
        faults.append(f"{status}, but the last event is {events[-1]['type']}")
    following = collections.defaultdict(list)
    for event in events:
        following[event['previousEventId']].append(event)
    for event in events:
        if event['type'].endswith('Scheduled'):
            faults += try_faults(event, following, status)
        if event['type'] == 'WaitStateExited':
            faults += wait_faults(by_id[event['previousEventId']], event, lives)
        if event['type'] == 'TaskFailed':
            faults += retry_faults(event, following)
    if status == 'SUCCEEDED':
        left = collections.Counter(event['stateExitedEventDetails']['name'] for event in events if 'stateExitedEventDetails' in event)
        if dict(left) != entries(events):
            faults.append(f'entered {entries(events)} but left {dict(left)}')
    return faults


def try_faults(scheduled, following, status):
    """Scheduled → Started → Submitted → one end, each at most once; and to the end where nothing cut it off."""
    kind = scheduled['type'].removesuffix('Scheduled')
    seen, at = [], scheduled
    while True:
        next_ones = [event for event in following[at['id']] if event['type'].startswith(kind)
                     and event['type'].removeprefix(kind) in ('Started', 'Submitted', *ENDS_OF_TASKS)]
        if len(next_ones) > 1:
            return [f"{[event['type'] for event in next_ones]} all follow event {at['id']}"]
        if not next_ones:
            break
        at = next_ones[0]
        seen.append(at['type'].removeprefix(kind))
    if len(set(seen)) != len(seen):
        return [f"the try of event {scheduled['id']} went through {seen}"]
    if status == 'SUCCEEDED' and (not seen or seen[-1] not in ENDS_OF_TASKS):
        return [f"the try of event {scheduled['id']} has no end: {seen}"]
    return []


def retry_faults(failed, following):
    """The first back-off, at least, was waited for."""
    return [f"event {event['id']} tries again {event['timestamp'] - failed['timestamp']:.3f} s after the failure"
            for event in following[failed['id']] if event['type'].endswith('Scheduled')
            and event['timestamp'] - failed['timestamp'] < RETRY['IntervalSeconds'] - 0.01]


def wait_faults(entered, left, lives):
    """Not early; and not later than the first moment at which a server was up for a while."""
    due = entered['timestamp'] + WAIT['Seconds']
    latest = next(max(due, start) for start, end in lives if end is None or end - max(due, start) > SLACK) + SLACK
    if due - 0.01 <= left['timestamp'] <= latest:
        return []
    return [f"a wait until {due:.3f} ended at {left['timestamp']:.3f}, latest {latest:.3f}; the server lived {lives}"]

"""(h) State transitions a second, durable; beside moto's server through the same client; memory of what waits."""
import concurrent.futures
import http.client
import json
import subprocess
import sys
import time

from measure.context import HOME, Skipped
from measure.memory import settled
from measure.server import Server

ROLE = 'arn:aws:iam::000000000000:role/any'
PREFIX = 'arn:aws:states:us-east-1:000000000000:'
CLIENT_SECONDS_MAX = 300
CONNECTIONS = 16  # with as many requests under way


class Case:
    """Executions of one machine: `transitions` are the states that one of them enters, in its children too."""

    def __init__(self, name, definition, executions, transitions, data='{"n":0}'):
        self.name, self.definition, self.executions, self.data = name, definition, executions, data
        self.transitions = executions * transitions


def loop(times):
    """Pass and Choice in turn; 2 * times + 1 transitions, 4 * times + 4 events."""
    return {'StartAt': 'Count', 'States': {
        'Count': {'Type': 'Pass', 'Parameters': {'n.$': 'States.MathAdd($.n, 1)'}, 'Next': 'More'},
        'More': {'Type': 'Choice', 'Choices': [{'Variable': '$.n', 'NumericLessThan': times, 'Next': 'Count'}], 'Default': 'Done'},
        'Done': {'Type': 'Succeed'}}}


def inline_map():
    return {'StartAt': 'Each', 'States': {'Each': {
        'Type': 'Map', 'ItemsPath': '$.items', 'MaxConcurrency': 40, 'End': True, 'ResultPath': None, 'ItemProcessor': {
            'StartAt': 'One', 'States': {'One': {'Type': 'Pass', 'End': True}}}}}}


def distributed_map(items, kind):
    return {'StartAt': 'Each', 'QueryLanguage': 'JSONata', 'States': {'Each': {
        'Type': 'Map', 'Items': f'{{% [1..{items}] %}}', 'End': True, 'Output': '{% $count($states.result) %}', 'ItemProcessor': {
            'ProcessorConfig': {'Mode': 'DISTRIBUTED', 'ExecutionType': kind},
            'StartAt': 'One', 'States': {'One': {'Type': 'Pass', 'Output': 0, 'End': True}}}}}}


def items(count):
    return json.dumps({'items': list(range(count))})


def inside(context):
    """What bench_workflows runs, without the API."""
    size = context.size
    return [
        Case('loops of Pass and Choice, one after another', loop(6000), size(40, 4), 12_001),
        Case('1,000 executions at once, each a loop', loop(100), 1000, 201),
        Case('inline Maps of 5,000 items', inline_map(), size(20, 2), 5_001, items(5000)),
        Case('distributed Map of 10,000 items, standard children', distributed_map(10_000, 'STANDARD'), 1, 10_001),
        Case('distributed Map of 10,000 items, express children', distributed_map(10_000, 'EXPRESS'), 1, 10_001),
        Case('distributed Map of 40,000 items, standard children', distributed_map(size(40_000, 4_000), 'STANDARD'), 1, size(40_001, 4_001)),
    ]


def over_http(context):
    """What the same client asks of both servers. moto counts in hundreds a second."""
    size = context.size
    return [Case('one loop of Pass and Choice', loop(size(5000, 500)), 1, size(10_001, 1001)),
            Case('1,000 executions, each a loop', loop(50), size(1000, 50), 101),
            Case('inline Map of 5,000 items', inline_map(), 1, size(5001, 501), items(size(5000, 500)))]


def measure(context):
    rows = {}
    for case in inside(context):
        for durable in (True, False):
            name = case.name + ('' if durable else ', nothing durable')
            context.say(f'  {name}')
            rows['inside/' + name] = guarded(run_inside, context, case, durable)
    for server in ('stoker', 'moto'):
        rows |= {f'{server}/{name}': row for name, row in through_client(context, server).items()}
    for what in ('Wait', 'activity'):
        context.say(f'  executions that wait: {what}')
        rows['memory/' + what] = guarded(memory, context, what)
    return rows


def guarded(what, *arguments):
    try:
        return what(*arguments)
    except Skipped as why:
        return {'skipped': str(why)}


def run_inside(context, case, durable):
    folder = context.new_folder('workflows')
    (folder / 'definition').write_text(json.dumps(case.definition))
    (folder / 'input').write_text(case.data)
    context.quiet()
    done = context.measure('workflows', folder / 'state' if durable else '-', folder / 'definition', folder / 'input', case.executions)
    return row(case, done['seconds']) | {'cpu_seconds': done['cpu_seconds']}


def row(case, seconds):
    return {'executions': case.executions, 'transitions': case.transitions, 'seconds': seconds,
            'per_second': case.transitions / seconds}


def through_client(context, name):
    context.say(f'  {name}, through a client')
    cases = over_http(context)
    try:
        with (Server(context, '--engine', 'fake') if name == 'stoker' else Moto(context)) as server:
            client, found = Client(server.address), {}
            for number, case in enumerate(cases):
                context.quiet()
                found[case.name] = guarded(client.run, f'm{number}', case)
            return found
    except Skipped as why:
        return {case.name: {'skipped': str(why)} for case in cases}


class Connection:
    """One that stays open; the plainest that both servers take."""

    def __init__(self, address):
        self.http = http.client.HTTPConnection(address, timeout=CLIENT_SECONDS_MAX)

    def call(self, operation, **body):
        self.http.request('POST', '/', json.dumps(body), {
            'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': f'AWSStepFunctions.{operation}',
            'Authorization': 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/states/aws4_request, SignedHeaders=host, Signature=0'})
        answer = self.http.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise Skipped(f'{operation} was refused: {text[:300]!r}')
        return json.loads(text or b'{}')


class Client:
    """Starts executions over many connections and asks over the first one until all have ended."""

    def __init__(self, address):
        self.connections = [Connection(address) for _ in range(CONNECTIONS)]
        self.call = self.connections[0].call

    def start(self, machine, data, count):
        """The ARN of one of them."""
        def some(first):  # with a name: moto calls all those without one alike
            return [self.connections[first].call('StartExecution', stateMachineArn=machine, name=f'e{number}', input=data)['executionArn']
                    for number in range(first, count, CONNECTIONS)]
        with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
            return list(pool.map(some, range(CONNECTIONS)))[0][-1]

    def run(self, name, case):
        machine = self.call('CreateStateMachine', name=name, definition=json.dumps(case.definition), roleArn=ROLE)['stateMachineArn']
        begin = time.monotonic()
        last = self.start(machine, case.data, case.executions)
        while self.call('ListExecutions', stateMachineArn=machine, statusFilter='RUNNING', maxResults=1)['executions']:
            passed = time.monotonic() - begin
            if passed > CLIENT_SECONDS_MAX:
                raise Skipped(f'not done within {CLIENT_SECONDS_MAX} s')
            time.sleep(min(0.05, passed / 200))
        seconds = time.monotonic() - begin
        status = self.call('DescribeExecution', executionArn=last)['status']
        if status != 'SUCCEEDED':
            raise Skipped(f'an execution is {status}')
        return row(case, seconds)


class Moto:
    """moto's server, told to execute state machines, in a virtual environment that is made once."""

    def __init__(self, context):
        home = HOME / 'build' / 'moto'
        python = home / 'bin' / 'python'
        if not (home / 'bin' / 'moto_server').exists():
            for command in ([sys.executable, '-m', 'venv', home], [python, '-m', 'pip', 'install', '--quiet', '--no-input', 'moto[server]']):
                if subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
                    raise Skipped("moto's server cannot be installed")
        log = context.new_folder('moto') / 'log'
        self.process = context.start([python, home / 'bin' / 'moto_server', '-H', '127.0.0.1', '-p', '0'], log)
        self.address = self.wait_for_address(log)
        client = http.client.HTTPConnection(self.address, timeout=60)
        client.request('POST', '/moto-api/config', json.dumps({'stepfunctions': {'execute_state_machine': True}}),
                       {'Content-Type': 'application/json'})
        if client.getresponse().status >= 300:
            raise Skipped('moto does not take its configuration')
        client.close()

    def wait_for_address(self, log):
        until = time.monotonic() + 60
        while time.monotonic() < until and self.process.poll() is None:
            for word in log.read_text(errors='replace').split():
                if word.startswith('http://127.0.0.1:'):
                    return word.removeprefix('http://')
            time.sleep(0.1)
        raise Skipped('moto did not start: ' + log.read_text(errors='replace')[-300:])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def memory(context, what):
    """Bytes of resident memory by execution that waits."""
    waiting = {'Wait': {'Type': 'Wait', 'Seconds': 1_000_000, 'End': True},
               'activity': {'Type': 'Task', 'Resource': f'{PREFIX}activity:nobody', 'End': True}}
    count = context.size(100_000, 10_000)
    with Server(context, '--engine', 'fake') as server:
        client = Client(server.address)
        client.call('CreateActivity', name='nobody')
        client.call('CreateStateMachine', name='waits', definition=json.dumps({'StartAt': 'W', 'States': {'W': waiting[what]}}), roleArn=ROLE)

        def start(number):
            return context.measure('load', 'submit', '--address', server.address, '--target', 'AWSStepFunctions.StartExecution', '--body',
                                   json.dumps({'stateMachineArn': f'{PREFIX}stateMachine:waits', 'input': '{"n":1}'}),
                                   '--requests', number, '--connections', 64)
        start(100)
        base = settled(server)
        done = start(count)
        resident = settled(server)
        return {'executions': count, 'bytes_each': (resident - base) / count, 'resident_mib': resident / 2**20,
                'started_per_second': count / done['submit_seconds']}

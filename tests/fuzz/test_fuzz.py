"""Mutated requests of every operation: each answer is a well-formed AWS error or success, and the server lives on.

A valid request of an operation is built, then its body (as JSON and as bytes), path or headers are changed at random.
`--mutations=100000 --seed=N`; a failure names the seed and shows the request.
"""
import http.client
import json
import random
import time

import botocore.session
import pytest
import workflow_requests

WORDS = ['', ' ', 'a', 'default', 'local', 'work', 'work:1', 'work:0', 'work:-1', 'work:99999999999999999999', 'x' * 129, 'x' * 3000, '\x00',
         'null', '../../etc/passwd', '%00', 'ÄÖÜ', '\ud83d\ude00', 'arn:aws:batch:us-east-1:000000000000:job-queue/default',
         'arn:aws:batch:us-east-1:000000000000:job-definition/work:1', 'arn:', 'arn:aws:batch:::', 'RUNNABLE', 'SUCCEEDED', 'EC2', '*', 'a*', 'Ref::x',
         '00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000:3', '00000000-0000-4000-8000-000000000000#1', '{}', '[]', '"',
         '-1', '0', '1e9', '18446744073709551616', '0.1', 'NaN', '${x}', '<x>', "'; DROP TABLE jobs; --"]
NUMBERS = [0, 1, -1, 2, 100, 101, 1000, 10000, 10001, 2**31 - 1, 2**31, 2**53, 2**63 - 1, 2**63, -2**63, 0.5, 1e308, -0.0, 1e-9]
PLACES = ['/v1/', '/v1/tags/', '/stoker/v1/', '/', '/v2/']


class Shapes:
    """Valid-looking input from the service model, so that mutations start near what the server takes."""

    def __init__(self, rng):
        self.rng = rng
        self.workflows = workflow_requests.Requests(rng)
        loader = botocore.session.get_session()
        self.operations = []
        for service in ('batch', 'stepfunctions', 'logs'):
            model = loader.get_service_model(service)
            for name in model.operation_names:
                operation = model.operation_model(name)
                if service != 'logs' or name in ('GetLogEvents', 'FilterLogEvents', 'DescribeLogStreams', 'DescribeLogGroups', 'StartLiveTail'):
                    self.operations.append((service, operation))

    def value(self, shape, depth=0):
        rng = self.rng
        if shape.type_name == 'structure':
            return {name: (rng.random() < 0.8 and self.workflows.known(name)) or self.value(member, depth + 1)
                    for name, member in shape.members.items()
                    if name in shape.required_members or (depth < 5 and rng.random() < 0.4)}
        if shape.type_name == 'list':
            return [self.value(shape.member, depth + 1) for _ in range(rng.choice([0, 1, 1, 2, 3]))] if depth < 7 else []
        if shape.type_name == 'map':
            return {rng.choice(['a', 'b', 'awslogs-group', 'x' * 20]): self.value(shape.value, depth + 1) for _ in range(rng.choice([0, 1, 2]))}
        if shape.type_name in ('integer', 'long'):
            return rng.choice([0, 1, 2, 60, 100, 1024])
        if shape.type_name in ('float', 'double'):
            return rng.choice([0.5, 1.0, 2.5])
        if shape.type_name == 'boolean':
            return rng.random() < 0.5
        return self.text(shape)

    def text(self, shape):
        rng, name = self.rng, shape.name.lower()
        if shape.enum and rng.random() < 0.9:
            return rng.choice(shape.enum)
        return rng.choice(['default', 'local', 'work', '1', 'host', 'true', 'a'] if 'name' not in name else ['n%d' % rng.randrange(50), 'default', 'work'])

    # Definitions, queues and the like that a submission can really use.
    def near_valid(self, name):
        rng = self.rng
        if name == 'SubmitJob':
            return {'jobName': 'fuzz', 'jobQueue': 'default', 'jobDefinition': rng.choice(['work', 'waits']),
                    **rng.choice([{}, {'arrayProperties': {'size': 3}}, {'parameters': {'a': 'b'}}, {'timeout': {'attemptDurationSeconds': 60}},
                                  {'containerOverrides': {'command': ['true'], 'environment': [{'name': 'A', 'value': 'B'}]}},
                                  {'retryStrategy': {'attempts': 2, 'evaluateOnExit': [{'onExitCode': '1', 'action': 'EXIT'}]}}])}
        if name == 'RegisterJobDefinition':
            return {'jobDefinitionName': f'd{rng.randrange(20)}', 'type': 'container', 'containerProperties': {
                'image': 'host', 'command': ['true'], 'resourceRequirements': [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '16'}]}}
        if name == 'CreateJobQueue':
            return {'jobQueueName': f'q{rng.randrange(20)}', 'priority': 1, 'computeEnvironmentOrder': [{'order': 1, 'computeEnvironment': 'local'}]}
        return self.workflows.near_valid(name)


def mutate(rng, value):
    """The same JSON value with one thing changed somewhere inside."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        name = rng.choice(list(value))
        kind = rng.random()
        changed = dict(value)
        if kind < 0.1:
            del changed[name]
        elif kind < 0.15:
            changed[rng.choice(WORDS)] = changed.pop(name)
        elif kind < 0.2:
            changed[rng.choice(WORDS)] = anything(rng)
        else:
            changed[name] = mutate(rng, value[name])
        return changed
    if isinstance(value, list) and value and rng.random() < 0.8:
        kind, place = rng.random(), rng.randrange(len(value))
        if kind < 0.15:
            return value * rng.choice([2, 20, 60])
        if kind < 0.3:
            return value[:place] + value[place + 1:]
        return value[:place] + [mutate(rng, value[place])] + value[place + 1:]
    return anything(rng)


def anything(rng, depth=0):
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind < 3:
        return rng.choice(WORDS)
    if kind < 5:
        return rng.choice(NUMBERS)
    if kind == 5:
        return rng.choice([None, True, False])
    if kind == 6:
        return [anything(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        return {rng.choice(WORDS): anything(rng, depth + 1) for _ in range(rng.randrange(4))}
    deep = rng.choice(WORDS)
    for _ in range(rng.choice([5, 40, 200])):
        deep = [deep] if rng.random() < 0.5 else {'a': deep}
    return deep


def mutate_bytes(rng, body):
    body = bytearray(body)
    for _ in range(rng.choice([1, 1, 2, 8])):
        kind = rng.randrange(5)
        place = rng.randrange(len(body) + 1)
        if kind == 0 and body:
            body[place % len(body)] = rng.randrange(256)
        elif kind == 1:
            body[place:place] = bytes([rng.randrange(256)]) * rng.choice([1, 1, 10, 1000])
        elif kind == 2:
            del body[place:place + rng.randrange(1, 20)]
        elif kind == 3:
            body = body[:place]
        else:
            body += body[place:]
    return bytes(body[:2_000_000])


def make_request(rng, shapes):
    service, operation = rng.choice(shapes.operations)
    members = shapes.near_valid(operation.name) if rng.random() < 0.7 else None
    if members is None:
        members = shapes.value(operation.input_shape) if operation.input_shape else {}
    headers = {'content-type': 'application/json', 'authorization': 'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/batch/aws4_request, '
               'SignedHeaders=host, Signature=0'}
    method, path = operation.http.get('method', 'POST'), operation.http.get('requestUri', '/')
    if service != 'batch':
        headers['content-type'] = f'application/x-amz-json-{operation.service_model.metadata["jsonVersion"]}'
        headers['x-amz-target'] = f'{operation.service_model.metadata["targetPrefix"]}.{operation.name}'
    if '{resourceArn}' in path:
        arn = rng.choice(['arn:aws:batch:us-east-1:000000000000:job-queue/default', 'arn:aws:batch:us-east-1:000000000000:job-definition/work:1',
                          'arn:aws:batch:us-east-1:000000000000:job/x', rng.choice(WORDS)])
        path = path.replace('{resourceArn}', ''.join(c if c.isalnum() and c.isascii() else '%%%02X' % (ord(c) & 255) for c in arn))
        if method == 'DELETE':
            path += '?tagKeys=' + rng.choice(['a', '', 'x' * 200, '%zz', 'a&tagKeys=b'])
    for _ in range(rng.choice([0, 1, 1, 1, 2, 4])):
        members = mutate(rng, members)
    if service == 'stepfunctions' and isinstance(members, dict):
        members = shapes.workflows.mutate_texts(members, mutate, mutate_bytes)
    body = json.dumps(members, ensure_ascii=rng.random() < 0.5).encode('utf-8', 'surrogatepass')
    kind = rng.random()
    if kind < 0.15:
        body = mutate_bytes(rng, body)
    elif kind < 0.2:
        path = ''.join(c for c in mutate_bytes(rng, path.encode()).decode('latin-1')[:3000] if 32 < ord(c) < 127) or '/'
        path = path if path.startswith('/') else '/' + path
    elif kind < 0.25:
        path = rng.choice(PLACES) + rng.choice(['submitjob', 'explain', 'listnodes', 'x', '..', '%', '%2', '%00', '?a', '#'])
    elif kind < 0.32:
        name = rng.choice(['content-type', 'x-amz-target', 'authorization', 'x-amz-date', 'content-encoding', 'expect', 'accept', 'host', 'x' * 200])
        headers[name] = rng.choice(['', 'x', 'application/json', 'Logs_20140328.X', 'AWS4-HMAC-SHA256', 'gzip', 'y' * 5000, '\xe4', 'text/html'])
    elif kind < 0.34:
        method = rng.choice(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'BREW'])
    return method, path, body, headers


def well_formed(method, status, headers, body):
    """Why this answer is none that an AWS client understands, or None."""
    if method == 'HEAD':
        return None
    kind = headers.get('content-type', '')
    if 'json' not in kind and 'amazon.eventstream' not in kind:
        return f'content type {kind!r}'
    if 'eventstream' in kind:
        return None
    try:
        parsed = json.loads(body)
    except ValueError as error:
        return f'body is no JSON: {error}'
    if not isinstance(parsed, dict):
        return 'body is no object'
    if status == 200:
        return None
    if status == 413 or 400 <= status < 500:
        if not (headers.get('x-amzn-errortype') or parsed.get('__type')):
            return 'no error code'
        return None if parsed.get('message') or parsed.get('Message') else 'no message'
    return f'status {status}'


class Connection:
    def __init__(self, address):
        self.host = address.removeprefix('http://')
        self.http = None

    def send_briefly(self, method, path, body, headers):
        """A request that may be held for a minute: what came at once, or None. The connection is given up."""
        self.close()
        self.http = http.client.HTTPConnection(self.host, timeout=0.2)
        try:
            return self.once(method, path, body, headers)
        except TimeoutError:
            return None
        finally:
            self.close()

    def send(self, method, path, body, headers):
        for try_number in (1, 2):
            if self.http is None:
                self.http, fresh = http.client.HTTPConnection(self.host, timeout=30), True
            else:
                fresh = False
            try:
                return self.once(method, path, body, headers)
            except (http.client.HTTPException, OSError):
                self.close()
                if fresh or try_number == 2:
                    raise
        raise AssertionError('not reached')

    def once(self, method, path, body, headers):
        self.http.putrequest(method, path, skip_host='host' in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            self.http.putheader(name, value.encode('latin-1'))
        self.http.putheader('content-length', str(len(body)))
        self.http.endheaders(body)
        answer = self.http.getresponse()
        data = b'' if 'eventstream' in (answer.headers.get('content-type') or '') else answer.read()
        result = answer.status, {name.lower(): value for name, value in answer.headers.items()}, data
        if answer.will_close or 'eventstream' in result[1].get('content-type', ''):
            self.close()
        return result

    def close(self):
        if self.http:
            self.http.close()
        self.http = None


@pytest.mark.timeout(0)
def test_every_answer_to_a_mutated_request_is_well_formed(make_server, request):
    count, seed = request.config.getoption('--mutations'), request.config.getoption('--seed')
    server = make_server('--gpus', '2xA10G')
    server.define('work', memory=16)
    server.define('waits', vcpus=100000)
    rng = random.Random(seed)
    shapes, connection = Shapes(rng), Connection(server.address)
    good, held, start = 0, 0, time.monotonic()
    for number in range(count):
        method, path, body, headers = make_request(rng, shapes)
        shown = f'seed {seed}, request {number}: {method} {path[:300]} {headers} {body[:1500]!r}'
        late = headers.get('x-amz-target', '').rpartition('.')[2] in workflow_requests.LATE
        try:
            got = (connection.send_briefly if late else connection.send)(method, path, body, headers)
        except (http.client.HTTPException, OSError) as error:
            alive = server.process.poll() is None
            raise AssertionError(f'no answer ({error!r}), server {"alive" if alive else "DEAD"}: {shown}\n{server.log_tail()}') from None
        if got is None:
            held += 1
            continue
        status, answer_headers, answer = got
        fault = well_formed(method, status, answer_headers, answer)
        assert not fault, f'{fault}: {status} {answer_headers} {answer[:500]!r}\nto {shown}\n{server.log_tail(5)}'
        good += status == 200
        if status == 200 and method == 'POST' and 'AWSStepFunctions' in headers.get('x-amz-target', ''):
            shapes.workflows.learn(json.loads(answer))
    connection.close()
    seconds = time.monotonic() - start
    print(f'{count} requests, {good} answered 200, {held} not at once, {count / seconds:.0f} a second')
    assert good > count / 50, 'hardly anything was accepted: the mutations start too far from what is valid'
    assert server.batch.describe_job_queues(jobQueues=['default'])['jobQueues'] is not None

"""Tasks of workflows that something outside does, as a user sets them up: options of `stoker serve`."""
import http.server
import json
import threading

import pytest
from test_executions import ended, make, run


class Functions(http.server.BaseHTTPRequestHandler):
    """Speaks the Lambda Invoke API: the function `double` doubles, every other one fails."""

    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        good = self.path == '/2015-03-31/functions/double/invocations'
        body = json.dumps(event['n'] * 2 if good else {'errorType': 'Broken', 'errorMessage': 'it broke'}).encode()
        self.send_response(200)
        if not good:
            self.send_header('X-Amz-Function-Error', 'Unhandled')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def functions():
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Functions)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f'http://127.0.0.1:{server.server_port}'
    server.shutdown()
    server.server_close()


def task(resource, parameters, **members):
    return {'Type': 'Task', 'Resource': resource, 'Parameters': parameters, 'End': True, **members}


def outcome(server, name, state, input='{}'):
    sfn = server.client('stepfunctions')
    return ended(sfn, run(sfn, make(sfn, name, {'Only': state}), input))


def test_a_directory_is_a_bucket(make_server, tmp_path):
    (tmp_path / 'there.txt').write_text('found')
    (tmp_path.parent / 'secret.txt').write_text('outside')
    server = make_server('--bucket', f'data={tmp_path}')
    got = outcome(server, 'get', task('arn:aws:states:::aws-sdk:s3:getObject', {'Bucket': 'data', 'Key': 'there.txt'}))
    assert got['status'] == 'SUCCEEDED' and json.loads(got['output'])['Body'] == 'found'
    put = outcome(server, 'put', task('arn:aws:states:::aws-sdk:s3:putObject', {'Bucket': 'data', 'Key': 'made/new.json', 'Body': {'a': 1}}))
    assert put['status'] == 'SUCCEEDED' and json.loads((tmp_path / 'made/new.json').read_text()) == {'a': 1}
    listed = outcome(server, 'list', task('arn:aws:states:::aws-sdk:s3:listObjectsV2', {'Bucket': 'data'}))
    assert [one['Key'] for one in json.loads(listed['output'])['Contents']] == ['made/new.json', 'there.txt']
    for bucket, key in (('data', '../secret.txt'), ('data', 'nothing'), ('other', 'there.txt')):
        missing = outcome(server, 'missing', task('arn:aws:states:::aws-sdk:s3:getObject', {'Bucket': bucket, 'Key': key}))
        assert missing['status'] == 'FAILED' and 'outside' not in json.dumps(missing, default=str)
        server.client('stepfunctions').delete_state_machine(stateMachineArn=missing['stateMachineArn'])


def test_functions_are_called_at_the_endpoint(make_server, functions):
    server = make_server('--lambda-endpoint', functions)
    plain = outcome(server, 'plain', {'Type': 'Task', 'Resource': 'arn:aws:lambda:us-east-1:000000000000:function:double', 'End': True},
                    '{"n": 21}')
    assert plain['status'] == 'SUCCEEDED' and plain['output'] == '42'
    invoked = outcome(server, 'invoked', task('arn:aws:states:::lambda:invoke', {'FunctionName': 'double', 'Payload': {'n': 4}}))
    assert json.loads(invoked['output'])['Payload'] == 8
    caught = outcome(server, 'caught', task('arn:aws:states:::lambda:invoke', {'FunctionName': 'other', 'Payload': {'n': 4}}))
    assert caught['status'] == 'FAILED' and caught['error'] == 'Broken' and 'it broke' in caught['cause']


def test_without_the_options_nothing_outside_is_reached(make_server, functions):
    server = make_server()
    for name, state in (('function', task('arn:aws:states:::lambda:invoke', {'FunctionName': 'double', 'Payload': {'n': 1}})),
                        ('object', task('arn:aws:states:::aws-sdk:s3:getObject', {'Bucket': 'data', 'Key': 'x'})),
                        ('page', task('arn:aws:states:::http:invoke', {
                            'ApiEndpoint': functions, 'Method': 'GET', 'Authentication': {'ConnectionArn': 'arn:aws:events:us-east-1:000000000000:connection/none/1'}}))):
        assert outcome(server, name, state)['status'] == 'FAILED', name

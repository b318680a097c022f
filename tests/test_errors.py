"""What every client relies on whatever it sends: error shapes, ids, unknown operations, broken requests."""
import json
import socket

import pytest
from support import refused


def error_of(answer):
    status, headers, body = answer
    headers = {name.lower(): value for name, value in headers.items()}
    assert headers['content-type'].startswith(('application/json', 'application/x-amz-json')), headers
    assert headers['x-amzn-requestid']
    parsed = json.loads(body)
    assert parsed.get('message') or parsed.get('Message'), parsed
    code = headers.get('x-amzn-errortype') or parsed.get('__type')
    assert code, 'no error code'
    return status, code.split(':')[0].split('#')[-1], parsed.get('message') or parsed.get('Message')


def post(server, path, body, **headers):
    return server.http('POST', path, body if isinstance(body, bytes) else json.dumps(body).encode(),
                       {'content-type': 'application/json', **headers})


def test_a_client_error_is_a_400_with_its_type_in_the_header(shared):
    status, code, message = error_of(post(shared, '/v1/submitjob', {'jobName': 'x', 'jobQueue': 'nope', 'jobDefinition': 'x'}))
    assert (status, code) == (400, 'ClientException') and 'does not exist' in message


def test_a_success_is_json_with_a_request_id(shared):
    status, headers, body = post(shared, '/v1/describejobqueues', {})
    headers = {name.lower(): value for name, value in headers.items()}
    assert status == 200 and headers['content-type'] == 'application/json' and len(headers['x-amzn-requestid']) == 36
    assert json.loads(body)['jobQueues'][0]['jobQueueName'] == 'default'


def test_an_empty_body_means_no_members_and_unknown_members_are_ignored(shared):
    assert post(shared, '/v1/describejobqueues', b'')[0] == 200
    assert post(shared, '/v1/describejobqueues', {'somethingNew': {'a': [1]}, 'jobQueues': None})[0] == 200


@pytest.mark.parametrize('body', [b'{', b'[]', b'"text"', b'null', b'{"jobQueue": }', b'\xff\xfe', b'{"a":1}{"b":2}',
                                  b'[' * 100000, b'{"a":' * 50000, b'{"maxResults":1e999}', b'{"maxResults":"3"}', b'{"jobQueues":"x"}',
                                  b'{"jobQueues":[1,2]}', b'{"jobQueues":{"a":"b"}}', b'{"maxResults":2.5}'])
def test_a_broken_body_is_a_client_error(shared, body):
    status, code, _ = error_of(post(shared, '/v1/describejobqueues', body))
    assert status == 400 and code in ('ClientException', 'SerializationException')


@pytest.mark.parametrize('path', ['/v1/nosuchoperation', '/', '/v1/', '/v2/submitjob', '/v1/submitjob/more', '/2018-06-01/functions', '/index.html'])
def test_an_unknown_operation_is_said_to_be_unknown(shared, path):
    status, code, _ = error_of(post(shared, path, {}))
    assert code == 'UnknownOperationException' and status in (400, 404)


@pytest.mark.parametrize('method', ['GET', 'PUT', 'DELETE', 'PATCH'])
def test_a_wrong_method_is_no_operation(shared, method):
    status, code, _ = error_of(shared.http(method, '/v1/submitjob'))
    assert code == 'UnknownOperationException' and status in (400, 404, 405)


def test_another_service_fails_in_a_way_its_sdk_understands(shared):
    for service, call, arguments in (('sqs', 'list_queues', {}), ('dynamodb', 'list_tables', {}), ('ecs', 'list_clusters', {})):
        client = shared.client(service)
        try:
            getattr(client, call)(**arguments)
        except client.exceptions.ClientError as error:
            assert error.response['Error']['Code'] == 'UnknownOperationException', error.response
        else:
            raise AssertionError(f'{service} was answered')


@pytest.mark.parametrize('call, arguments', [
    ('create_service_environment', dict(serviceEnvironmentName='s', serviceEnvironmentType='SAGEMAKER_TRAINING',
                                        capacityLimits=[{'maxCapacity': 1, 'capacityUnit': 'NUM_INSTANCES'}])),
    ('describe_service_environments', {}),
    ('submit_service_job', dict(jobName='s', jobQueue='default', serviceRequestPayload='{}', serviceJobType='SAGEMAKER_TRAINING')),
    ('list_service_jobs', dict(jobQueue='default')),
    ('describe_service_job', dict(jobId='x')),
    ('terminate_service_job', dict(jobId='x', reason='y')),
])
def test_what_is_not_done_yet_says_so(shared, call, arguments):
    refused(getattr(shared.batch, call), 'not supported yet by this server', **arguments)


def raw(server, data, limit=65536):
    """Bytes in, bytes out, on a connection of its own."""
    host, port = server.address.removeprefix('http://').split(':')
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(data)
        answer = b''
        try:
            while b'\r\n\r\n' not in answer and len(answer) < limit:
                piece = connection.recv(4096)
                if not piece:
                    break
                answer += piece
        except ConnectionResetError:
            pass
        return answer


@pytest.mark.parametrize('data', [
    b'GARBAGE\r\n\r\n', b'POST /v1/submitjob HTTP/1.1\r\n\r\n', b'POST /v1/submitjob HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
    b'POST /v1/submitjob HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n',
    b'POST /v1/submitjob HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n', b'\0' * 100 + b'\r\n\r\n',
    b'POST /v1/submitjob HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', b'GET ' + b'/a' * 60000 + b' HTTP/1.1\r\n\r\n',
    b'POST /v1/submitjob HTTP/1.1\r\n' + b'X: y\r\n' * 20000 + b'\r\n',
], ids=range(10))
def test_broken_http_ends_in_an_error_or_a_closed_connection(shared, data):
    answer = raw(shared, data)
    assert answer == b'' or answer.startswith(b'HTTP/1.1 4') or answer.startswith(b'HTTP/1.1 5'), answer[:200]
    assert b'<html' not in answer.lower()
    assert post(shared, '/v1/describejobqueues', {})[0] == 200


def test_a_slow_client_holds_up_nobody(shared):
    host, port = shared.address.removeprefix('http://').split(':')
    idle = [socket.create_connection((host, int(port))) for _ in range(50)]
    for connection in idle:
        connection.sendall(b'POST /v1/submitjob HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
    assert post(shared, '/v1/describejobqueues', {})[0] == 200
    for connection in idle:
        connection.close()


def test_one_connection_serves_many_requests(shared):
    import http.client
    connection = http.client.HTTPConnection(shared.address.removeprefix('http://'), timeout=20)
    for _ in range(50):
        connection.request('POST', '/v1/describejobqueues', b'{}', {'content-type': 'application/json'})
        answer = connection.getresponse()
        assert answer.status == 200 and json.loads(answer.read())
    connection.close()


def test_a_body_may_come_in_chunks_and_after_a_100_continue(shared):
    answer = raw(shared, b'POST /v1/describejobqueues HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n')
    assert answer.startswith(b'HTTP/1.1 200')
    answer = raw(shared, b'POST /v1/describejobqueues HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}')
    assert answer.startswith(b'HTTP/1.1 ')

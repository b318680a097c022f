"""Signatures: asked for when access keys are configured, on every request."""
import datetime
import hashlib
import json
import os
import subprocess

import botocore.auth
import botocore.awsrequest
import botocore.credentials
import pytest
import support
from support import DEBIAN_AWS, refused

KEY, SECRET = 'AKIDEXAMPLE', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'


@pytest.fixture
def guarded(make_server, tmp_path):
    keys = tmp_path / 'keys'
    keys.write_text(f'# who may come in\n{KEY} {SECRET}\nOTHER other-secret\n')
    keys.chmod(0o600)
    return make_server('--access-keys', str(keys), credentials=(KEY, SECRET))


def signed(server, body=b'{}', path='/v1/describejobqueues', when=None, key=KEY, secret=SECRET, change=None):
    """A request signed by botocore, sent after `change` had its way with it."""
    request = botocore.awsrequest.AWSRequest('POST', server.address + path, data=body, headers={'content-type': 'application/json'})
    signer = botocore.auth.SigV4Auth(botocore.credentials.Credentials(key, secret), 'batch', 'us-east-1')
    real = botocore.auth.get_current_datetime if hasattr(botocore.auth, 'get_current_datetime') else None
    if when is not None:
        assert real, 'this botocore takes its time elsewhere'
        botocore.auth.get_current_datetime = lambda *_: when
    try:
        signer.add_auth(request)
    finally:
        if real:
            botocore.auth.get_current_datetime = real
    headers = {name: value for name, value in request.headers.items()}
    sent = {'body': body, 'path': path, 'headers': headers}
    if change:
        change(sent)
    status, answer_headers, answer = server.http('POST', sent['path'], sent['body'], sent['headers'])
    kind = {name.lower(): value for name, value in answer_headers.items()}.get('x-amzn-errortype', '').split(':')[0]
    return status, kind, json.loads(answer)


def test_the_right_key_is_let_in_by_every_client(guarded):
    job = guarded.run('echo in')
    assert job['status'] == 'SUCCEEDED' and guarded.log(job['jobId']) == ['in']
    assert guarded.aws('batch', 'describe-job-queues')['jobQueues']
    if os.path.exists(DEBIAN_AWS):
        assert guarded.aws('batch', 'describe-job-queues', program=DEBIAN_AWS)['jobQueues']
    other = guarded.client('batch', credentials=('OTHER', 'other-secret'))
    assert other.describe_job_queues()['jobQueues']
    arn = 'arn:aws:batch:us-east-1:000000000000:job-queue/default'
    guarded.batch.tag_resource(resourceArn=arn, tags={'a b': 'c&d=e/f'})
    guarded.batch.untag_resource(resourceArn=arn, tagKeys=['a b', 'x/y'])
    assert guarded.batch.list_tags_for_resource(resourceArn=arn)['tags'] == {}


def test_wrong_secrets_unknown_keys_and_no_signature_are_kept_out(guarded):
    wrong = guarded.client('batch', credentials=(KEY, 'wrong'))
    refused(wrong.describe_job_queues, code='InvalidSignatureException')
    unknown = guarded.client('batch', credentials=('NOBODY', SECRET))
    refused(unknown.describe_job_queues, code='UnrecognizedClientException')
    status, headers, _ = guarded.http('POST', '/v1/describejobqueues', b'{}')
    assert status == 403 and {name.lower(): value for name, value in headers.items()}['x-amzn-errortype'].startswith('MissingAuthentication')
    refused(guarded.client('logs', credentials=(KEY, 'wrong')).describe_log_groups, code='InvalidSignatureException')


CHANGES = {
    'the body': lambda sent: sent.update(body=b'{ }'),
    'the path': lambda sent: sent.update(path='/v1/describecomputeenvironments'),
    'a query': lambda sent: sent.update(path=sent['path'] + '?a=b'),
    'a signed header': lambda sent: sent['headers'].update({'content-type': 'application/json; charset=utf-8'}),
    'the signature': lambda sent: sent['headers'].update({'Authorization': sent['headers']['Authorization'][:-1] + (
        '0' if sent['headers']['Authorization'][-1] != '0' else '1')}),
    'a missing signature': lambda sent: sent['headers'].update({'Authorization': sent['headers']['Authorization'].split('Signature=')[0]}),
    'a declared body hash that lies': lambda sent: sent['headers'].update({'x-amz-content-sha256': hashlib.sha256(b'other').hexdigest()}),
    'rubbish': lambda sent: sent['headers'].update({'Authorization': 'AWS4-HMAC-SHA256 ' + ','.join(['=' * 10] * 500)}),
    'another date': lambda sent: sent['headers'].update({'X-Amz-Date': '20200101T000000Z'}),
}


@pytest.mark.parametrize('what', CHANGES)
def test_a_request_changed_on_the_way_is_kept_out(guarded, what):
    assert signed(guarded)[0] == 200
    status, kind, answer = signed(guarded, change=CHANGES[what])
    assert 400 <= status <= 403 and kind and answer.get('message')


def test_a_request_of_another_hour_is_kept_out(guarded):
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    if not hasattr(botocore.auth, 'get_current_datetime'):
        pytest.skip('this botocore takes its time elsewhere')
    assert signed(guarded, when=now + datetime.timedelta(minutes=4))[0] == 200
    for minutes in (-16, 16, -600):
        status, kind, _ = signed(guarded, when=now + datetime.timedelta(minutes=minutes))
        assert status == 403 and kind in ('InvalidSignatureException', 'RequestExpired', 'SignatureDoesNotMatch'), (minutes, status, kind)


def test_a_key_file_others_can_read_is_refused(tmp_path, make_server):
    keys = tmp_path / 'keys'
    keys.write_text(f'{KEY} {SECRET}\n')
    keys.chmod(0o644)
    with pytest.raises(AssertionError, match='chmod 600'):
        make_server('--access-keys', str(keys))


def test_an_address_others_can_reach_needs_keys_and_tls(make_server):
    result = subprocess.run([support.STOKER, 'serve', '--listen', '0.0.0.0:0', '--data', '/nonexistent/never'], capture_output=True,
                            text=True, timeout=20)
    assert result.returncode != 0 and '--access-keys' in result.stderr

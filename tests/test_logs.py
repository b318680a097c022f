"""The log of jobs through CloudWatch Logs' calls and `aws logs tail`."""
import os
import subprocess
import time

import pytest
from support import DEBIAN_AWS, GROUP, all_events, refused, wait_for


def get(server, stream, **query):
    return server.logs.get_log_events(logGroupName=GROUP, logStreamName=stream, **query)


def messages(page):
    return [event['message'] for event in page['events']]


def test_lines_have_times_and_come_in_order(server):
    before = int(time.time() * 1000)
    job = server.run('for n in 1 2 3 4 5; do echo line $n; done; echo to stderr >&2')
    events = all_events(server.logs, server.stream(job['jobId']))
    assert [event['message'] for event in events] == [f'line {n}' for n in range(1, 6)] + ['to stderr']
    times = [event['timestamp'] for event in events]
    assert times == sorted(times) and before - 1000 <= times[0] and times[-1] <= time.time() * 1000 + 1000
    assert all(event['ingestionTime'] >= event['timestamp'] for event in events)


def test_reading_forward_and_backward_with_tokens_meets_every_line_once(server):
    job = server.run('n=0; while [ $n -lt 100 ]; do echo $n; n=$((n+1)); done')
    stream = server.stream(job['jobId'])
    forward, page = [], get(server, stream, startFromHead=True, limit=30)
    while page['events']:
        forward += messages(page)
        page = get(server, stream, startFromHead=True, limit=30, nextToken=page['nextForwardToken'])
    assert forward == [str(n) for n in range(100)]
    same = get(server, stream, startFromHead=True, limit=30, nextToken=page['nextForwardToken'])
    assert same['nextForwardToken'] == page['nextForwardToken'] and same['events'] == []  # the end: the same token again

    backward, page = [], get(server, stream, limit=30)
    assert messages(page) == [str(n) for n in range(70, 100)]  # from the tail by default, each page in order of time
    while page['events']:
        backward = messages(page) + backward
        page = get(server, stream, limit=30, nextToken=page['nextBackwardToken'])
    assert backward == forward
    turned = get(server, stream, limit=10, startFromHead=True)
    assert messages(get(server, stream, limit=10, nextToken=turned['nextForwardToken'])) == [str(n) for n in range(10, 20)]


def test_a_token_stays_good_while_the_log_grows(server):
    gate = server.work / 'gate'
    job = server.run(f'echo before; while [ ! -e {gate} ]; do sleep 0.05; done; echo after', wait=False)
    server.wait(job, 'RUNNING')
    page = wait_for(lambda: (lambda page: page if page['events'] else None)(get(server, server.stream(job), startFromHead=True)))
    assert messages(page) == ['before']
    gate.touch()
    server.wait(job)
    assert messages(get(server, server.stream(job), nextToken=page['nextForwardToken'])) == ['after']


def test_times_bound_what_is_read(server):
    job = server.run('echo one; sleep 0.3; echo two')
    stream = server.stream(job['jobId'])
    one, two = all_events(server.logs, stream)
    assert messages(get(server, stream, startFromHead=True, startTime=two['timestamp'])) == ['two']
    assert messages(get(server, stream, startFromHead=True, endTime=two['timestamp'])) == ['one']
    assert get(server, stream, startTime=two['timestamp'] + 60000)['events'] == []


def test_filtering_finds_terms_phrases_and_what_lacks_them(server):
    job = server.run('echo epoch 1 loss 0.5; echo ERROR out of luck; echo epoch 2 loss 0.25; echo "WARNING: hot"')
    other = server.run('echo ERROR elsewhere', name='other')

    def grep(pattern, **query):
        pages = server.logs.get_paginator('filter_log_events').paginate(logGroupName=GROUP, filterPattern=pattern, **query)
        return [event['message'] for page in pages for event in page['events']]

    assert grep('ERROR', logStreamNames=[server.stream(job['jobId'])]) == ['ERROR out of luck']
    assert sorted(grep('ERROR')) == ['ERROR elsewhere', 'ERROR out of luck']
    assert grep('"epoch 2"') == ['epoch 2 loss 0.25']
    assert grep('epoch -"loss 0.5"') == ['epoch 2 loss 0.25']
    assert sorted(grep('?ERROR ?WARNING')) == ['ERROR elsewhere', 'ERROR out of luck', 'WARNING: hot']
    assert len(grep('', logStreamNamePrefix='work/')) == 4
    assert len(grep('')) == 5
    assert server.job(other['jobId'])['status'] == 'SUCCEEDED'


def test_streams_and_groups_are_described(server):
    jobs = [server.run(f'echo {n}', name=name) for n, name in enumerate(('one', 'two', 'two'))]
    streams = [server.stream(job['jobId']) for job in jobs]
    group = server.logs.describe_log_groups(logGroupNamePrefix='/aws/batch')['logGroups']
    assert [one['logGroupName'] for one in group] == [GROUP] and ':log-group:/aws/batch/job' in group[0]['arn']
    assert server.logs.describe_log_groups(logGroupNamePrefix='/other')['logGroups'] == []
    found = [one for page in server.logs.get_paginator('describe_log_streams').paginate(logGroupName=GROUP) for one in page['logStreams']]
    assert {one['logStreamName'] for one in found} == set(streams)
    assert all(one['firstEventTimestamp'] <= one['lastEventTimestamp'] and one['creationTime'] > 0 for one in found)
    found = server.logs.describe_log_streams(logGroupName=GROUP, logStreamNamePrefix='two/')['logStreams']
    assert {one['logStreamName'] for one in found} == set(streams[1:])
    newest = server.logs.describe_log_streams(logGroupName=GROUP, orderBy='LastEventTime', descending=True)['logStreams']
    assert newest[0]['logStreamName'] == streams[2]


def test_what_does_not_exist_is_not_found(server):
    missing = 'ResourceNotFoundException'
    job = server.run('echo x')
    refused(server.logs.get_log_events, 'does not exist', code=missing, logGroupName=GROUP, logStreamName='none/default/0')
    refused(server.logs.get_log_events, 'does not exist', code=missing, logGroupName='/other', logStreamName=server.stream(job['jobId']))
    refused(server.logs.filter_log_events, code=missing, logGroupName='/other')
    refused(server.logs.describe_log_streams, code=missing, logGroupName='/other')
    refused(server.logs.get_log_events, code='InvalidParameterException', logGroupName=GROUP, logStreamName=server.stream(job['jobId']),
            limit=10001)
    refused(server.logs.get_log_events, code='InvalidParameterException', logGroupName=GROUP, logStreamName=server.stream(job['jobId']),
            nextToken='f/nonsense')


@pytest.mark.skipif(not os.path.exists(DEBIAN_AWS), reason='`aws logs tail` needs version 2 of the aws CLI (Debian: awscli)')
def test_aws_logs_tail_follows_a_running_job(server):
    gate = server.work / 'gate'
    job = server.run(f'echo first; while [ ! -e {gate} ]; do sleep 0.05; done; echo second', wait=False)
    server.wait(job, 'RUNNING')
    command = [DEBIAN_AWS, 'logs', 'tail', GROUP, '--follow', '--format', 'short', '--endpoint-url', server.address]
    out = server.work / 'tail'
    with open(out, 'wb') as file:
        tail = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=server.client_environment())
    try:
        wait_for(lambda: 'first' in out.read_text(), what=out.read_text)
        gate.touch()
        wait_for(lambda: 'second' in out.read_text(), what=out.read_text)
    finally:
        tail.terminate()
        tail.wait()
    text = server.aws('logs', 'tail', GROUP, '--log-stream-names', server.stream(job), '--format', 'short', program=DEBIAN_AWS)
    assert [line.split()[-1] for line in text.splitlines()] == ['first', 'second']
    server.wait(job)


def test_a_job_that_prints_nothing_has_an_empty_log(server):
    job = server.run('true')
    page = get(server, server.stream(job['jobId']))
    assert page['events'] == [] and page['nextForwardToken'] and page['nextBackwardToken']


def test_odd_output_hurts_nobody(server):
    job = server.run(r'''printf 'no newline at the end of this\nand here'; printf '\n\000\001\377\376binary\n'; echo "grün ✓"; echo''')
    found = server.log(job['jobId'])
    assert found[:2] == ['no newline at the end of this', 'and here'] and 'binary' in found[2] and found[3] == 'grün ✓'


def test_a_line_without_end_is_cut_into_events_and_nothing_of_it_is_lost(server):
    job = server.run('head -c 700000 /dev/zero | tr "\\0" x; echo; echo end')
    events = server.log(job['jobId'])
    assert events[-1] == 'end' and all(len(event) <= 262144 for event in events)
    assert sum(len(event) for event in events[:-1]) == 700000


def test_a_job_that_writes_a_lot_leaves_the_rest_of_the_system_alone(server):
    noisy = server.run('yes "a line of some forty characters or more" | head -c 40000000', wait=False, name='noisy')
    quiet = server.wait(server.submit(server.define('quiet', ['echo', 'still here'])))
    assert quiet['status'] == 'SUCCEEDED' and server.log(quiet['jobId']) == ['still here']
    assert server.wait(noisy, deadline=60)['status'] == 'SUCCEEDED'
    assert len(get(server, server.stream(noisy), startFromHead=True)['events']) > 1000


def test_unsupported_calls_of_logs_are_said_to_be_so(shared):
    message = refused(shared.logs.put_log_events, code='UnknownOperationException', logGroupName=GROUP, logStreamName='x',
                      logEvents=[{'timestamp': 1, 'message': 'x'}])
    assert message

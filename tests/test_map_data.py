"""Distributed Maps over data in buckets, as a user sets them up: what is read, what is written, what a kill may not change."""
import csv
import gzip
import hashlib
import http.server
import io
import json
import pathlib
import re
import sqlite3
import threading
import urllib.parse

import pytest
from support import refused, sh, wait_for
from test_executions import ended, make, run, types

READ = 'arn:aws:states:::s3:getObject'
LIST = 'arn:aws:states:::s3:listObjectsV2'
WRITE = 'arn:aws:states:::s3:putObject'


def mapped(states, kind='EXPRESS', **members):
    """A distributed Map state whose children run these states."""
    processor = {'ProcessorConfig': {'Mode': 'DISTRIBUTED', 'ExecutionType': kind}, 'StartAt': next(iter(states)), 'States': states}
    return {'Type': 'Map', 'ItemProcessor': processor, 'End': True, **members}


def reader(key, resource=READ, where='Key', bucket='data', more=None, **config):
    return {'Resource': resource, 'Parameters': {'Bucket': bucket, where: key, **(more or {})}, **({'ReaderConfig': config} if config else {})}


def writer(bucket='data', prefix='out', **config):
    return {'Resource': WRITE, 'Parameters': {'Bucket': bucket, 'Prefix': prefix}, **({'WriterConfig': config} if config else {})}


PASS = {'Keep': {'Type': 'Pass', 'End': True}}


def outcome(server, name, state, input='{}'):
    return ended(server.sfn, run(server.sfn, make(server.sfn, name, {'M': state}), input))


def output(server, name, state, input='{}'):
    seen = outcome(server, name, state, input)
    assert seen['status'] == 'SUCCEEDED', seen
    return json.loads(seen['output'])


def results(folder, written):
    """Group -> the entries of its files, and the manifest, of what a ResultWriter left in a directory."""
    assert set(written) == {'MapRunArn', 'ResultWriterDetails'}, written
    manifest = json.loads((folder / written['ResultWriterDetails']['Key']).read_text())
    assert manifest['MapRunArn'] == written['MapRunArn'] and manifest['DestinationBucket'] == written['ResultWriterDetails']['Bucket']
    groups = {}
    for group, files in manifest['ResultFiles'].items():
        groups[group] = []
        for file in files:
            text = (folder / file['Key']).read_text()
            assert len(text.encode()) == file['Size']
            groups[group] += json.loads(text) if file['Key'].endswith('.json') else [json.loads(line) for line in text.splitlines()]
    return groups


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / 'data'
    folder.mkdir()
    return folder


@pytest.fixture
def bucket(make_server, data):
    return make_server('--bucket', f'data={data}')


class Store(http.server.BaseHTTPRequestHandler):
    """As much of S3 as stoker asks of it. `server.objects` has the objects, `server.gates` what holds requests back."""
    protocol_version = 'HTTP/1.1'

    def answer(self, status, body=b'', headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def error(self, status, code):
        self.answer(status, f'<Error><Code>{code}</Code><Message>no: {code}</Message></Error>'.encode())

    def prepare(self):
        url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(url.query))
        self.key = urllib.parse.unquote(url.path).lstrip('/')
        self.server.seen.append((self.command, self.key, dict(self.headers), self.query))
        for pattern, (reached, gate) in list(self.server.gates.items()):
            if re.search(pattern, f'{self.command} {self.key}'):
                reached.set()
                gate.wait(60)

    def do_GET(self):
        self.prepare()
        if self.query.get('list-type'):
            return self.listing()
        if self.headers.get('x-amz-expected-bucket-owner', '000000000000') != '000000000000':
            return self.error(403, 'AccessDenied')
        body = self.server.objects.get(self.key + ('?' + self.query['versionId'] if 'versionId' in self.query else ''))
        if body is None:
            return self.error(404, 'NoSuchKey')
        first, last = map(int, re.match(r'bytes=(\d+)-(\d+)', self.headers['Range']).groups())
        if first >= len(body):
            return self.error(416, 'InvalidRange')
        part = body[first:min(last + 1, first + self.server.piece)]
        self.answer(206, part, [('ETag', f'"{hashlib.md5(body).hexdigest()}"'), ('Content-Range', f'bytes {first}-{first + len(part) - 1}/{len(body)}')])

    def listing(self):
        bucket, prefix, after = self.key, self.query.get('prefix', ''), self.query.get('continuation-token', '')
        keys = sorted(key[len(bucket) + 1:] for key in self.server.objects if key.startswith(f'{bucket}/{prefix}') and '?' not in key)
        keys = [key for key in keys if key > after]
        page, more = keys[:2], keys[2:]
        contents = ''.join(f'<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"e"</ETag>'
                           f'<Size>{len(self.server.objects[f"{bucket}/{key}"])}</Size><StorageClass>STANDARD</StorageClass></Contents>' for key in page)
        token = f'<NextContinuationToken>{page[-1]}</NextContinuationToken>' if more else ''
        self.answer(200, f'<ListBucketResult><IsTruncated>{"true" if more else "false"}</IsTruncated>{contents}{token}</ListBucketResult>'.encode())

    def do_PUT(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        self.prepare()
        if self.key.startswith('closed/'):
            return self.error(403, 'AccessDenied')
        self.server.puts.append((self.key, body))
        self.server.objects[self.key] = body
        self.answer(200, headers=[('ETag', '"e"')])

    def log_message(self, *_):
        pass


@pytest.fixture
def store():
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Store)
    server.daemon_threads = True
    server.objects, server.puts, server.seen, server.gates, server.piece = {}, [], [], {}, 1 << 30
    server.url = f'http://127.0.0.1:{server.server_port}'

    def hold(pattern):
        """Requests like that wait from now on; returns (the event that one has come, a function that lets them go)."""
        reached, gate = threading.Event(), threading.Event()
        server.gates[pattern] = (reached, gate)

        def let_go():
            server.gates.pop(pattern, None)
            gate.set()
        return reached, let_go

    server.hold = hold
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def csv_of(rows):
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(['id', 'name', 'note'])
    lines.writerows(rows)
    return text.getvalue()


def test_a_large_csv_through_express_children_and_back(bucket, data):
    rows = [(str(n), f'name {n}', 'a "quoted", note\nin two lines' if n % 7 == 0 else '') for n in range(5000)]
    (data / 'in').mkdir()
    (data / 'in/rows.csv').write_text(csv_of(rows))
    state = mapped({'Keep': {'Type': 'Pass', 'Parameters': {'ids.$': '$.Items[*].id', 'notes.$': '$.Items[*].note', 'of.$': '$.BatchInput.of'}, 'End': True}},
                   ItemReader=reader('in/rows.csv', InputType='CSV', CSVHeaderLocation='FIRST_ROW'),
                   ItemBatcher={'MaxItemsPerBatch': 64, 'BatchInput': {'of.$': '$.who'}}, ResultWriter=writer(prefix='out/csv'))
    written = output(bucket, 'large', state, '{"who": "me"}')
    assert re.fullmatch(r'out/csv/[0-9a-f-]{36}/manifest\.json', written['ResultWriterDetails']['Key'])
    groups = results(data, written)
    assert not groups['FAILED'] and not groups['PENDING'] and len(groups['SUCCEEDED']) == 79
    outputs = [json.loads(entry['Output']) for entry in groups['SUCCEEDED']]
    assert [id for one in outputs for id in one['ids']] == [row[0] for row in rows] and {one['of'] for one in outputs} == {'me'}
    assert [note for one in outputs for note in one['notes']] == [row[2] for row in rows]
    one = groups['SUCCEEDED'][0]
    assert one['Status'] == 'SUCCEEDED' and json.loads(one['Input'])['Items'][1]['name'] == 'name 1' and ':large/' in one['ExecutionArn']
    details = bucket.sfn.describe_map_run(mapRunArn=written['MapRunArn'])
    assert details['itemCounts']['resultsWritten'] == 5000 and details['status'] == 'SUCCEEDED'


def test_batch_jobs_for_the_lines_of_a_file(bucket, data):
    bucket.define('work', sh('exit ${CODE}'))
    (data / 'jobs.jsonl').write_text(''.join(json.dumps({'code': str(code)}) + '\n' for code in (0, 3, 0)))
    task = {'Type': 'Task', 'Resource': 'arn:aws:states:::batch:submitJob.sync', 'End': True, 'ResultSelector': {'status.$': '$.Status', 'id.$': '$.JobId'},
            'Parameters': {'JobName': 'one', 'JobQueue': 'default', 'JobDefinition': 'work',
                           'ContainerOverrides': {'Environment': [{'Name': 'CODE', 'Value.$': '$.code'}]}}}
    state = mapped({'Train': task}, kind='STANDARD', ItemReader=reader('jobs.jsonl', InputType='JSONL'), ToleratedFailureCount=1,
                   ResultWriter=writer(Transformation='COMPACT', OutputType='JSONL'))
    written = output(bucket, 'jobs', state)
    groups = results(data, written)
    assert [one['status'] for one in groups['SUCCEEDED']] == ['SUCCEEDED'] * 2
    failed, = groups['FAILED']
    assert failed['Status'] == 'FAILED' and failed['Error'] == 'States.TaskFailed' and json.loads(failed['Input']) == {'code': '3'}
    # The job is marked with the execution that started it.
    job = groups['SUCCEEDED'][0]['id']
    assert {'name': 'MANAGED_BY_AWS', 'value': 'STARTED_BY_STEP_FUNCTIONS'} in bucket.job(job)['container']['environment']
    explained = bucket.cli('explain', job, check=0).stdout
    assert 'Started by state Train of the execution arn:aws:states:us-east-1:000000000000:execution:jobs/' in explained
    bucket.restart('kill')
    assert bucket.cli('explain', job, check=0).stdout.count('Started by state Train') == 1


def test_json_and_listings_and_manifests(make_server, store):
    server = make_server('--s3-endpoint', store.url)
    store.objects.update({
        'data/list.json': json.dumps({'a': {'rows': [1, {'x': 2}]}}).encode(),
        'data/part/1.csv': b'id\n1\n2\n', 'data/part/2.csv': b'id\n3\n', 'data/part/3.csv': b'id\n4\n',
        'data/old.jsonl?v1': b'"old"\n', 'data/old.jsonl': b'"new"\n',
        'data/zip.jsonl.gz': gzip.compress(b'1\n') + gzip.compress(b'2\n'),
        'lists/i/1.csv.gz': gzip.compress(b'"b","k%201","5"\n"b","k2","6"\n'),
        'data/manifest.json': json.dumps({'destinationBucket': 'arn:aws:s3:::lists', 'fileFormat': 'CSV', 'fileSchema': 'Bucket, Key, Size',
                                          'files': [{'key': 'i/1.csv.gz'}]}).encode(),
        'data/athena.csv': b's3://data/part/1.csv\ns3://data/part/2.csv\n', 'data/empty.csv': b''})
    store.piece = 3  # objects come in pieces
    header = {'InputType': 'CSV', 'CSVHeaderLocation': 'FIRST_ROW'}
    cases = {
        'pointer': (reader('list.json', InputType='JSON', ItemsPointer='/a/rows'), [1, {'x': 2}]),
        'most': (reader('part/1.csv', MaxItems=1, **header), [{'id': '1'}]),
        'given': (reader('part/1.csv', InputType='CSV', CSVHeaderLocation='GIVEN', CSVHeaders=['h']), [{'h': 'id'}, {'h': '1'}, {'h': '2'}]),
        'flat': (reader('part/', LIST, 'Prefix', Transformation='LOAD_AND_FLATTEN', **header), [{'id': str(n)} for n in (1, 2, 3, 4)]),
        'version': (reader('old.jsonl', more={'VersionId': 'v1'}, InputType='JSONL'), ['old']),
        'owner': (reader('old.jsonl', more={'ExpectedBucketOwner': '000000000000'}, InputType='JSONL'), ['new']),
        'gzip': (reader('zip.jsonl.gz', InputType='JSONL'), [1, 2]),
        'inventory': (reader('manifest.json', InputType='MANIFEST'), [{'Bucket': 'b', 'Key': 'k%201', 'Size': '5'}, {'Bucket': 'b', 'Key': 'k2', 'Size': '6'}]),
        'athena': (reader('athena.csv', ManifestType='ATHENA_DATA', **header), [{'id': '1'}, {'id': '2'}, {'id': '3'}]),
        'empty': (reader('empty.csv', **header), []),
    }
    for name, (read, items) in cases.items():
        assert output(server, name, mapped(PASS, ItemReader=read)) == items, name
    listed = output(server, 'listed', mapped(PASS, ItemReader=reader('part/', LIST, 'Prefix')))
    assert [item['Key'] for item in listed] == ['part/1.csv', 'part/2.csv', 'part/3.csv']
    assert listed[0] == {'Etag': '"e"', 'LastModified': 1767225600, 'Key': 'part/1.csv', 'Size': 7, 'StorageClass': 'STANDARD'}
    # The same in JSONata, with an expression for everything.
    state = mapped({'Keep': {'Type': 'Pass', 'End': True}}, ItemSelector={'v': '{% $states.context.Map.Item.Value.id %}', 'from': '{% $states.context.Map.Item.Source %}'})
    state.update(QueryLanguage='JSONata', ItemReader={'Resource': READ, 'Arguments': {'Bucket': '{% $states.input.b %}', 'Key': '{% $states.input.k %}'},
                                                      'ReaderConfig': {**header, 'MaxItems': '{% 1 + 1 %}'}},
                 ResultWriter={'Resource': WRITE, 'Arguments': {'Bucket': 'out', 'Prefix': "{% 'p' & 1 %}"}, 'WriterConfig': {'Transformation': 'COMPACT'}})
    written = output(server, 'jsonata', state, json.dumps({'b': 'data', 'k': 'part/1.csv'}))
    key = written['ResultWriterDetails']['Key'].replace('manifest.json', 'SUCCEEDED_0.json')
    assert json.loads(store.objects[f'out/{key}']) == [{'v': '1', 'from': 'S3://data/part/1.csv'}, {'v': '2', 'from': 'S3://data/part/1.csv'}]


def test_faults_of_readers_and_writers_have_their_names(make_server, store, data):
    server = make_server('--s3-endpoint', store.url, '--bucket', f'here={data}')
    store.objects['data/twice.csv'] = b'a,a\n'
    store.objects['data/object.json'] = b'{}'
    header = {'InputType': 'CSV', 'CSVHeaderLocation': 'FIRST_ROW'}
    catch = [{'ErrorEquals': ['States.ItemReaderFailed', 'States.ResultWriterFailed'], 'Next': 'Caught'}]

    def fault(name, state):
        states = {'M': {**state, 'Catch': catch}, 'Caught': {'Type': 'Pass', 'End': True}}
        seen = ended(server.sfn, run(server.sfn, make(server.sfn, name, states), '[1]'))
        assert seen['status'] == 'SUCCEEDED', seen
        assert 'MapRunFailed' in types(server.sfn, seen['executionArn'])
        caught = json.loads(seen['output'])
        return caught['Error'] + ': ' + caught['Cause']

    assert fault('missing', mapped(PASS, ItemReader=reader('none.csv', **header))) == \
        'States.ItemReaderFailed: no: NoSuchKey (Service: S3, Status Code: 404, Request ID: )'
    assert 'AccessDenied' in fault('owner', mapped(PASS, ItemReader=reader('twice.csv', more={'ExpectedBucketOwner': '111111111111'}, **header)))
    assert fault('twice', mapped(PASS, ItemReader=reader('twice.csv', **header))) == 'States.ItemReaderFailed: CSV headers cannot contain duplicates.'
    assert fault('object', mapped(PASS, ItemReader=reader('object.json', InputType='JSON'))) == \
        'States.ItemReaderFailed: Attempting to map over non-iterable node.'
    assert fault('parquet', mapped(PASS, ItemReader=reader('object.json', InputType='PARQUET'))).startswith('States.ItemReaderFailed: This server reads')
    assert fault('outside', mapped(PASS, ItemReader=reader('../x.csv', bucket='here', **header))).startswith('States.ItemReaderFailed: ')
    assert 'AccessDenied' in fault('closed', mapped(PASS, ResultWriter=writer(bucket='closed')))
    assert fault('nowhere', mapped(PASS, ResultWriter=writer(bucket='here', prefix='a/../b'))).startswith('States.ResultWriterFailed: ')


def test_a_run_that_fails_leaves_its_results_and_can_be_redriven(bucket, data):
    """Express children fail as long as a file of the worker says so; a redrive starts only those anew."""
    (data / 'bad.json').write_text('{"bad": true}')
    look = {'Look': {'Type': 'Task', 'Resource': 'arn:aws:states:::aws-sdk:s3:getObject', 'Parameters': {'Bucket': 'data', 'Key': 'bad.json'},
                     'ResultSelector': {'state.$': 'States.StringToJson($.Body)'}, 'ResultPath': '$.look', 'Next': 'Choose'},
            'Choose': {'Type': 'Choice', 'Default': 'Good', 'Choices': [{'And': [{'Variable': '$.look.state.bad', 'BooleanEquals': True},
                                                                                {'Variable': '$.n', 'NumericGreaterThan': 1}], 'Next': 'Bad'}]},
            'Good': {'Type': 'Pass', 'OutputPath': '$.n', 'End': True}, 'Bad': {'Type': 'Fail', 'Error': 'Bad', 'Cause': 'so it is'}}
    state = mapped(look, MaxConcurrency=1, ResultWriter=writer(), ItemSelector={'n.$': '$$.Map.Item.Value'})
    sfn = bucket.sfn
    execution = run(sfn, make(sfn, 'fails', {'M': state}), '[0, 1, 2, 3]')
    seen = ended(sfn, execution)
    assert seen['status'] == 'FAILED' and seen['error'] == 'States.ExceedToleratedFailureThreshold'
    map_run = sfn.list_map_runs(executionArn=execution)['mapRuns'][0]['mapRunArn']
    written = {'MapRunArn': map_run, 'ResultWriterDetails': {'Bucket': 'data', 'Key': f'out/{map_run.rsplit(":")[-1]}/manifest.json'}}
    groups = results(data, written)
    assert [one['Output'] for one in groups['SUCCEEDED']] == ['0', '1']
    assert [(one['Error'], json.loads(one['Input'])) for one in groups['FAILED']] == [('Bad', {'n': 2})]
    assert [one['Input'] for one in groups['PENDING']] == ['3']
    refused(sfn.update_map_run, code='ValidationException', mapRunArn=map_run, maxConcurrency=2)
    try:
        sfn.update_map_run(mapRunArn=map_run, maxConcurrency=2)
    except sfn.exceptions.ValidationException as error:
        assert error.response['reason'] == 'CANNOT_UPDATE_COMPLETED_MAP_RUN'
    (data / 'bad.json').write_text('{"bad": false}')
    bucket.restart('kill')
    sfn = bucket.sfn
    at = sfn.redrive_execution(executionArn=execution, clientToken='once')['redriveDate']
    seen = ended(sfn, execution)
    assert seen['status'] == 'SUCCEEDED' and seen['redriveCount'] == 1, seen
    assert [one['Output'] for one in results(data, json.loads(seen['output']))['SUCCEEDED']] == ['0', '1', '2', '3']
    assert sfn.redrive_execution(executionArn=execution, clientToken='once')['redriveDate'] == at, 'the same request'
    bucket.restart('kill')
    assert bucket.sfn.redrive_execution(executionArn=execution, clientToken='once')['redriveDate'] == at, 'and after a restart'
    refused(bucket.sfn.redrive_execution, code='ExecutionNotRedrivable', executionArn=execution, clientToken='another')


def test_a_kill_in_the_middle_of_reading(make_server, store):
    server = make_server('--s3-endpoint', store.url)
    store.objects['data/rows.csv'] = b'id\n' + b''.join(b'%d\n' % n for n in range(2000))
    store.piece = 4000
    reached, let_go = store.hold('GET data/rows.csv')
    state = mapped(PASS, ItemReader=reader('rows.csv', InputType='CSV', CSVHeaderLocation='FIRST_ROW'), ItemBatcher={'MaxItemsPerBatch': 100},
                   ResultWriter=writer(Transformation='COMPACT', OutputType='JSONL'))
    execution = run(server.sfn, make(server.sfn, 'killed', {'M': state}))
    assert reached.wait(30)
    server.kill()
    let_go()
    server.start()
    seen = ended(server.sfn, execution)
    assert seen['status'] == 'SUCCEEDED', seen
    lines = store.objects[f"data/{json.loads(seen['output'])['ResultWriterDetails']['Key'].replace('manifest.json', 'SUCCEEDED_0.jsonl')}"].splitlines()
    assert [item['id'] for line in lines for item in json.loads(line)['Items']] == [str(n) for n in range(2000)]
    assert types(server.sfn, execution).count('MapRunStarted') == 1


def test_a_kill_in_the_middle_of_writing(make_server, store):
    """The file that was written before the kill is written again, byte for byte."""
    server = make_server('--s3-endpoint', store.url)
    reached, let_go = store.hold('PUT .*FAILED_0')
    fail_odd = {'Odd': {'Type': 'Choice', 'Choices': [{'Variable': '$', 'NumericEquals': 1, 'Next': 'No'}], 'Default': 'Yes'},
                'Yes': {'Type': 'Succeed'}, 'No': {'Type': 'Fail', 'Error': 'One'}}
    state = mapped(fail_odd, kind='STANDARD', ToleratedFailureCount=5, ResultWriter=writer())
    execution = run(server.sfn, make(server.sfn, 'killed', {'M': state}), '[0, 1, 2]')
    assert reached.wait(30)
    server.kill()
    let_go()
    server.start()
    seen = ended(server.sfn, execution)
    assert seen['status'] == 'SUCCEEDED', seen
    files = {}
    for key, body in store.puts:
        assert files.setdefault(key, body) == body, key
    names = [key.rsplit('/')[-1] for key, _ in store.puts]
    assert names.count('SUCCEEDED_0.json') == 2 and names.count('manifest.json') == 1 and names[-1] == 'manifest.json'
    assert {len({key.rsplit('/', 1)[0] for key in files})} == {1}


def peak_mib(server):
    status = pathlib.Path(f'/proc/{server.process.pid}/status').read_text()
    return int(re.search(r'VmHWM:\s+(\d+) kB', status).group(1)) // 1024


def test_forty_thousand_items_with_large_outputs(bucket, data):
    """Outputs of ten kilobytes each, 400 MB in all, come in their order; the server never holds several of each."""
    count = 40_000
    (data / 'many.csv').write_text('id\n' + ''.join(f'{n}\n' for n in range(count)))
    large = {'Grow': {'Type': 'Pass', 'Parameters': {'id.$': '$.id', 'pad': 'x' * 10_000}, 'End': True}}
    state = mapped(large, MaxConcurrency=200, ItemReader=reader('many.csv', InputType='CSV', CSVHeaderLocation='FIRST_ROW'),
                   ResultWriter=writer(Transformation='COMPACT'))
    execution = run(bucket.sfn, make(bucket.sfn, 'many', {'M': state}))
    seen = wait_for(lambda: (found := bucket.sfn.describe_execution(executionArn=execution))['status'] != 'RUNNING' and found, 400)
    assert seen['status'] == 'SUCCEEDED', seen
    manifest = json.loads((data / json.loads(seen['output'])['ResultWriterDetails']['Key']).read_text())
    ids = [one['id'] for file in manifest['ResultFiles']['SUCCEEDED'] for one in json.loads((data / file['Key']).read_text())]
    assert peak_mib(bucket) < 900, peak_mib(bucket)
    assert ids == [str(n) for n in range(count)] and len(manifest['ResultFiles']['SUCCEEDED']) > 10


def test_an_execution_whose_definition_is_refused_now_fails_and_the_server_starts(server):
    sfn = server.sfn
    server.define('long', sh('sleep 300'))
    task = {'Type': 'Task', 'Resource': 'arn:aws:states:::batch:submitJob.sync', 'End': True,
            'Parameters': {'JobName': 'one', 'JobQueue': 'default', 'JobDefinition': 'long'}}
    machine = make(sfn, 'old', {'T': task})
    execution = run(sfn, machine, '{"a": 1}')
    job = wait_for(lambda: server.ids(jobQueue='default', jobStatus='RUNNING'))[0]
    other = run(sfn, make(sfn, 'other', {'W': {'Type': 'Wait', 'Seconds': 1, 'End': True}}))
    server.terminate()
    with sqlite3.connect(server.data / 'stoker.db') as store:
        changed = store.execute("UPDATE machine_revisions SET body = replace(body, ?, ?) WHERE body LIKE '%submitJob.sync%'",
                                ('Task\\"', 'Tusk\\"')).rowcount
    store.close()
    assert changed == 1
    server.start()
    seen = ended(server.sfn, execution)
    assert seen['status'] == 'FAILED' and seen['error'] == 'States.Runtime' and json.loads(seen['input']) == {'a': 1}
    assert seen['cause'].startswith('This server does not accept the definition of the execution any more: ')
    assert types(server.sfn, execution)[-1] == 'ExecutionFailed'
    assert ended(server.sfn, other)['status'] == 'SUCCEEDED'
    assert server.wait(job, 'FAILED'), 'what it waited for is ended with it'
    server.restart()
    assert server.sfn.describe_execution(executionArn=execution)['status'] == 'FAILED'
    refused(server.sfn.redrive_execution, 'definition', code='ExecutionNotRedrivable', executionArn=execution)


def test_executions_of_all_machines_in_one_list(server):
    sfn = server.sfn
    names = []
    for number in range(5):
        machine = make(sfn, f'machine-{number % 2}-{number}', {'P': {'Type': 'Pass', 'End': True}})
        names.append(ended(sfn, run(sfn, machine, name=f'run-{number}'))['name'])
    assert server.cli('executions', '--names', check=0).stdout.split() == names[::-1]
    assert server.cli('executions', '--names', '-n', '2', check=0).stdout.split() == ['run-4', 'run-3']
    assert server.cli('executions', '--names', '-s', 'FAILED', check=0).stdout == ''
    assert 'ExecutionSucceeded' in server.cli('history', 'run-2', '--json', check=0).stdout
    status, _, body = server.http('POST', '/stoker/v1/listallexecutions', json.dumps({'maxResults': 2}).encode())
    page = json.loads(body)
    assert status == 200 and [one['name'] for one in page['executions']] == ['run-4', 'run-3'] and page['nextToken']

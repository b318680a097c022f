"""The vocabulary of the whole-system tests: a server of one's own and short words for what users do with it."""
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import boto3
from botocore.config import Config

HOME = pathlib.Path(__file__).resolve().parent.parent
STOKER = os.environ.get('STOKER') or str(HOME / 'build/release/stoker')
VENV_AWS = str(HOME / '.venv/bin/aws')
DEBIAN_AWS = '/usr/bin/aws'  # version 2, which alone has `logs tail`
ENDED = ('SUCCEEDED', 'FAILED')
GROUP = '/aws/batch/job'
DEADLINE = 30.0 * float(os.environ.get('STOKER_TEST_PATIENCE', '1'))  # seconds; generous, two cores run several tests at once


def wait_for(condition, deadline=DEADLINE, what=None, every=0.03):
    """Calls condition until it returns something true, and returns that; fails loudly after `deadline` seconds."""
    end = time.monotonic() + deadline
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            text = what() if callable(what) else what
            raise AssertionError(f'not within {deadline} s: {text or condition}; last value {value!r}')
        time.sleep(every)


# Processes of the tests themselves that may start and end during a test, such as a container engine: never a server's.
own_processes = set()


def become_subreaper():
    """Orphans below this process come to it, so that every process a server leaves behind can be found here."""
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def descendants(root=None):
    """pid -> (state, command line) of every living descendant of `root` (this process by default)."""
    root = root or os.getpid()
    parents, states = {}, {}
    for entry in os.listdir('/proc'):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path('/proc', entry, 'stat').read_text()
        except OSError:
            continue
        fields = text[text.rindex(')') + 2:].split()
        parents[int(entry)], states[int(entry)] = int(fields[1]), fields[0]
    found, layer = {}, {root}
    while layer:
        layer = {pid for pid, parent in parents.items() if parent in layer}
        for pid in layer:
            try:
                line = pathlib.Path('/proc', str(pid), 'cmdline').read_bytes().replace(b'\0', b' ').decode(errors='replace')
            except OSError:
                line = ''
            found[pid] = (states[pid], line.strip())
    return found


def reap_orphans(known=()):
    """Collects zombies that came to us and are nobody's Popen."""
    for pid, (state, _) in descendants().items():
        if state == 'Z' and pid not in known:
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass


class Server:
    """One `stoker serve` with a state folder of its own, and the clients to talk to it."""

    def __init__(self, *arguments, folder=None, environment=None, credentials=('test', 'test'), stoker=None):
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix='stoker-test-'))
        self.data = self.folder / 'state'
        self.work = self.folder / 'work'  # for files of jobs
        self.work.mkdir(exist_ok=True)
        self.arguments, self.credentials = list(arguments), credentials
        self.environment = {**os.environ, **(environment or {})}
        self.stoker = stoker or STOKER
        self.log_file = self.folder / 'server.log'
        self.expected_errors = []  # patterns of error lines that belong to the test
        self.process = self.address = None
        self.before = set(descendants())
        self._clients = {}

    # ---- the process ----
    def start(self, *more):
        address_file = self.folder / 'address'
        address_file.unlink(missing_ok=True)
        command = [self.stoker, 'serve', '--listen', '127.0.0.1:0', '--data', str(self.data),
                   '--address-file', str(address_file), *self.arguments, *more]
        with open(self.log_file, 'ab') as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment,
                                            cwd=self.folder)
        def answered():
            if self.process.poll() is not None:
                raise AssertionError(f'the server ended with {self.process.returncode}:\n{self.log_tail()}')
            return address_file.exists() and address_file.read_text().strip()
        self.address = wait_for(answered, what=lambda: f'the address file; the log ends:\n{self.log_tail()}', every=0.005)
        self._clients.clear()
        return self

    def terminate(self, deadline=40):
        """SIGTERM, as a service manager does; running jobs go on."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(deadline)
        assert code == 0, f'exit {code} after SIGTERM:\n{self.log_tail()}'

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self, how='terminate'):
        getattr(self, how)()
        return self.start()

    def processes(self):
        """pid -> command line of everything alive that this server started, directly or not."""
        reap_orphans({self.process.pid} if self.process else ())
        return {pid: line for pid, (state, line) in descendants().items()
                if pid not in self.before and pid not in own_processes and state != 'Z' and (not self.process or pid != self.process.pid)}

    def agents(self):
        return [pid for pid, line in self.processes().items() if re.search(r'stoker\S* node\b', line)]

    def stop(self, check=True):
        """Ends everything of this server, then checks that nothing is left and that no log holds an unexpected error."""
        crashed = self.process and self.process.poll() is not None and self.process.returncode not in (0, -signal.SIGKILL)
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                crashed = True
        for number in (signal.SIGTERM, signal.SIGKILL):
            end = time.monotonic() + 5
            while self.processes() and time.monotonic() < end:
                for pid in self.processes():
                    try:
                        os.kill(pid, number)
                    except OSError:
                        pass
                time.sleep(0.02)
        left = self.processes()
        errors = self.error_lines()
        tail = self.log_tail()
        shutil.rmtree(self.folder, ignore_errors=True)
        if check:
            assert not crashed, f'the server ended with {self.process.returncode}:\n{tail}'
            assert not left, f'processes left over: {left}'
            assert not errors, 'unexpected error lines:\n' + '\n'.join(errors)

    def error_lines(self):
        lines = []
        for file in self.log_files():
            try:
                text = file.read_text(errors='replace')
            except OSError:
                continue
            for line in text.splitlines():
                if not line.startswith('{'):
                    if re.search(r'AddressSanitizer|LeakSanitizer|runtime error:|ASSERT|terminate called|Aborted', line):
                        lines.append(f'{file.name}: {line}')
                    continue
                if '"level":"error"' in line and not any(re.search(pattern, line) for pattern in self.expected_errors):
                    lines.append(f'{file.name}: {line}')
        return lines

    def log_files(self):
        """Of the server and its agent; those of jobs lie deeper."""
        return [self.log_file, *self.data.glob('*.log'), *self.data.glob('node/*.log')]

    def log_tail(self, lines=20):
        texts = []
        for file in self.log_files():
            if file.exists():
                texts.append(f'[{file.name}]\n' + '\n'.join(file.read_text(errors='replace').splitlines()[-lines:]))
        return '\n'.join(texts)

    # ---- clients ----
    def client(self, service, credentials=None, **config):
        key, secret = credentials or self.credentials
        return boto3.session.Session().client(
            service, endpoint_url=self.address, region_name='us-east-1', aws_access_key_id=key, aws_secret_access_key=secret,
            config=Config(retries={'max_attempts': 0}, read_timeout=60, **config))

    @property
    def batch(self):
        return self._cached('batch')

    @property
    def sfn(self):
        return self._cached('stepfunctions')

    @property
    def logs(self):
        return self._cached('logs')

    def _cached(self, service):
        if service not in self._clients:
            self._clients[service] = self.client(service)
        return self._clients[service]

    def client_environment(self):
        clean = {name: value for name, value in os.environ.items() if not name.startswith('AWS_')}
        return {**clean, 'AWS_ENDPOINT_URL': self.address, 'AWS_ACCESS_KEY_ID': self.credentials[0], 'AWS_PAGER': '',
                'AWS_SECRET_ACCESS_KEY': self.credentials[1], 'AWS_DEFAULT_REGION': 'us-east-1', 'AWS_MAX_ATTEMPTS': '1',
                'AWS_CONFIG_FILE': '/dev/null', 'AWS_SHARED_CREDENTIALS_FILE': '/dev/null', 'AWS_EC2_METADATA_DISABLED': 'true',
                'NO_PROXY': '127.0.0.1', 'STOKER_ENDPOINT': self.address, 'PYTHONWARNINGS': 'ignore',
                'PYTHONUNBUFFERED': '1'}  # a command that follows writes into a file here, line by line as on a terminal

    def aws(self, *arguments, program=VENV_AWS):
        """The aws CLI; its JSON answer, or its text where it is none."""
        result = self.aws_result(*arguments, program=program)
        assert result.returncode == 0, f'aws {arguments}: {result.stderr}'
        return json.loads(result.stdout) if result.stdout.lstrip().startswith(('{', '[')) else result.stdout

    def aws_result(self, *arguments, program=VENV_AWS):
        command = [program, *map(str, arguments)]
        if program == DEBIAN_AWS:  # older than AWS_ENDPOINT_URL
            command += ['--endpoint-url', self.address]
        return subprocess.run(command, env=self.client_environment(), capture_output=True, text=True, timeout=90, cwd=self.folder)

    def cli(self, *arguments, check=None, input=None, timeout=60):
        """Our own command; with check, its exit status must be that."""
        result = subprocess.run([self.stoker, *map(str, arguments)], env=self.client_environment(), capture_output=True, text=True,
                                timeout=timeout, input=input or '', cwd=self.folder)
        if check is not None:
            assert result.returncode == check, f'stoker {arguments}: exit {result.returncode}\n{result.stdout}\n{result.stderr}'
        return result

    def http(self, method, path, body=b'', headers=None):
        """A request as it is, unsigned: (status, headers, body)."""
        request = urllib.request.Request(self.address + path, data=body if body or method == 'POST' else None, method=method,
                                         headers=headers or {'content-type': 'application/json'})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, dict(answer.headers), answer.read()

    # ---- what users do ----
    def define(self, name='work', command=('true',), vcpus=1, memory=64, gpus=0, image='host', container=None, **members):
        """Registers a container definition; returns name:revision."""
        resources = [('VCPU', vcpus), ('MEMORY', memory)] + ([('GPU', gpus)] if gpus else [])
        answer = self.batch.register_job_definition(
            jobDefinitionName=name, type='container',
            containerProperties={'image': image, 'command': list(command),
                                 'resourceRequirements': [{'type': kind, 'value': str(value)} for kind, value in resources],
                                 **(container or {})}, **members)
        return f"{answer['jobDefinitionName']}:{answer['revision']}"

    def submit(self, definition, queue='default', name='job', **members):
        return self.batch.submit_job(jobName=name, jobQueue=queue, jobDefinition=definition, **members)['jobId']

    def run(self, script, wait=True, submit=None, name='work', **definition):
        """Defines and submits a shell script; returns the ended job (or its id without wait)."""
        job = self.submit(self.define(name, sh(script), **definition), **(submit or {}))
        return self.wait(job) if wait else job

    def job(self, job):
        found = self.batch.describe_jobs(jobs=[job])['jobs']
        assert found, f'no job {job}'
        return found[0]

    def status(self, job):
        return self.job(job)['status']

    def wait(self, job, *statuses, deadline=DEADLINE):
        """Waits until the job is in one of these states (ended, by default) and returns it."""
        wanted = statuses or ENDED
        last = {}

        def there():
            last.update(job=self.job(job))
            if last['job']['status'] in ENDED and last['job']['status'] not in wanted:
                raise AssertionError(f"{job} is {last['job']['status']} ({last['job'].get('statusReason')}, "
                                     f"{last['job'].get('container', {}).get('reason')}), not {wanted}")
            return last['job']['status'] in wanted

        wait_for(there, deadline, lambda: f"{job} to be {wanted}: {brief(last['job'])}\n{self.log_tail()}")
        return last['job']

    def stream(self, job):
        return self.job(job)['container']['logStreamName']

    def log(self, job):
        """The messages of the job's (latest) log stream; an empty list where there is none."""
        name = self.job(job)['container'].get('logStreamName')
        if not name:
            return []
        try:
            return [event['message'] for event in all_events(self.logs, name)]
        except self.logs.exceptions.ResourceNotFoundException:
            return []

    def ids(self, **query):
        """Every jobId that ListJobs gives for the query, over all pages."""
        pages = self.batch.get_paginator('list_jobs').paginate(**query)
        return [job['jobId'] for page in pages for job in page['jobSummaryList']]


def all_events(logs, stream):
    events, token = [], None
    while True:
        page = logs.get_log_events(logGroupName=GROUP, logStreamName=stream, startFromHead=True,
                                   **({'nextToken': token} if token else {}))
        events += page['events']
        if page['nextForwardToken'] == token:
            return events
        token = page['nextForwardToken']


def sh(script):
    return ['/bin/sh', '-c', script]


def said(lines):
    """What a script itself printed: without the shell's remark that a child of its was terminated."""
    return [line for line in lines if line not in ('Terminated', 'Killed')]


def brief(job):
    keys = ('jobId', 'jobName', 'status', 'statusReason', 'startedAt', 'stoppedAt', 'attempts')
    return {key: job[key] for key in keys if key in job}


def refused(call, *texts, code='ClientException', **arguments):
    """The call must fail with this error code; its message (returned) holds every one of the texts."""
    try:
        answer = call(**arguments)
    except Exception as error:  # noqa: BLE001  # botocore makes its error classes while it runs
        response = getattr(error, 'response', None)
        assert response, f'not an answer of the server: {error!r}'
        message = response['Error']['Message']
        assert response['Error']['Code'] == code, f"{response['Error']}"
        status = response['ResponseMetadata']['HTTPStatusCode']
        assert 400 <= status < 500, status
        assert message, 'an error without a word'
        for text in texts:
            assert text.lower() in message.lower(), f'{text!r} not in {message!r}'
        return message
    raise AssertionError(f'was accepted: {answer}')

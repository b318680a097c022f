"""A real `stoker serve` on a state folder of its own, and the few calls that the parts need."""
import http.client
import json
import re
import signal
import subprocess
import time

from measure.context import Skipped, end_leftovers

START_SECONDS = 30


class Server:
    """with Server(context, '--engine', 'fake') as server: ..."""

    def __init__(self, context, *arguments):
        if not context.stoker.exists():
            raise Skipped(f'{context.stoker} is not built')
        self.context = context
        self.folder = context.new_folder('server')
        address, self.log = self.folder / 'address', self.folder / 'server.log'
        self.process = context.start(
            [context.stoker, 'serve', '--listen', '127.0.0.1:0', '--data', self.folder / 'state', '--address-file', address,
             '--gpus', 'none', '--containers', 'none', '--stop-jobs', *arguments], self.log)
        until = time.monotonic() + START_SECONDS
        while not (address.exists() and address.read_text().strip()):
            if self.process.poll() is not None or time.monotonic() > until:
                raise Skipped('the server did not start: ' + self.log.read_text(errors='replace').strip()[-300:])
            time.sleep(0.02)
        self.address = address.read_text().strip().removeprefix('http://')
        self.connection = http.client.HTTPConnection(self.address, timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        end_leftovers(self.folder)

    def call(self, operation, **body):
        self.connection.request('POST', '/v1/' + operation.lower(), json.dumps(body), {'Content-Type': 'application/json'})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise Skipped(f'{operation} was refused: {text[:300]!r}')
        return json.loads(text)

    def define(self, name, command=('/bin/true',), gpus=0):
        """A definition of plain processes; with a GPU they wait for ever, since the server has none."""
        needs = {'VCPU': '1', 'MEMORY': '4'} | ({'GPU': str(gpus)} if gpus else {})
        self.call('RegisterJobDefinition', jobDefinitionName=name, type='container', containerProperties={
            'image': 'host', 'command': list(command),
            'resourceRequirements': [{'type': kind, 'value': value} for kind, value in needs.items()]})
        return name

    def load(self, definition, requests, connections=16, until='answered', array=0, seconds_max=900):
        """Submits over and over by bench_load; what that prints."""
        body = {'jobName': 'bench', 'jobQueue': 'default', 'jobDefinition': definition}
        if array:
            body['arrayProperties'] = {'size': array}
        return self.context.measure('load', 'submit', '--address', self.address, '--body', json.dumps(body), '--requests', requests,
                                    '--connections', connections, '--until', until, '--seconds-max', seconds_max)

    def count(self, status, **of):
        """How many jobs of the queue (or of an array) have that status, by paging through them."""
        found, token = 0, {}
        while True:
            page = self.call('ListJobs', jobStatus=status, maxResults=1000, **(of or {'jobQueue': 'default'}), **token)
            found += len(page['jobSummaryList'])
            if not page.get('nextToken'):
                return found
            token = {'nextToken': page['nextToken']}

    def expect(self, status, count, **of):
        found = self.count(status, **of)
        if found != count:
            raise Skipped(f'{found} jobs are {status} where {count} should be')

    def wait_for_node(self):
        """Until a job can run: submits one and waits for its end."""
        self.load(self.define('first'), 1, connections=1, until='drained', seconds_max=30)

    def resident_bytes(self):
        status = open(f'/proc/{self.process.pid}/status').read()
        return int(re.search(r'^VmRSS:\s*(\d+)', status, re.M)[1]) << 10

"""Jobs of random kinds for the crash test, and what must be true of them in the end."""
import collections
import http.client
import json
import threading
import time

from support import ENDED, all_events, sh, wait_for

LINES = 5  # log lines of an attempt

# name -> (script after the first line, attempts it may use, how it must end, attempts it must make)
KINDS = {
    'quick': ('exit 0', 1, 'SUCCEEDED', 1),
    'fails': ('exit 3', 1, 'FAILED', 1),
    'again': ('exit 1', 3, 'FAILED', 3),
    'second': ('[ $AWS_BATCH_JOB_ATTEMPT -eq 2 ]', 4, 'SUCCEEDED', 2),
    'slow': ('sleep 0.4', 1, 'SUCCEEDED', 1),
    'killed': ('kill -KILL $$', 1, 'FAILED', 1),
}
NODES = 2
# The same for multi-node jobs of that many nodes.
GANGS = {
    'gang': ('[ $AWS_BATCH_JOB_NODE_INDEX = 1 ] || {until_all_have_spoken}; exit 0', 1, 'SUCCEEDED', 1),
    # Its second node fails, the main one would go on for ever.
    'gang-again': ('{until_all_have_spoken}; [ $AWS_BATCH_JOB_NODE_INDEX = 1 ] && exit 3; sleep 1000', 2, 'FAILED', 2),
}


def ends_as(kind):
    return (KINDS | GANGS)[kind][2]


class JobLoad:
    """Submits jobs of random kinds until told to stop. Only what was answered counts; what was not may exist or not."""

    def __init__(self, server, rng):
        self.server, self.rng = server, rng
        self.jobs = {}  # job id -> (kind, array size or 0)
        self.unanswered = 0
        self.stopping = threading.Event()
        self.failure = None
        for kind, (rest, attempts, _, _) in KINDS.items():
            script = f'echo $AWS_BATCH_JOB_ATTEMPT >> {server.work}/$AWS_BATCH_JOB_ID; ' \
                     f'for n in 1 2 3 4 5; do echo $AWS_BATCH_JOB_ATTEMPT:$n; done; {rest}'
            server.define(kind, sh(script), memory=16, retryStrategy={'attempts': attempts})
        for kind, (rest, attempts, _, _) in GANGS.items():
            self.define_gang(kind, rest, attempts)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def define_gang(self, kind, rest, attempts):
        files = f'{self.server.work}/${{AWS_BATCH_JOB_ID%#*}}'
        until = f'until grep -qx $AWS_BATCH_JOB_ATTEMPT {files}#0 && grep -qx $AWS_BATCH_JOB_ATTEMPT {files}#1; do sleep 0.02; done 2>/dev/null'
        script = f'for n in 1 2 3 4 5; do echo $AWS_BATCH_JOB_ATTEMPT:$n; done; ' \
                 f'echo $AWS_BATCH_JOB_ATTEMPT >> {self.server.work}/$AWS_BATCH_JOB_ID; ' + rest.format(until_all_have_spoken=until)
        container = {'image': 'host', 'command': list(sh(script)),
                     'resourceRequirements': [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '16'}]}
        self.server.batch.register_job_definition(
            jobDefinitionName=kind, type='multinode', retryStrategy={'attempts': attempts},
            nodeProperties={'numNodes': NODES, 'mainNode': 0,
                            'nodeRangeProperties': [{'targetNodes': '0:', 'container': container}]})

    def run(self):
        try:
            while not self.stopping.is_set():
                self.one()
                self.stopping.wait(self.rng.random() * 0.04)
        except BaseException as error:  # noqa: BLE001  # shown by the test, not by a thread nobody watches
            self.failure = error

    def one(self):
        kind = self.rng.choice(list(GANGS if self.rng.random() < 0.1 else KINDS))
        size = 0 if kind in GANGS else self.rng.choice([0, 0, 0, 0, 3])
        before = self.rng.choice(list(self.jobs)) if self.jobs and self.rng.random() < 0.2 else None
        if before and ends_as(self.jobs[before][0]) == 'FAILED':
            before = None
        more = {'arrayProperties': {'size': size}} if size else {}
        if before:
            more['dependsOn'] = [{'jobId': before}]
        body = json.dumps({'jobName': kind, 'jobQueue': 'default', 'jobDefinition': kind, **more})
        try:  # plain HTTP: a client of the SDK would take longer to make than the server lives here
            status, _, answer = self.server.http('POST', '/v1/submitjob', body.encode())
        except (OSError, http.client.HTTPException):  # the server was just killed
            self.unanswered += 1
            time.sleep(0.01)
            return
        assert status == 200, (status, answer)
        answer = json.loads(answer)
        self.jobs[answer['jobId']] = (kind, size)

    @property
    def answered(self):
        return len(self.jobs)

    def stop(self):
        self.close()
        if self.failure:
            raise self.failure

    def close(self):
        self.stopping.set()
        self.thread.join()


def instances(jobs):
    """(job id, kind) of everything that runs: plain jobs, the children of arrays, the nodes of multi-node jobs."""
    for job, (kind, size) in jobs.items():
        if kind in GANGS:
            yield from ((f'{job}#{index}', kind) for index in range(NODES))
        elif size:
            yield from ((f'{job}:{index}', kind) for index in range(size))
        else:
            yield job, kind


def described(server, ids):
    found = {}
    for start in range(0, len(ids), 100):
        for job in server.batch.describe_jobs(jobs=ids[start:start + 100])['jobs']:
            found[job['jobId']] = job
    return found


def check_everything(server, load, run_deadline=90):
    parents = [job for job, (kind, size) in load.jobs.items() if size or kind in GANGS]
    ids = [job for job, _ in instances(load.jobs)] + parents

    def all_ended():
        states = described(server, ids)
        missing = [job for job in ids if job not in states]
        assert not missing, f'lost: {missing[:5]} of {len(ids)}'
        return all(job['status'] in ENDED for job in states.values()) and states

    def left():
        states = described(server, ids)
        open_jobs = [(job['jobId'], job['jobName'], job['status'], job.get('statusReason')) for job in states.values()
                     if job['status'] not in ENDED]
        return f'{len(open_jobs)} jobs not ended: {open_jobs[:5]}\n{server.log_tail()}'

    states = wait_for(all_ended, run_deadline, left, every=0.5)
    problems = []
    for job, kind in instances(load.jobs):
        _, _, status, attempts = (KINDS | GANGS)[kind]
        found = states[job]
        lines = (server.work / job).read_text().split() if (server.work / job).exists() else []
        counts = collections.Counter(lines)
        if found['status'] != status and not job.endswith('#1'):  # what has spoken is told to end with the main node
            problems.append(f"{job} ({kind}) is {found['status']}: {found.get('statusReason')} {found.get('container', {}).get('reason')}")
        if counts != collections.Counter(str(number) for number in range(1, attempts + 1)):
            problems.append(f'{job} ({kind}) ran attempts {dict(counts)}, wanted 1 to {attempts}')
        if len(found['attempts']) != attempts:
            problems.append(f"{job} ({kind}) records {len(found['attempts'])} attempts, wanted {attempts}")
        for number, attempt in enumerate(found['attempts'], 1):
            log = [event['message'] for event in all_events(server.logs, attempt['container']['logStreamName'])]
            if log != [f'{number}:{line}' for line in range(1, LINES + 1)]:
                problems.append(f'{job} ({kind}) attempt {number} logged {log}')
    for parent in parents:
        wanted = ends_as(load.jobs[parent][0])
        if states[parent]['status'] != wanted:
            problems.append(f"{load.jobs[parent][0]} {parent} is {states[parent]['status']}, wanted {wanted}")
    assert not problems, f'{len(problems)} problems:\n' + '\n'.join(problems[:20])

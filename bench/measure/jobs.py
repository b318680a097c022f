"""(a) No-op jobs from the first submission to the last SUCCEEDED, beside peers that start as many."""
import os
import shutil
import subprocess
import time

from measure import slurm
from measure.context import Skipped
from measure.server import Server

PROGRAM = '/bin/true'
NODE = ('--cpus', '64', '--memory-mib', '65536')       # as many at once as the Slurm node is told to have
FAKE = ('--engine', 'fake', '--cpus', '1000')
BUSY = 64                                              # connections that keep a fake node busy


def measure(context):
    count = context.size(2000, 200)
    rows = {}

    def row(name, jobs, once, times=context.size(3, 1)):
        context.say(f'  {name}, {jobs} jobs')
        try:
            seconds = context.repeat(times, once)
            rows[name] = {'jobs': jobs, 'seconds': seconds, 'per_second': jobs / seconds}
        except Skipped as why:
            rows[name] = {'jobs': jobs, 'skipped': str(why)}

    row('posix_spawn and waitpid, one thread', count, lambda: context.measure('spawn', count, PROGRAM)['seconds'])
    row('xargs -P1', count, lambda: xargs(count, 1))
    row('xargs -P2', count, lambda: xargs(count, 2))
    row('task-spooler', count, lambda: task_spooler(context, count), times=1)
    row('stoker', count, lambda: jobs_of(context, NODE, count))
    row('stoker, one array', count, lambda: array_of(context, NODE, count))
    row('stoker, fake node', count, lambda: jobs_of(context, FAKE, count, BUSY))
    row('stoker, fake node, one array', count, lambda: array_of(context, FAKE, count))
    many = context.size(200_000, 10_000)
    row('stoker, fake node, many', many, lambda: jobs_of(context, FAKE, many, BUSY))
    for name, once in slurm.throughputs(context, context.size(2000, 20)).items():
        context.say(f'  {name}')
        context.quiet()
        try:
            done, seconds = once()
            rows[name] = {'jobs': done, 'seconds': seconds, 'per_second': done / seconds}
        except Skipped as why:
            rows[name] = {'skipped': str(why)}
    return rows


def xargs(count, at_once):
    lines = b'\n'.join([b'x'] * count)
    begin = time.monotonic()
    subprocess.run(['xargs', f'-P{at_once}', '-n1', PROGRAM], input=lines, check=True)
    return time.monotonic() - begin


def task_spooler(context, count):
    tsp = shutil.which('tsp')
    if tsp is None:
        raise Skipped('tsp (package task-spooler) is not installed')
    folder = context.new_folder('tsp')
    settings = os.environ | {'TS_SOCKET': str(folder / 'socket'), 'TMPDIR': str(folder), 'TS_MAXFINISHED': '10'}
    try:
        subprocess.run([tsp, '-S', str(os.cpu_count())], env=settings, check=True, capture_output=True)
        begin = time.monotonic()
        # A loop of the shell, as its users write it.
        done = subprocess.run(['sh', '-c', f'for i in $(seq {count}); do {tsp} -n {PROGRAM} >/dev/null; done; {tsp} -w'],
                              env=settings, timeout=600, capture_output=True, text=True)
        if done.returncode != 0:
            raise Skipped('tsp failed: ' + done.stderr[-200:])
        return time.monotonic() - begin
    except subprocess.TimeoutExpired:
        raise Skipped('tsp did not end in 10 minutes') from None
    finally:
        subprocess.run([tsp, '-K'], env=settings, capture_output=True)


def jobs_of(context, arguments, count, connections=16):
    with Server(context, *arguments) as server:
        server.wait_for_node()
        seconds = server.load(server.define('noop', [PROGRAM]), count, connections, until='drained')['total_seconds']
        server.expect('SUCCEEDED', count + 1)
        return seconds


def array_of(context, arguments, count):
    with Server(context, *arguments) as server:
        server.wait_for_node()
        done = server.load(server.define('noop', [PROGRAM]), 1, connections=1, until='array', array=count)
        server.expect('SUCCEEDED', count, arrayJobId=done['last_id'])
        return done['total_seconds']

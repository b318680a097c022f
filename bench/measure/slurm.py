"""Slurm as a peer: a lab on loopback that ends with one SIGKILL, and what it does with as many jobs."""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import time

from measure.context import Skipped

LAB = pathlib.Path(__file__).with_name('slurm_lab.sh')
PROGRAMS = ('slurmctld', 'slurmd', 'munged', 'sbatch', 'squeue', 'sinfo', 'unshare')
START_SECONDS = 30
THROUGHPUT_SECONDS = 90      # a slower one is measured by what it did until then
POLL_SECONDS = 1.0


def throughputs(context, count):
    """Names and measures; each returns (jobs done, seconds)."""
    return {'Slurm, default settings': lambda: throughput(context, 'default', count, arrays=False),
            'Slurm, tuned': lambda: throughput(context, 'tuned', count, arrays=False),
            'Slurm, tuned, arrays': lambda: throughput(context, 'tuned', count, arrays=True)}


def free_ports():
    """The first of two neighbours that are free now."""
    for _ in range(100):
        with socket.socket() as one, socket.socket() as two:
            one.bind(('127.0.0.1', 0))
            port = one.getsockname()[1]
            with contextlib.suppress(OSError, OverflowError):
                two.bind(('127.0.0.1', port + 1))
                return port
    raise Skipped('no two free ports side by side')


@contextlib.contextmanager
def lab(context, kind):
    path = os.environ['PATH'] + ':/usr/sbin:/sbin'
    for program in PROGRAMS:
        if shutil.which(program, path=path) is None:
            raise Skipped(f'{program} is not installed')
    folder = context.new_folder('slurm')
    alone = ['unshare', '-pf' if os.geteuid() == 0 else '-cUpf', '--mount-proc', '--kill-child']
    child = context.start([*alone, LAB, folder, free_ports(), kind], folder / 'lab.log')
    # As little environment as jobs need, handed on as it is: with --export=NONE Slurm would start a login shell for
    # each job to learn the user's, which measures that user's profile.
    settings = {'SLURM_CONF': str(folder / 'slurm.conf'), 'PATH': path}

    def run(*command, **more):
        return subprocess.run(command, env=settings, cwd=folder, capture_output=True, text=True, timeout=400, **more)
    try:
        until = time.monotonic() + START_SECONDS
        while run('sinfo', '-h', '-o', '%D %T').stdout.strip() != '1 idle':
            if child.poll() is not None or time.monotonic() > until:
                logs = ' / '.join(log.read_text(errors='replace').strip()[-200:] for log in folder.glob('l*/*') if log.is_file())
                raise Skipped('the lab did not start: ' + logs[-600:])
            time.sleep(0.2)
        yield run, folder
    finally:
        child.kill()
        child.wait()


def throughput(context, kind, count, arrays):
    with lab(context, kind) as (run, folder):
        script = folder / 'noop.sh'
        script.write_text('#!/bin/sh\n')
        begin = time.monotonic()
        common = ['-Q', '--export=ALL', '-o', '/dev/null', str(script)]
        if arrays:
            for first in range(0, count, 1000):
                submit(run, f'--array=0-{min(1000, count - first) - 1}', *common)
        else:
            # One sbatch a job, one after another, by one shell, as users script it.
            submitted = run('sh', '-c', 'for i in $(seq "$1"); do sbatch "$2" "$3" "$4" "$5" "$6" || exit 1; done',
                            'sh', str(count), *common)
            if submitted.returncode != 0:
                raise Skipped('sbatch failed: ' + submitted.stderr[-200:])
        return wait_until_done(run, begin, count)


def wait_until_done(run, begin, count):
    """Jobs done and the seconds that took. A squeue that fails, as under load it does, says nothing about the jobs."""
    left = count
    while True:
        answer = run('squeue', '-h', '-r', '-o', '%i')
        passed = time.monotonic() - begin
        if answer.returncode == 0:
            left = len(answer.stdout.split())
        if left == 0 or (passed > THROUGHPUT_SECONDS and answer.returncode == 0):
            return count - left, passed
        if passed > 3 * THROUGHPUT_SECONDS:
            raise Skipped('squeue does not answer: ' + answer.stderr.strip()[-200:])
        time.sleep(POLL_SECONDS)


def submit(run, *arguments):
    done = run('sbatch', *arguments)
    if done.returncode != 0:
        raise Skipped('sbatch failed: ' + done.stderr[-200:])


def submit_to_exec(context, jobs):
    """Milliseconds from before sbatch to the first line of the job's program, sorted; tuned settings."""
    stamp = context.program('stamp')
    with lab(context, 'tuned') as (run, folder):
        script, stamps = folder / 'stamp.sh', folder / 'stamps'
        script.write_text(f'#!/bin/sh\nexec {stamp} {stamps}\n')
        waits = []
        for number in range(1, jobs + 1):
            begin = time.time_ns()
            submit(run, '-Q', '--export=ALL', '-o', '/dev/null', str(script))
            until = time.monotonic() + 30
            while not stamps.exists() or len(stamps.read_text().splitlines()) < number:
                if time.monotonic() > until:
                    raise Skipped('a job did not start in 30 s')
                time.sleep(0.01)
            waits.append((int(stamps.read_text().splitlines()[-1]) - begin) / 1e6)
            while run('squeue', '-h').stdout.strip():
                time.sleep(0.2)
        return sorted(waits)

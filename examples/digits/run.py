"""The main job on real input: a server of its own, a pipeline through the AWS Batch API, a table of what happened.

    prepare the data  ->  an array job trains a model per setting  ->  pick the best

usage: run.py --stoker build/release/stoker [--gpus 4xA10G] [--epochs N]
Everything lives in a temporary folder and nothing is left running.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from server import Server
from settings import SETTINGS, text

HERE = pathlib.Path(__file__).resolve().parent
ENDED = ('SUCCEEDED', 'FAILED')
LIVE = sys.stdout.isatty() and os.environ.get('TERM', 'dumb') != 'dumb'


class Progress:
    """Lines that stay (say) above one line that changes (show), or lines alone where the output is no terminal."""

    def __init__(self):
        self.shown = ''

    def show(self, line):
        width = shutil.get_terminal_size().columns - 1
        if LIVE and line != self.shown:
            sys.stdout.write('\r\x1b[K' + line[:width])
            sys.stdout.flush()
        self.shown = line

    def say(self, line):
        sys.stdout.write(('\r\x1b[K' if LIVE else '') + line + '\n' + (self.shown if LIVE else ''))
        sys.stdout.flush()


def submit_pipeline(batch, folder, epochs, gpus):
    """Registers the three definitions and submits the three jobs, each waiting for the one before it."""
    def register(name, script, parameters, resources):
        return batch.register_job_definition(
            jobDefinitionName=name, type='container', parameters=parameters,
            containerProperties={
                'image': 'host',  # a process of this machine
                'command': [sys.executable, str(HERE / script)] + [f'Ref::{key}' for key in parameters],
                'environment': [{'name': name, 'value': '1'} for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS')],
                'resourceRequirements': [{'type': kind, 'value': value} for kind, value in resources.items()]})

    small, training = {'VCPU': '1', 'MEMORY': '256'}, {'VCPU': '1', 'MEMORY': '512'}
    if gpus:
        training['GPU'] = '1'
    register('digits-prepare', 'prepare.py', {'folder': str(folder)}, small)
    register('digits-train', 'train.py', {'folder': str(folder), 'epochs': str(epochs)}, training)
    register('digits-pick', 'pick.py', {'folder': str(folder)}, small)
    ids, before = {}, []
    for step, more in (('prepare', {}), ('train', {'arrayProperties': {'size': len(SETTINGS)}}), ('pick', {})):
        job = batch.submit_job(jobName=f'digits-{step}', jobQueue='default', jobDefinition=f'digits-{step}', dependsOn=before, **more)
        ids[step], before = job['jobId'], [{'jobId': job['jobId']}]
    return ids


def log_lines(logs, job):
    stream = job.get('container', {}).get('logStreamName')
    if not stream:
        return []
    try:
        events = logs.get_log_events(logGroupName='/aws/batch/job', logStreamName=stream, startFromHead=True)['events']
    except logs.exceptions.ResourceNotFoundException:
        return []
    return [event['message'] for event in events]


def describe(batch, ids):
    return batch.describe_jobs(jobs=ids)['jobs'] if ids else []


def watch(server, batch, logs, ids, deadline):
    """Follows the pipeline to its end; returns the ended jobs, children of the array in the order of their index."""
    progress, told = Progress(), set()
    children = [f"{ids['train']}:{index}" for index in range(len(SETTINGS))]
    while True:
        jobs = {job['jobId']: job for job in describe(batch, [*ids.values(), *children])}
        for job in sorted((job for job in jobs.values() if 'container' in job), key=lambda job: job.get('stoppedAt', 0)):
            if job['status'] in ENDED and job['jobId'] not in told and 'size' not in job.get('arrayProperties', {}):
                told.add(job['jobId'])
                last = (log_lines(logs, job) or [''])[-1]
                if job['jobId'] in children:
                    last = f"{text(SETTINGS[children.index(job['jobId'])])}  {last}"
                progress.say(f"{clock(job['stoppedAt'])}  {label(job):18} {job['status']:9}  {last}")
        counts = {}
        for name in children:
            status = jobs.get(name, {}).get('status', 'WAITING')
            counts[status] = counts.get(status, 0) + 1
        done = counts.get('SUCCEEDED', 0) + counts.get('FAILED', 0)
        bar = '#' * (24 * done // len(children))
        progress.show(f"prepare {jobs[ids['prepare']]['status'].lower()} · train [{bar:24}] {done}/{len(children)}, "
                      f"{counts.get('RUNNING', 0) + counts.get('STARTING', 0)} running · pick {jobs[ids['pick']]['status'].lower()}")
        if all(jobs[one]['status'] in ENDED for one in ids.values()):
            if LIVE:
                sys.stdout.write('\r\x1b[K')
            return [jobs[ids['prepare']], *(jobs[name] for name in children), jobs[ids['pick']]]
        if server.process.poll() is not None:
            server.fail('the server ended')
        if time.monotonic() > deadline:
            server.fail('the pipeline took too long')
        time.sleep(0.1)


def label(job):
    index = job.get('arrayProperties', {}).get('index')
    return job['jobName'] + ('' if index is None else f'[{index}]')


def clock(milliseconds):
    return time.strftime('%H:%M:%S', time.localtime(milliseconds / 1000))


def resources(job):
    wanted = {one['type']: one['value'] for one in job['container'].get('resourceRequirements', [])}
    return f"{wanted['GPU']} GPU" if 'GPU' in wanted else f"{wanted.get('VCPU', '?')} CPU"


def print_table(jobs, logs, folder):
    rows = [('job', 'what', 'runs on', 'waited s', 'ran s', 'exit', 'validation')]
    previous_end = None
    for job in jobs:
        index = job.get('arrayProperties', {}).get('index')
        result = folder / f'result-{index}.json'
        accuracy = f"{json.loads(result.read_text())['accuracy']:.2%}" if index is not None and result.exists() else ''
        started, stopped = job.get('startedAt', job['stoppedAt']), job['stoppedAt']
        on = resources(job)
        devices = [line.split('GPU ')[-1] for line in log_lines(logs, job)[:1] if '  GPU ' in line]
        if devices:
            on += f' ({devices[0]})'
        rows.append((label(job), text(SETTINGS[index]) if index is not None else job['statusReason'] if job['status'] == 'FAILED' else '',
                     on, f"{(started - job['createdAt']) / 1000:.2f}", f'{(stopped - started) / 1000:.2f}',
                     str(job['container'].get('exitCode', '-')), accuracy))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        print('  '.join(f'{cell:>{width}}' if column in (3, 4, 5, 6) else f'{cell:{width}}'
                        for column, (cell, width) in enumerate(zip(row, widths))).rstrip())
        if number == 0:
            print('  '.join('-' * width for width in widths))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--stoker', required=True)
    parser.add_argument('--gpus', help='as for stoker serve: auto, none, or a pretended inventory such as 4xA10G')
    parser.add_argument('--epochs', type=int, default=150)
    options = parser.parse_args()
    stoker = str(pathlib.Path(options.stoker).resolve())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    gpus = options.gpus not in (None, 'auto', 'none') or (options.gpus != 'none' and os.path.exists('/dev/nvidiactl'))
    with tempfile.TemporaryDirectory(prefix='stoker-run-') as name:
        folder = pathlib.Path(name)
        work = folder / 'work'
        work.mkdir()
        server = Server(stoker, folder, options.gpus)
        try:
            print(f'server at {server.address}, state in {folder / "state"}')
            batch, logs = server.client('batch'), server.client('logs')
            began = time.monotonic()
            ids = submit_pipeline(batch, work, options.epochs, gpus)
            print(f'submitted: prepare, train (an array of {len(SETTINGS)} settings), pick')
            jobs = watch(server, batch, logs, ids, began + 600)
            print(f'\npipeline ended after {time.monotonic() - began:.1f} s\n')
            print_table(jobs, logs, work)
            failed = [job for job in jobs if job['status'] == 'FAILED']
            for job in failed[:3]:
                print(f"\n{label(job)} failed: {job.get('statusReason')}\n  " + '\n  '.join(log_lines(logs, job)[-10:]))
            if failed:
                sys.exit(1)
            print(f'\nthe winner: {log_lines(logs, jobs[-1])[-1]}')
        finally:
            server.stop()


main()

"""The same on a workflow: a server of its own, and `stoker run digits.asl.json`.

    prepare the data  ->  a job per setting, tried again when it fails  ->  good enough?  ->  report, or clean up and fail

usage: workflow.py --stoker build/release/stoker [--gpus 4xA10G] [--epochs N] [--goal 0.95] [--stumbles INDEX]
Everything lives in a temporary folder and nothing is left running.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from server import Server
from settings import SETTINGS, text

HERE = pathlib.Path(__file__).resolve().parent


def register(batch, server, folder, epochs, gpus):
    """The job definitions that the workflow names; where the folder is, and how to reach the server, is theirs."""
    environment = {'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1', 'AWS_ENDPOINT_URL': server.address,
                   'AWS_ACCESS_KEY_ID': 'example', 'AWS_SECRET_ACCESS_KEY': 'example', 'AWS_DEFAULT_REGION': 'us-east-1'}

    def define(name, script, *arguments, parameters=None, memory='256', gpu=False):
        resources = {'VCPU': '1', 'MEMORY': memory, **({'GPU': '1'} if gpu else {})}
        batch.register_job_definition(
            jobDefinitionName=name, type='container', parameters=parameters or {},
            containerProperties={
                'image': 'host',  # a process of this machine
                'command': [sys.executable, str(HERE / script), str(folder), *arguments],
                'environment': [{'name': key, 'value': value} for key, value in environment.items()],
                'resourceRequirements': [{'type': kind, 'value': value} for kind, value in resources.items()]})

    define('digits-prepare', 'prepare.py')
    define('digits-fit', 'train.py', str(epochs), 'Ref::index', 'Ref::setting', parameters={'index': '0', 'setting': '{}'}, memory='512', gpu=gpus)
    define('digits-pick', 'pick.py')
    define('digits-clean-up', 'clean_up.py')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--stoker', required=True)
    parser.add_argument('--gpus', help='as for stoker serve: auto, none, or a pretended inventory such as 4xA10G')
    parser.add_argument('--epochs', type=int, default=60)
    parser.add_argument('--goal', type=float, default=0.95, help='accuracy below which the workflow fails')
    parser.add_argument('--stumbles', type=int, default=3, help='the setting whose first try fails; -1: none')
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
            register(server.client('batch'), server, work, options.epochs, gpus)
            workflow = os.path.relpath(HERE / 'digits.asl.json')
            given = {'settings': SETTINGS, 'goal': options.goal, 'stumbles': options.stumbles}
            print(f'\nThe same as a workflow:\n$ stoker run {workflow} --input ...', flush=True)
            began = time.monotonic()
            environment = {**os.environ, 'AWS_ENDPOINT_URL': server.address}
            done = subprocess.run([stoker, 'run', workflow, '--input', json.dumps(given)], env=environment, stdout=subprocess.PIPE, text=True)
            print(f'\nexit status {done.returncode} after {time.monotonic() - began:.1f} s')
            if done.returncode != 0:
                sys.exit(done.returncode)
            best = json.loads(done.stdout)
            print(f"the winner: setting {best['index']} ({text(best['setting'])}), validation {best['accuracy']:.2%}, "
                  f"on digits never seen {best['test']:.2%}")
        finally:
            server.stop()
    print(f'\nEverything of this run is gone again. A server that stays:\n  {options.stoker} serve\n'
          f'  export AWS_ENDPOINT_URL=http://127.0.0.1:7790')


main()

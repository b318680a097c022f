"""(g) How long the simulator takes for a hundred thousand jobs of published traces, on the core of the server.

Needs the traces: STOKER_TRACES names the folder that has philly-2017 and itp-2021.
"""
import json
import os
import resource
import subprocess

from measure.context import HOME, Skipped

SCENARIOS = {'110,000 jobs on machines that are there': ('hundred-thousand.json', []),
             'a month of demand, machines launched, seven windows': ('warm-windows.json', []),
             'a month of four teams on spot, twelve seeds': ('team-month-after.json', ['--seeds', '1..12'])}


def seconds_of(context, command):
    """Processor time; of several runs the least."""
    least = None
    for _ in range(context.size(3, 1)):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise Skipped('stoker simulate run failed: ' + done.stderr.strip()[-300:])
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = took if least is None else min(least, took)
    return least, json.loads(done.stdout)


def measure(context):
    root = os.environ.get('STOKER_TRACES')
    if not root:
        raise Skipped('STOKER_TRACES does not name a folder with the traces')
    rows = {}
    for name, (file, options) in SCENARIOS.items():
        context.say(f'  simulation: {name}')
        took, answer = seconds_of(context, [context.stoker, 'simulate', 'run', HOME / 'examples' / 'scenarios' / file, *options,
                                            '--traces', root, '--json'])
        rows[name] = {'file': file, 'seconds': took, 'jobs': answer.get('all', {}).get('submitted')}
    return rows

"""(f) How much of a cluster's GPUs each placement policy gives away: the packing experiment on the openb lists.

Needs the traces: STOKER_TRACES names the folder that has openb-2023.
"""
import csv
import gzip
import json
import os
import pathlib
import subprocess
import time

from measure.context import Skipped

PUBLISHED = {'random': '01-Random', 'dotprod': '02-DotProd', 'clustering': '03-GpuClustering', 'packing': '04-GpuPacking',
             'bestfit': '05-BestFit', 'fgd': '06-FGD'}
POINT = '100'  # percent of the GPUs that the tasks which came ask for


def published(folder):
    """Mean over the seeds by list and policy."""
    sums = {}
    with gzip.open(folder / 'expected' / 'analysis_allo_discrete.csv.gz', 'rt') as text:
        for row in csv.DictReader(text):
            sums.setdefault((row['workload'], row['sc_policy']), []).append(float(row[POINT]))
    return {key: sum(values) / len(values) for key, values in sums.items()}


def measure(context):
    root = os.environ.get('STOKER_TRACES')
    if not root:
        raise Skipped('STOKER_TRACES does not name a folder with the traces')
    folder = pathlib.Path(root) / 'openb-2023'
    expected = published(folder)
    lists = sorted({name for name, _ in expected}, key=lambda name: (name != 'openb_pod_list_default', name))
    rows = {}
    for name in lists[:context.size(len(lists), 1)]:
        short = name.removeprefix('openb_pod_list_')
        context.say(f'  packing {short}')
        tasks = next(path for path in (folder / f'{name}.csv', folder / f'{name}.csv.gz') if path.exists())
        seeds = context.size('1..10', '1..2')
        begin = time.monotonic()
        done = subprocess.run([context.stoker, 'simulate', 'packing', '--nodes', folder / 'openb_node_list_gpu_node.csv',
                               '--tasks', tasks, '--policy', 'all', '--seeds', seeds, '--json'],
                              capture_output=True, text=True, timeout=1800)
        if done.returncode != 0:
            raise Skipped('stoker simulate packing failed: ' + done.stderr.strip()[-300:])
        policies = json.loads(done.stdout)['policies']
        rows[short] = {'seconds': time.monotonic() - begin,
                       'runs': len(policies) * len(json.loads(done.stdout)['seeds'])}
        for policy, figures in policies.items():
            rows[short][policy] = {'mean': figures['allocated_percent'][POINT],
                                   'deviation': figures['allocated_percent_deviation'][POINT]}
            if policy in PUBLISHED:
                rows[short][policy]['published'] = expected[name, PUBLISHED[policy]]
    return rows

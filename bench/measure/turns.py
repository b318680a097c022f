"""(e) The core alone: a turn and a placement pass, by how many jobs wait. Processor time, by Google Benchmark."""
import json
import subprocess

from measure.context import Skipped

UNITS = {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1.0}


def measure(context):
    context.say('  the core alone')
    context.quiet()
    command = [context.program('core'), '--benchmark_format=json']
    command.append('--benchmark_min_time=' + context.size('1', '0.1'))
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        raise Skipped('bench_core failed: ' + done.stderr.strip()[-300:])
    rows = {}
    for row in json.loads(done.stdout)['benchmarks']:
        rows[row['name']] = {'seconds': row['cpu_time'] * UNITS[row['time_unit']]}
        rows[row['name']] |= {key: row[key] for key in ('items_per_second', 'heap_bytes_per_job', 'placements') if key in row}
    return rows

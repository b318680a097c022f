"""What the figures were measured on."""
import os
import platform
import re
import subprocess
import time

from measure.context import HOME, file_system


def describe(context):
    processor = re.search(r'^model name\s*:\s*(.*)', open('/proc/cpuinfo').read(), re.M)
    memory = re.search(r'^MemTotal:\s*(\d+)', open('/proc/meminfo').read(), re.M)
    sync = context.measure('sync', context.folder / 'sync', context.size(3, 1))
    commit = subprocess.run(['git', '-C', HOME, 'rev-parse', '--short=10', 'HEAD'], capture_output=True, text=True).stdout.strip()
    return {'date': time.strftime('%Y-%m-%d %H:%M', time.gmtime()), 'processor': processor[1] if processor else platform.machine(),
            'cores': os.cpu_count(), 'memory_gib': round(int(memory[1]) / 2**20), 'kernel': platform.release(),
            'disk': file_system(context.folder), 'syncs_per_second': round(sync['syncs'] / sync['seconds']), 'commit': commit or 'unknown'}

"""(d) What a waiting job costs in resident memory of the server."""
import time

from measure.context import Skipped
from measure.server import Server

ARRAY = 10_000
CONNECTIONS = 64
SERVER = ('--engine', 'fake', '--cpus', '1')


def measure(context):
    rows = {}
    for name, array in (('plain jobs', 0), ('array children', ARRAY)):
        context.say(f'  {name}')
        try:
            rows |= {f'{name}, {count}': found for count, found in growth(context, array).items()}
        except Skipped as why:
            rows[name] = {'skipped': str(why)}
    return rows


def growth(context, array):
    """Bytes a job, by the number of jobs that wait: the growth of the server since it held a hundred."""
    found = {}
    with Server(context, *SERVER) as server:
        server.wait_for_node()
        definition = server.define('waits', gpus=1)
        server.load(definition, 100)
        base = settled(server)
        held = 0
        for jobs in context.size((100_000, 1_000_000), (20_000, 100_000)):
            server.load(definition, (jobs - held) // (array or 1), CONNECTIONS, array=array)
            held = jobs
            resident = settled(server)
            found[jobs] = {'jobs': jobs, 'bytes_per_job': (resident - base) / jobs, 'resident_mib': resident / 2**20}
    return found


def settled(server):
    """The resident size once it stands still."""
    last, until = 0, time.monotonic() + 20
    while time.monotonic() < until:
        now = server.resident_bytes()
        if abs(now - last) < 1 << 20:
            return now
        last = now
        time.sleep(0.5)
    return last

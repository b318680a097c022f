"""(c) From a submission to the first instruction of the job's program, on an idle server."""
import json
import time

from measure import slurm
from measure.context import Skipped
from measure.server import Server


def measure(context):
    rows = {}
    for name, once in (('spawn', plain), ('stoker', stoker), ('slurm', slurm_tuned)):
        context.say(f'  {name}')
        context.quiet()
        try:
            rows[name] = once(context)
        except Skipped as why:
            rows[name] = {'skipped': str(why)}
    return rows


def plain(context):
    """What a process costs here anyway: from before posix_spawn to the end of waitpid."""
    count = context.size(200, 50)
    done = context.measure('spawn', count, '/bin/true')
    return {'jobs': count, 'exec_ms': {'median': done['seconds'] / count * 1000}}


def stoker(context):
    with Server(context) as server:
        server.wait_for_node()
        stamps = server.folder / 'stamps'
        definition = server.define('stamp', [context.program('stamp'), str(stamps)])
        time.sleep(1)
        body = {'jobName': 'bench', 'jobQueue': 'default', 'jobDefinition': definition}
        return context.measure('load', 'latency', '--address', server.address, '--body', json.dumps(body), '--stamps', stamps,
                               '--jobs', context.size(100, 50))


def slurm_tuned(context):
    waits = slurm.submit_to_exec(context, context.size(15, 3))
    return {'jobs': len(waits), 'exec_ms': {'median': waits[len(waits) // 2], 'p99': waits[-1]}}

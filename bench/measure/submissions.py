"""(b) Submissions a second over HTTP connections that stay open, each answered when it is durable."""
from measure.context import Skipped
from measure.server import Server

WAITING = ('--engine', 'fake', '--cpus', '1')
RUNNING = ('--engine', 'fake', '--cpus', '1000')


def measure(context):
    rows = {}
    for name, arguments, gpus in (('jobs that wait', WAITING, 1), ('jobs that run at once on a fake node', RUNNING, 0)):
        for connections in (1, 16):
            requests = context.size(10_000 if connections == 1 else 100_000, 2_000)
            context.say(f'  {name}, {connections} connections, {requests} submissions')
            try:
                rows[f'{name}, {connections}'] = once(context, arguments, gpus, connections, requests)
            except Skipped as why:
                rows[f'{name}, {connections}'] = {'connections': connections, 'skipped': str(why)}
    return rows


def once(context, arguments, gpus, connections, requests):
    with Server(context, *arguments) as server:
        server.wait_for_node()
        context.quiet()
        done = server.load(server.define('bench', gpus=gpus), requests, connections=connections)
        if gpus:
            server.expect('RUNNABLE', requests)
        return {'connections': connections, 'requests': requests, 'per_second': requests / done['submit_seconds'],
                'answer_ms': done['answer_ms']}

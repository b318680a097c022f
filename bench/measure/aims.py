"""What the design aims at, as predicates over the results of one run."""

# What limits a figure that misses its aim: found by profiling, kept here beside the aim that it explains.
LIMITS = {
    'spawn': 'two processes are made for each job, since a supervisor of its own lets it outlive server and agent, and its directory '
             'and state go through the file system',
    'fake': 'both processors are busy, at about 55 µs a job in the server and 12 in the load generator; half of the time of the loop '
            'thread is the allocator of the C library, which other threads give its memory back to (jemalloc in its place takes 18 % '
            'off the whole)',
    'submit': 'every connection waits for the disk with each request, so 16 of them make at most 16 submissions a sync, and the '
              'server itself needs 32 µs of processor time for one',
    'moto': 'the client, in Python, makes about 1,200 requests a second, and the server waits for it',
}


class Aim:
    """`value` is measured, `target` asked for, both in `unit`; `more` says that more is better."""

    def __init__(self, key, what, value, target, unit, more):
        self.key, self.what, self.value, self.target, self.unit, self.more = key, what, value, target, unit, more

    @property
    def met(self):
        return self.value >= self.target if self.more else self.value <= self.target

    def miss(self):
        """One sentence on by how much it is missed and what limits it."""
        if self.more:
            distance = f'{100 * (1 - self.value / self.target):.0f} % short'
        else:
            distance = f'{100 * (self.value / self.target - 1):.0f} % too much'
        limit = LIMITS.get(self.key)
        return (f'{self.what}: {number(self.value)} {self.unit} where {number(self.target)} is asked for, {distance}'
                + (f'; {limit}.' if limit else '.'))


def number(value):
    if value is None:
        return '-'
    if abs(value) >= 1000:
        return f'{value:,.0f}'
    return f'{value:.0f}' if abs(value) >= 100 else f'{value:.2f}' if abs(value) < 10 else f'{value:.1f}'


def all_of(results):
    """Those whose figures are there; a skipped peer takes its aim with it."""
    def figure(part, row, *path):
        found = results.get(part, {}).get(row, {})
        for key in path:
            found = found.get(key, {}) if isinstance(found, dict) else {}
        return found if isinstance(found, (int, float)) else None

    def ratio(one, other):
        return one / other if one is not None and other else None

    real = figure('a', 'stoker', 'per_second')
    waiting = [figure('e', f'turn/waiting:{n}/shapes:1', 'seconds') for n in (10_000, 1_000_000)]
    placed = figure('e', 'placements/nodes:10000', 'seconds')
    gpus_placed = figure('e', 'gpu_placements/nodes:10000/shapes:1', 'seconds')
    shapes = [figure('e', f'turn/waiting:{n}/shapes:1000', 'seconds') for n in (10_000, 1_000_000)]
    loops = figure('h', 'inside/loops of Pass and Choice, one after another', 'per_second')
    by_client = '1,000 executions, each a loop'
    candidates = [
        Aim('slurm', 'no-op jobs, times a tuned Slurm', ratio(real, best_slurm(results)), 15, 'times', True),
        Aim('spawn', 'no-op jobs, share of the plain spawn rate',
            ratio(real, figure('a', 'posix_spawn and waitpid, one thread', 'per_second')), 0.6, 'of it', True),
        Aim('fake', 'jobs a second with the fake node, many', figure('a', 'stoker, fake node, many', 'per_second'), 20_000,
            'a second', True),
        Aim('submit', 'submissions a second, 16 connections', figure('b', 'jobs that wait, 16', 'per_second'), 20_000, 'a second', True),
        Aim('latency', 'submission to exec, median', figure('c', 'stoker', 'exec_ms', 'median'), 10, 'ms', False),
        Aim('plain', 'resident bytes of a waiting job, at 1,000,000', figure('d', 'plain jobs, 1000000', 'bytes_per_job'), 1024,
            'bytes', False),
        Aim('child', 'resident bytes of a waiting array child, at 1,000,000',
            figure('d', 'array children, 1000000', 'bytes_per_job'), 128, 'bytes', False),
        Aim('turn', 'a turn at 1,000,000 waiting, times one at 10,000', ratio(waiting[1], waiting[0]), 1.2, 'times', False),
        Aim('placements', '10,000 placements over 10,000 nodes in one pass', None if placed is None else placed * 1000, 100, 'ms', False),
        Aim('gpu placements', '10,000 placements of GPU jobs over 10,000 nodes of 8 GPUs in one pass',
            None if gpus_placed is None else gpus_placed * 1000, 100, 'ms', False),
        Aim('shapes', 'a turn at 1,000,000 waiting of 1,000 shapes, times one at 10,000', ratio(shapes[1], shapes[0]), 1.2, 'times', False),
        Aim('transitions', 'durable workflow transitions a second, inside the server', loops, 50_000, 'a second', True),
        Aim('moto', 'workflow transitions through the API, times moto',
            ratio(figure('h', 'stoker/' + by_client, 'per_second'), figure('h', 'moto/' + by_client, 'per_second')), 50, 'times', True),
    ]
    return [aim for aim in candidates if aim.value is not None]


def best_slurm(results):
    """The fastest of the tuned ways, so that the ratio flatters nobody."""
    rates = [row['per_second'] for name, row in results.get('a', {}).items() if name.startswith('Slurm, tuned') and 'per_second' in row]
    return max(rates, default=None)

"""The results of a run as Markdown: for the terminal and for docs/benchmarks.md."""
from measure.aims import all_of, best_slurm, number

INTRODUCTION = """# Benchmarks

`make bench` measures all of this in one run and writes this page; `bench/run --quick` is a short version that only prints.
Figures of machines that are shared move by a tenth or two from run to run: the ratios within one run are what counts.
"""


def table(head, rows):
    lines = [head, *rows]
    numeric = [all(not str(row[i]) or str(row[i])[0] in '0123456789-+' for row in rows) for i in range(len(head))]
    out = ['| ' + ' | '.join(map(str, line)) + ' |' for line in lines]
    out.insert(1, '|' + '|'.join(' ---: ' if right else ' --- ' for right in numeric) + '|')
    return '\n'.join(out) + '\n'


def jobs(rows, results):
    spawn = rows.get('posix_spawn and waitpid, one thread', {}).get('per_second')
    slurm = best_slurm(results)
    lines = []
    for name, row in rows.items():
        rate = row.get('per_second')
        if rate is None:
            lines.append([name, '', '', f'skipped: {row["skipped"]}', '', ''])
            continue
        lines.append([name, f'{row["jobs"]:,}', number(row['seconds']), number(rate),
                      number(rate / spawn) if spawn else '', number(rate / slurm) if slurm else ''])
    return ('No-op jobs (`/bin/true`), from the first submission to the last end. Stoker: 16 connections that submit (64 with the fake node), the state '
            'durable on disk, every job a process of its own except with the fake node, which only pretends to run it and so '
            'shows what the system itself costs.\n\n'
            + table(['what', 'jobs', 'seconds', 'jobs a second', 'of posix_spawn', 'times tuned Slurm'], lines))


def submissions(rows, _):
    lines = [[name.rsplit(',', 1)[0], row['connections'], number(row.get('per_second')) if 'per_second' in row else f'skipped: {row["skipped"]}',
              number(row['answer_ms']['median']) if 'answer_ms' in row else '', number(row['answer_ms']['p99']) if 'answer_ms' in row else '']
             for name, row in rows.items()]
    return ('SubmitJob over HTTP with keep-alive, one request at a time on each connection, each answered when it is on disk. '
            'The load generator runs on the same processors.\n\n'
            + table(['submissions', 'connections', 'a second', 'answer, median ms', 'answer, p99 ms'], lines))


def latency(rows, _):
    names = {'spawn': 'posix_spawn and waitpid of `/bin/true`', 'stoker': 'stoker', 'slurm': 'Slurm, tuned'}
    lines = []
    for key, row in rows.items():
        if 'skipped' in row:
            lines.append([names[key], '', f'skipped: {row["skipped"]}', '', '', ''])
            continue
        spread = [number(row[what].get(which)) if what in row and row[what].get(which) is not None else ''
                  for what, which in (('exec_ms', 'median'), ('exec_ms', 'p99'), ('answer_ms', 'median'), ('succeeded_ms', 'median'))]
        lines.append([names[key], row['jobs'], *spread])
    return ('From before the submission was sent to the first instruction of the job, one job after another on an idle server. '
            'For scale: the whole life of a plain process.\n\n'
            + table(['what', 'jobs', 'exec, median ms', 'exec, p99 ms', 'answered, median ms', 'seen SUCCEEDED, median ms'], lines))


def memory(rows, _):
    lines = [[name.rsplit(',', 1)[0], f'{row["jobs"]:,}', number(row['bytes_per_job']), number(row['resident_mib'])] if 'jobs' in row
             else [name, '', f'skipped: {row["skipped"]}', ''] for name, row in rows.items()]
    return ('Growth of the resident memory of the server by job that waits; all jobs share one definition. The page cache of the store '
            '(at most 64 MiB) is part of it, which weighs most on the smaller counts.\n\n'
            + table(['what waits', 'jobs', 'bytes a job', 'server, MiB'], lines))


TURN_NAMES = {'turn': 'turn: one run ends, one job comes, one starts', 'idle_pass': 'pass that can place nothing',
              'fair_turn': 'the same turn in a fair-share queue',
              'preempting_turn': 'the same turn, with jobs waiting that could stop others and would find no room',
              'preempting_pass': 'pass that can place nothing, with such jobs waiting',
              'placements': 'pass that fills every node, one job each',
              'gpu_placements': 'pass that starts as many GPU jobs as there are nodes of 8 GPUs',
              'gpu_placements_on_odd_nodes': 'the same, and no two nodes have the same memory',
              'gpu_placements_with_images': 'the same, and each node holds half of the images that jobs name',
              'life': 'whole lives of jobs, that many a turn',
              'submissions': 'submissions and their records, 100 a turn or an array'}


def turn_name(name):
    what, *settings = name.split('/')
    return TURN_NAMES.get(what, what), ', '.join(f'{int(value):,} {key}' for key, value in (one.split(':') for one in settings))


def turns(rows, _):
    lines = []
    for name, row in rows.items():
        if not isinstance(row, dict):
            continue
        what, setting = turn_name(name)
        per_second = number(row['items_per_second']) if 'items_per_second' in row else ''
        heap = number(row['heap_bytes_per_job']) if 'heap_bytes_per_job' in row else ''
        lines.append([what, setting, number(row['seconds'] * 1e6), per_second, heap])
    return ('The core alone, without disk, network and processes: processor time.\n\n'
            + table(['what', 'at', 'microseconds', 'jobs a second', 'heap bytes a job'], lines))


def instructions(rows, _):
    lines = []
    for name, row in rows.items():
        what, setting = turn_name(name)
        if 'skipped' in row:
            lines.append([what, setting, f'skipped: {row["skipped"]}', ''])
            continue
        top = ', '.join(f'{function} {100 * share:.0f} %' for function, share in row['top'])
        lines.append([what, setting, number(row['instructions']), f'`{top}`'])
    return ('Instructions for each turn, pass, started or submitted job, and the functions that execute most of them themselves. Counted by '
            'callgrind: the same program gives the same counts on every machine, so they are what to compare after a change '
            '(`bench/run --only i`).\n\n'
            + table(['what', 'at', 'instructions', 'where'], lines))


def packing(rows, _):
    """`rows` by task list."""
    def mean(of):
        return sum(of(row) for row in rows.values()) / len(rows)

    lines = [[name, f'{row["fgd"]["published"]:.2f}', f'{row["fgd"]["mean"]:.2f} ± {row["fgd"]["deviation"]:.2f}',
              f'{row["stoker"]["mean"]:.2f} ± {row["stoker"]["deviation"]:.2f}',
              f'{row["stoker"]["mean"] - row["fgd"]["published"]:+.2f}'] for name, row in rows.items()]
    lines.append(['**mean**', f'{mean(lambda row: row["fgd"]["published"]):.2f}', f'{mean(lambda row: row["fgd"]["mean"]):.2f}',
                  f'{mean(lambda row: row["stoker"]["mean"]):.2f}',
                  f'{mean(lambda row: row["stoker"]["mean"] - row["fgd"]["published"]):+.2f}'])
    others = ['random', 'dotprod', 'clustering', 'packing', 'bestfit', 'fgd']
    replayed = [[name, *(f'{row[policy]["mean"]:.2f} ({row[policy]["mean"] - row[policy]["published"]:+.2f})' for policy in others)]
                for name, row in rows.items()]
    seconds = sum(row['seconds'] for row in rows.values())
    runs = sum(row['runs'] for row in rows.values())
    return ('Percent of the GPUs that are allocated when the tasks which came ask for as many as there are: `stoker simulate packing` '
            'on the openb cluster (1,213 nodes, 6,212 GPUs) and its task lists, ten seeds, mean and sample deviation. `published` is '
            'the table of the FGD paper (USENIX ATC 2023). `stoker` is what the server uses. The paper\'s seeds shuffle otherwise than '
            'ours, so its figures and ours differ by chance as well. The weights inside `stoker` were chosen by trying a dozen on eight '
            'of these lists, which flatters it a little.\n\n'
            + table(['list', 'FGD published', 'FGD here', 'stoker', 'stoker minus published'], lines)
            + '\nThe published policies with the placement code of the server, and by how much they differ from what was '
              'published:\n\n'
            + table(['list', *others], replayed)
            + f'\n{runs:,} runs in {seconds:,.0f} seconds. With the traces at hand: `STOKER_TRACES=FOLDER bench/run --only f`, or one '
              'list: `stoker simulate packing --nodes openb_node_list_gpu_node.csv --tasks openb_pod_list_default.csv.gz --policy all '
              '--seeds 1..10`.\n')


def simulation(rows, _):
    lines = [[name, f'`{row["file"]}`', f'{row["seconds"]:.2f}', number(row['jobs'] / row['seconds']) if row['jobs'] else '']
             for name, row in rows.items()]
    return ('Scenarios of examples/scenarios through the core, fleet sizing and the ledger: processor time with reading and report.\n\n'
            + table(['what', 'scenario', 'seconds', 'jobs a second'], lines))


def workflows(rows, _):
    def of(group):
        return {name.removeprefix(group + '/'): row for name, row in rows.items() if name.startswith(group + '/')}

    def line(name, row, *more):
        if 'per_second' not in row:
            return [name, '', '', f'skipped: {row["skipped"]}', *('' for _ in more)]
        return [name, f'{row["transitions"]:,}', number(row['seconds']), number(row['per_second']), *more]

    lines = [line(name, row, number(1e6 * row['cpu_seconds'] / row['transitions']) if 'cpu_seconds' in row else '')
             for name, row in of('inside').items()]
    text = ('States entered a second. Inside the server, without the API: its loop, commit thread and store; all of it on disk at the end, or '
            'nothing at all for comparison.\n\n'
            + table(['what', 'transitions', 'seconds', 'a second', 'CPU µs each'], lines))
    moto = of('moto')
    lines = []
    for name, row in of('stoker').items():
        other = moto.get(name, {})
        times = number(row['per_second'] / other['per_second']) if 'per_second' in row and 'per_second' in other else ''
        lines.append(line(name, row, number(other['per_second']) if 'per_second' in other else other.get('skipped', ''), times))
    text += ('\nThrough the API, by one client with 16 connections that starts executions and asks until all have ended. moto keeps nothing on '
             'disk.\n\n' + table(['what', 'transitions', 'seconds', 'a second', 'moto, a second', 'times moto'], lines))
    lines = [[name, f'{row["executions"]:,}', number(row['bytes_each']), number(row['resident_mib']), number(row['started_per_second'])]
             if 'bytes_each' in row else [name, '', f'skipped: {row["skipped"]}', '', ''] for name, row in of('memory').items()]
    return text + ('\nExecutions that wait, started through the API by 64 connections: growth of the resident memory of the server.\n\n'
                   + table(['what they wait for', 'executions', 'bytes each', 'server, MiB', 'started a second'], lines))


PARTS = {'a': ('Jobs a second', jobs), 'b': ('Submissions a second', submissions), 'c': ('Submission to exec', latency),
         'd': ('Memory of waiting jobs', memory), 'e': ('Turns and passes of the core', turns),
         'f': ('GPUs given away by each placement policy', packing), 'g': ('The simulator', simulation),
         'h': ('Workflows', workflows), 'i': ('Instructions of the core', instructions)}


def machine(facts, noise):
    quiet = ('The machine was otherwise idle before each measure.' if not noise else
             f'Others used up to {100 * max(noise):.0f} % of the processors before {len(noise)} of the measures: read the figures with care.')
    return (f'Measured {facts["date"]} UTC at commit {facts["commit"]} on {facts["cores"]} cores of {facts["processor"]}, '
            f'{facts["memory_gib"]} GiB, Linux {facts["kernel"]}; state on {facts["disk"]}, which makes {facts["syncs_per_second"]:,} '
            f'durable 4 KiB appends (fdatasync) a second. {quiet}\n')


def aims(results):
    found = all_of(results)
    if not found:
        return ''
    text = '## Aims\n\n' + table(['aim', 'asked for', 'measured', 'met'], [
        [aim.what, f'{"at least" if aim.more else "at most"} {number(aim.target)} {aim.unit}', number(aim.value), 'yes' if aim.met else '**no**']
        for aim in found])
    missed = [aim.miss() for aim in found if not aim.met]
    if missed:
        text += '\nMissed:\n\n' + ''.join(f'- {sentence[0].upper()}{sentence[1:]}\n' for sentence in missed)
    return text


def whole(facts, results, noise):
    parts = []
    for key, (title, write) in PARTS.items():
        if key in results:
            body = f'Skipped: {results[key]["skipped"]}\n' if 'skipped' in results[key] else write(results[key], results)
            parts.append(f'## {title}\n\n{body}')
    return '\n'.join([INTRODUCTION, machine(facts, noise), aims(results), *parts])

"""stoker simulate as people use it: no server, no network, the same bytes for the same seed."""
import csv
import fcntl
import html.parser
import json
import os
import pty
import shutil
import struct
import subprocess
import termios
from decimal import Decimal

import pytest
from support import HOME, STOKER

SCENARIOS = HOME / 'examples' / 'scenarios'


def simulate(*arguments, check=0):
    done = subprocess.run([STOKER, 'simulate', *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == check, done.stderr
    return done


@pytest.fixture
def scenario(tmp_path):
    """A small one on spot, with a name that tries to be markup."""
    path = tmp_path / 'small.json'
    path.write_text(json.dumps({
        'name': '<b>small</b> & "quick"', 'story': '</script><script>alert(1)</script>', 'days': 3, 'seed': 5,
        'jobs': [{'generate': {'jobsPerDay': 40, 'runSeconds': {'lognormal': {'mean': 5400, 'sigma': 0.7}},
                               'tenants': ['<i>red</i>', 'blue'], 'tags': {'stoker:checkpoint': '10m', 'stoker:deadline': '4h'}}}],
        'environments': [{'name': 'pool', 'bootSeconds': 240, 'pullSeconds': 300, 'spotModel': {'meanSecondsToInterruption': 9000},
                          'fleet': {'types': ['g5.xlarge'], 'zones': ['us-east-1a'], 'spot': {'use': 'only'},
                                    'window': {'kind': 'fixed', 'seconds': 600}}}],
        'queues': [{'name': 'default', 'environments': ['pool']}]}))
    return path


def test_the_same_seed_prints_the_same_bytes(scenario):
    first = simulate('run', scenario, '--json').stdout
    assert first == simulate('run', scenario, '--json').stdout
    assert first != simulate('run', scenario, '--json', '--seeds', '6').stdout
    report = json.loads(first)
    assert report['all']['interruptions'] > 0 and 'ledgerFault' not in report
    assert 0 < report['all']['deadlinesMet'] <= report['all']['deadlines'] == report['all']['submitted']
    kinds = report['all']['costDollars']
    assert sum(Decimal(kinds[kind]) for kind in kinds if kind != 'sum') == Decimal(report['billedDollars'])
    assert abs(sum(tenant['shareOfGpus'] for tenant in report['tenants'].values()) - report['all']['shareOfGpus']) < 0.005


class Page(html.parser.HTMLParser):
    """The elements of a page and the text of its data."""

    def __init__(self):
        super().__init__()
        self.tags, self.data, self.links = [], '', []
        self.in_data = False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.links += [attributes[name] for name in ('src', 'href') if name in attributes]
        self.in_data = attributes.get('id') == 'data'

    def handle_endtag(self, tag):
        self.in_data = False

    def handle_data(self, text):
        if self.in_data:
            self.data += text


def test_a_report_is_one_page_that_asks_for_nothing(scenario, tmp_path):
    out = tmp_path / 'page.html'
    simulate('run', scenario, '--seeds', '1..3', '--compare', scenario, '--report', out)
    page = Page()
    page.feed(out.read_text())
    assert page.links == [] and page.tags.count('script') == 3
    assert not {'b', 'i', 'img', 'link', 'iframe'} & set(page.tags), 'a name became markup'
    data = json.loads(page.data)
    assert [run['name'] for run in data['scenarios']] == ['<b>small</b> & "quick"'] * 2
    assert set(data['scenarios'][0]['tenants']) == {'<i>red</i>', 'blue'}
    assert data['seeds'] == 3


def shown(page, tmp_path):
    """The elements that the scripts of a page make, as HTML: by a browser, else by Node on a document of our own."""
    if browser := shutil.which('chromium'):
        command = [browser, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={tmp_path}/profile', '--dump-dom', f'file://{page}']
    elif node := shutil.which('node'):
        command = [node, HOME / 'tests' / 'page_in_node.js', page]
    else:
        pytest.skip('neither chromium nor node')
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    made = done.stdout[done.stdout.find('<main'):done.stdout.find('</main>')]
    assert made.endswith('</footer>') and 'MIT licence' in made, f'the script did not come to its end: {done.stderr}'
    return made


def rows_of(html):
    """Texts of the cells of all table rows."""
    return [[cell.split('</td>')[0] for cell in row.split('<td>')[1:]] for row in html.split('<tr')]


def changed(scenario, **members):
    """The scenario with other members of its generator."""
    value = json.loads(scenario.read_text())
    value['jobs'][0]['generate'] |= members
    scenario.write_text(json.dumps(value))


MULTI_NODE = [{'gpus': 1, 'weight': 5}, {'gpus': 1, 'nodes': 3, 'weight': 1}]


@pytest.mark.parametrize('members', [{}, {'tenants': ['</script><b>', 'blue']}, {'gpus': MULTI_NODE}, {'gpus': MULTI_NODE[1:]}, {'jobsPerDay': 0}],
                         ids=['plain', 'hostile name', 'multi-node', 'multi-node only', 'no jobs'])
@pytest.mark.parametrize('options', [[], ['--seeds', '1..3'], ['--compare'], ['--compare', '--seeds', '1..2']], ids=' '.join)
def test_the_page_shows_what_was_simulated(scenario, tmp_path, members, options):
    other = tmp_path / 'other.json'
    other.write_text(scenario.read_text())
    changed(scenario, **members)
    options = [part for option in options for part in ([option, other] if option == '--compare' else [option])]
    out = tmp_path / 'page.html'
    simulate('run', scenario, '--report', out, *options)
    html = shown(out, tmp_path)
    assert 'What the GPUs do' in html and html.count('<canvas') >= 5 and '<script' not in html
    for nonsense in ('NaN', 'Infinity', 'undefined', '>null<', '[object'):
        assert nonsense not in html, nonsense
    rows = rows_of(html)
    tenants = members.get('tenants', ['<i>red</i>', 'blue'])
    if members.get('jobsPerDay') != 0:
        for name in tenants:
            assert any(row[:1] == [name.replace('<', '&lt;').replace('>', '&gt;')] for row in rows), name
    assert '<b>' not in html and '<i>' not in html
    multi = 'gpus' in members
    assert ('Wait of multi-node jobs for their machines' in html) == multi
    parts = [row for row in rows if row[:1] in (['single-node jobs'], ['multi-node jobs'])]
    assert len(parts) == (2 if multi else 0)
    met = [row[1:] for row in rows if row[:1] == ['Deadlines met']]
    if '--compare' in options or members.get('jobsPerDay') != 0:
        assert len(met) == 1 and met[0][-1] != '–' and 'class="name">Deadlines met<' in html and 'dead-lines met' in html
        assert (met[0][0] == '–') == (members.get('jobsPerDay') == 0), 'of no jobs'
    counts = {row[0]: row[1:] for row in rows if row[:1] in (['Multi-node jobs'], ['Multi-node jobs: mean slowdown'])}
    assert len(counts) == (2 if multi else 0)
    if multi and '--compare' in options:
        assert counts['Multi-node jobs'][1].startswith('0') and counts['Multi-node jobs: mean slowdown'][1] == '–'


def test_deadlines_are_in_every_report(scenario, tmp_path):
    one = json.loads(simulate('run', scenario, '--json').stdout)['all']
    seeds = json.loads(simulate('run', scenario, '--json', '--seeds', '5..6').stdout)['measures']
    assert seeds['deadlines'][0]['mean'] > seeds['deadlinesMet'][0]['mean'] > 0
    without = tmp_path / 'without.json'
    without.write_text(scenario.read_text())
    changed(without, tags={'stoker:checkpoint': '10m'})
    both = json.loads(simulate('run', scenario, '--json', '--compare', without).stdout)['measures']
    assert [both[key][0]['mean'] for key in ('deadlinesMet', 'deadlines')] == [one['deadlinesMet'], one['deadlines']]
    assert both['deadlinesMet'][1] is None
    assert '\ndeadlines met ' in simulate('run', scenario, '--compare', without).stdout
    assert 'deadline' not in simulate('run', without, '--seeds', '1..2').stdout
    out = tmp_path / 'page.html'
    simulate('run', scenario, '--report', out)
    html = shown(out, tmp_path)
    assert f'of {one["deadlines"]}</small>' in html and f'<td>{one["deadlinesMet"]} of {one["deadlines"]}</td>' in html


def test_what_nobody_did_has_no_mean(scenario, tmp_path):
    """Jobs that no machine of the fleet can hold: they wait to the end."""
    other = tmp_path / 'other.json'
    other.write_text(scenario.read_text())
    changed(scenario, gpus=[{'gpus': 1, 'weight': 1}], memoryMiB=500_000)
    report = json.loads(simulate('run', scenario, '--json').stdout)['all']
    assert report['waiting'] == report['submitted'] > 0
    assert report['waitSeconds'] is None and report['slowdown'] is None and report['turnaroundSeconds'] is None
    measures = json.loads(simulate('run', scenario, '--json', '--compare', other).stdout)['measures']
    for key in ('waitMinutes', 'toComputeMinutes', 'turnaroundHours', 'slowdown', 'overheadDeviationMinutes', 'dollarsPerJob'):
        assert measures[key][0] is None and measures[key][1]['mean'] > 0, key
    assert measures['waitingAtEnd'][0]['mean'] == report['waiting']
    out = tmp_path / 'page.html'
    simulate('run', scenario, '--compare', other, '--report', out)
    rows = rows_of(shown(out, tmp_path))
    assert next(row[1] for row in rows if row[:1] == ['Mean wait for a machine']) == '–'
    assert next(row[3] for row in rows if row[:1] == ['all']) == '–'


def test_budgets_that_spoke_up_are_on_the_page(scenario, tmp_path):
    value = json.loads(scenario.read_text())
    value['environments'][0]['fleet']['budget'] = {'limit': '5'}
    scenario.write_text(json.dumps(value))
    out = tmp_path / 'page.html'
    table = simulate('run', scenario, '--report', out).stdout
    said = [line for line in table.splitlines() if line.startswith('budget of pool, ')]
    assert said and shown(out, tmp_path).count('The budget of pool, ') == len(said)
    assert '\ntimes a budget spoke up ' in simulate('run', scenario, '--seeds', '1..2').stdout


def test_progress_is_of_all_runs_and_one_line(scenario):
    """On a terminal of forty columns."""
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 40, 0, 0))
    done = subprocess.Popen([STOKER, 'simulate', 'run', str(scenario), '--seeds', '1..4'], stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    text = b''
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:
        pass  # the terminal was closed
    os.close(master)
    assert done.wait(60) == 0
    lines = [line.replace('\x1b[K', '') for line in text.decode().split('\r')]
    bars = {line for line in lines if line.startswith('[')}
    assert all(len(bar) < 40 for bar in bars), bars
    assert any(bar.startswith('[###############...............] ') for bar in bars), 'half of the runs are done'


def test_costs_are_lines_that_add_up_to_the_bill(scenario, tmp_path):
    out = tmp_path / 'costs.csv'
    report = json.loads(simulate('run', scenario, '--json', '--costs', out).stdout)
    rows = list(csv.DictReader(out.open()))
    assert sum(Decimal(row['BilledCost']) for row in rows) == Decimal(report['billedDollars'])
    assert {row['x_Kind'] for row in rows} >= {'work', 'warmup', 'idle', 'waste'}
    assert {row['PricingCategory'] for row in rows} == {'Dynamic'} and {row['SkuId'] for row in rows} == {'g5.xlarge'}
    assert all(Decimal(row['ListCost']) >= Decimal(row['EffectiveCost']) for row in rows if row['ChargeCategory'] == 'Usage')
    assert all(row['BillingPeriodStart'] <= row['ChargePeriodStart'] <= row['ChargePeriodEnd'] <= row['BillingPeriodEnd'] for row in rows)
    assert len({row['ChargePeriodStart'][:10] for row in rows}) >= 3, 'by day'
    simulate('run', scenario, '--seeds', '1..2', '--costs', out, check=2)


def test_the_choice_that_saves_launches_is_the_cheaper_one_when_they_cost(scenario, tmp_path):
    """Four jobs that come together: on a machine each, or on one of four. By hand the fee decides at 0.183 USD."""
    bills = {}
    for fee in ('0.10', '0.30'):
        for types in (['g5.xlarge', 'g5.12xlarge'], ['g5.xlarge'], ['g5.12xlarge']):
            scenario.write_text(json.dumps({
                'name': 'four', 'days': 1, 'seed': 1,
                'jobs': [{'generate': {'jobsPerDay': 4, 'burst': 4, 'burstGapSeconds': 0, 'runSeconds': 720, 'tenants': ['a']}}],
                'environments': [{'name': 'pool', 'bootSeconds': 180, 'pullSeconds': 300,
                                  'fleet': {'types': types, 'zones': ['us-east-1a'], 'spot': {'use': 'never'}, 'cold': {'bootSeconds': 180, 'pullSeconds': 300, 'launchFee': fee},
                                            'runGuessSeconds': 720, 'window': {'kind': 'fixed', 'seconds': 0}}}],
                'queues': [{'name': 'default', 'environments': ['pool']}]}))
            out = tmp_path / 'costs.csv'
            report = json.loads(simulate('run', scenario, '--json', '--costs', out).stdout)
            assert report['all']['succeeded'] == report['all']['submitted'] > 0 and 'ledgerFault' not in report
            rows = list(csv.DictReader(out.open()))
            assert sum(Decimal(row['BilledCost']) for row in rows) == Decimal(report['billedDollars'])
            fees = [Decimal(row['BilledCost']) for row in rows if row['x_Kind'] == 'warmup' and Decimal(row['ConsumedQuantity']) == 0]
            assert sum(fees) == report['machines']['launched'] * Decimal(fee)
            bills[fee, len(types), types[0]] = (report['machines']['launched'], Decimal(report['billedDollars']))
        both, single, one = (bills[fee, count, name] for count, name in ((2, 'g5.xlarge'), (1, 'g5.xlarge'), (1, 'g5.12xlarge')))
        assert single[0] == 4 * one[0]
        assert both == min(single, one, key=lambda launches_and_bill: launches_and_bill[1]), 'the report shows why'
        assert both[0] == (single if fee == '0.10' else one)[0]


def test_a_machine_costs_each_month_what_it_costs_by_hand(scenario, tmp_path):
    changed(scenario, jobsPerDay=2, tags={})
    value = json.loads(scenario.read_text()) | {'days': 60}
    value['environments'] = [{'name': 'pool', 'machines': [{'type': 'g5.xlarge', 'count': 1}]}]
    scenario.write_text(json.dumps(value))
    out = tmp_path / 'costs.csv'
    simulate('run', scenario, '--costs', out)
    months = {}
    for row in csv.DictReader(out.open()):
        months[row['BillingPeriodStart'][:7]] = months.get(row['BillingPeriodStart'][:7], 0) + Decimal(row['BilledCost'])
    by_hand = {month: 24 * days * Decimal('1.006') for month, days in {'2026-01': 27, '2026-02': 28, '2026-03': 5}.items()}
    assert months.keys() == by_hand.keys() and all(abs(months[month] - by_hand[month]) < Decimal('0.001') for month in months)


def test_where_nothing_can_be_written_nothing_is_simulated(scenario, tmp_path):
    for option, file, code in [('--report', tmp_path, 1), ('--report', tmp_path / 'none' / 'page.html', 4), ('--costs', tmp_path, 1)]:
        done = simulate('run', scenario, '--traces', '/nowhere', option, file, check=code)
        assert str(file) in done.stderr and done.stdout == ''
    assert [entry.name for entry in tmp_path.iterdir()] == [scenario.name]


def test_single_node_and_multi_node_jobs_are_told_apart(scenario):
    assert 'node jobs' not in simulate('run', scenario).stdout
    plain = json.loads(simulate('run', scenario, '--json').stdout)
    changed(scenario, gpus=MULTI_NODE)
    text = simulate('run', scenario).stdout
    assert text.count('\n  single-node jobs ') == text.count('\n  multi-node jobs ') == 2, 'in both tables'
    report = json.loads(simulate('run', scenario, '--json').stdout)
    assert set(report) - set(plain) == {'singleNode', 'multiNode'} and set(report['multiNode']) == set(plain['all'])
    for member in ('submitted', 'succeeded', 'interruptions', 'lostHours', 'usefulGpuHours'):
        assert abs(report['singleNode'][member] + report['multiNode'][member] - report['all'][member]) < 0.01, member
    compared = json.loads(simulate('run', scenario, '--seeds', '1..2', '--json').stdout)['measures']
    assert compared['multiNodeJobs'][0]['mean'] > 0 and compared['singleNodeSlowdown'][0]['mean'] >= 1


def test_variants_stand_beside_each_other():
    text = simulate('run', SCENARIOS / 'burst-of-four.json').stdout
    assert text.startswith('bursts of four\n') and 'one machine of four' in text
    compared = json.loads(simulate('run', SCENARIOS / 'burst-of-four.json', '--json').stdout)
    launches = [round(one['mean']) for one in compared['measures']['launches']]
    assert launches[0] == launches[2] and launches[0] > 3.9 * launches[1]


@pytest.mark.parametrize('change, says', [
    ({'daze': 3}, 'daze: is not known'),
    ({'days': 1e300}, 'days: must be a whole number'),
    ({'restartSeconds': {'exponential': {'mean': -1}}}, 'restartSeconds: exponential: mean: must be a number'),
    ({'variants': [{'name': 'x', 'set': {'/nowhere/1': 2}}]}, "there is nothing at 'nowhere'"),
    ({'queues': [{'name': 'default', 'environments': ['moon']}]}, "there is no environment 'moon'"),
    ({'queues': [{'name': 'default', 'environments': ['pool'], 'schedulingPolicy': {'fairsharePolicy': {'computeReservation': 100}}}]},
     'queues[0]: fairsharePolicy.computeReservation: must be between 0 and 99'),
    ({'jobs': [{'generate': {'tags': {'stoker:spot': 'maybe'}}}]}, 'stoker:spot'),
    ({'jobs': [{'trace': 'itp', 'file': '../secret.csv'}]}, 'must lie below the folder of traces')])
def test_what_is_wrong_with_a_scenario_is_named(scenario, change, says):
    scenario.write_text(json.dumps(json.loads(scenario.read_text()) | change))
    assert says in simulate('run', scenario, check=2).stderr


def test_a_trace_that_is_not_there_is_said_with_its_place(scenario):
    scenario.write_text(json.dumps(json.loads(scenario.read_text()) | {'name': 'mine', 'jobs': [{'trace': 'itp', 'file': 'none.csv'}]}))
    said = simulate('run', scenario, '--traces', scenario.parent, check=4).stderr
    assert said.startswith('stoker: mine: jobs[0]: file: ') and 'none.csv' in said


def test_what_is_too_much_is_an_error_of_the_command_line_or_the_file(scenario, tmp_path):
    assert 'seeds' in simulate('run', scenario, '--seeds', '1..1000000', check=2).stderr
    large = tmp_path / 'large.json'
    large.write_text(scenario.read_text() + ' ' * (8 << 20))
    assert 'more than' in simulate('run', large, check=2).stderr


def test_words_of_a_file_do_a_terminal_no_harm(scenario):
    scenario.write_text(json.dumps(json.loads(scenario.read_text()) | {'a\x1b[31m': 1}))
    said = simulate('run', scenario, check=2).stderr
    assert 'is not known' in said and '\x1b' not in said
    scenario.write_text(json.dumps(json.loads(scenario.read_text()) | {'name': 'a\x00b\x1b[31m'}))
    assert 'name: must have no control characters' in simulate('run', scenario, check=2).stderr


def test_where_no_job_is_taken_nothing_is_reported(scenario):
    changed(scenario, tags={'stoker:topology': 'rack'}, gpus=[{'gpus': 1, 'nodes': 1000, 'weight': 1}], tenants=['x' * 300])
    value = json.loads(scenario.read_text())
    value['queues'][0]['schedulingPolicy'] = {'fairsharePolicy': {}}
    scenario.write_text(json.dumps(value))
    done = simulate('run', scenario, check=2)
    assert ': jobs: none is taken: ' in done.stderr and done.stdout == ''


def test_jobs_take_turns_and_deadlines_are_met(tmp_path):
    trace = tmp_path / 'turns.csv'
    trace.write_text('job_id,submission_time,duration,num_gpu\na,0,600,2\nb,0,600,2\n')
    rows = {row['policy']: row for row in json.loads(simulate('rounds', trace, '--format', 'itp', '--gpus', '2', '--json').stdout)}
    assert rows['fifo']['meanCompletionSeconds'] == 900 and rows['max-min']['meanCompletionSeconds'] == 1140
    series = tmp_path / 'series.json'
    series.write_text(json.dumps({'metadata': {'gap_seconds': 600}, 'data': ([1] * 18 + [0] * 9) * 40}))
    row, = json.loads(simulate('deadline', series, '--work', '10h', '--deadline', '14h', '--start', '6m', '--json').stdout)
    assert row['missed'] == 0 and set(row['met'].values()) == {row['runs']} and row['costs']['uniform-progress-eager'] < row['costs']['on-demand-only']
    assert simulate('deadline', series, '--work', '10h', '--deadline', '14h').stdout.count(' of ') == 1
    for deadline in ('1s', '9h', '10h'):
        done = simulate('deadline', series, '--work', '10h', '--deadline', deadline, check=2)
        assert 'nobody can meet it' in done.stderr and done.stdout == ''


def test_rounds_say_what_they_leave_out_and_read_gavel_and_tiresias(tmp_path):
    trace = tmp_path / 'gavel.trace'
    row = 'LM (batch size 10)\tc\tw\t--steps\t1\t600\t{gpus}\t1\t-1.000000\t0\n'
    trace.write_text(row.format(gpus=1) + row.format(gpus=2) + row.format(gpus=3))
    speeds = tmp_path / 'speeds.json'
    speeds.write_text(json.dumps({'v100': {f"('LM (batch size 10)', {gpus})": {'null': gpus} for gpus in (1, 2)}}))
    gavel = ['rounds', trace, '--format', 'gavel', '--throughputs', speeds, '--policy', 'fifo']
    done = simulate(*gavel)
    assert 'stoker: 1 jobs are left out' in done.stderr and 'left out' not in done.stdout
    assert simulate(*gavel, '--gpus', '1').stdout.splitlines()[-1].startswith('1 of 2 jobs were left out')
    row, = json.loads(simulate(*gavel, '--json').stdout)
    assert row['jobs'] == 2 and row['makespanSeconds'] == 600 and row['meanCompletionSeconds'] == 450
    assert 'k80' in simulate(*gavel, '--gpu-model', 'k80', check=2).stderr
    assert 'needs --throughputs' in simulate('rounds', trace, '--format', 'gavel', check=2).stderr
    for option in (['--throughputs', speeds], ['--gpu-model', 'v100']):
        assert 'for --format gavel alone' in simulate('rounds', trace, *option, check=2).stderr
    assert '--round: must be' in simulate(*gavel, '--round', '0s', check=2).stderr
    table = tmp_path / 'tiresias.csv'
    table.write_text('job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n0,2,0,606,vgg19,120,30\n')
    row, = json.loads(simulate('rounds', table, '--format', 'tiresias', '--policy', 'fifo', '--json').stdout)
    assert row['jobs'] == 1 and row['makespanSeconds'] == 120

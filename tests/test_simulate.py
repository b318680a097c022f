"""stoker simulate as people use it: no server, no network, the same bytes for the same seed."""
import csv
import html.parser
import json
import shutil
import subprocess
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


def test_a_browser_shows_the_page(scenario, tmp_path):
    browser = shutil.which('chromium')
    if not browser:
        pytest.skip('no chromium')
    out = tmp_path / 'page.html'
    simulate('run', scenario, '--report', out)
    shown = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={tmp_path}/profile', '--dump-dom',
                            f'file://{out}'], capture_output=True, text=True, timeout=120).stdout
    assert 'What the GPUs do' in shown and 'Where the money goes' in shown and shown.count('<canvas') >= 6
    assert '<td>&lt;i&gt;red&lt;/i&gt;</td>' in shown and '<i>red' not in shown
    assert shown.rstrip().endswith('</html>') and 'MIT licence' in shown, 'the script did not come to its end'


def test_costs_are_lines_that_add_up_to_the_bill(scenario, tmp_path):
    out = tmp_path / 'costs.csv'
    report = json.loads(simulate('run', scenario, '--json', '--costs', out).stdout)
    rows = list(csv.DictReader(out.open()))
    assert sum(Decimal(row['BilledCost']) for row in rows) == Decimal(report['billedDollars'])
    assert {row['x_Kind'] for row in rows} >= {'work', 'warmup', 'idle', 'waste'}
    assert {row['PricingCategory'] for row in rows} == {'Dynamic'} and {row['SkuId'] for row in rows} == {'g5.xlarge'}
    assert all(Decimal(row['ListCost']) >= Decimal(row['EffectiveCost']) for row in rows if row['ChargeCategory'] == 'Usage')
    simulate('run', scenario, '--seeds', '1..2', '--costs', out, check=2)


def test_variants_stand_beside_each_other():
    text = simulate('run', SCENARIOS / 'burst-of-four.json').stdout
    assert text.startswith('bursts of four: \n') and 'one machine of four' in text
    compared = json.loads(simulate('run', SCENARIOS / 'burst-of-four.json', '--json').stdout)
    launches = [round(one['mean']) for one in compared['measures']['launches']]
    assert launches[0] == launches[2] and launches[0] > 3.9 * launches[1]


@pytest.mark.parametrize('change, says', [
    ({'daze': 3}, 'daze: is not known'),
    ({'variants': [{'name': 'x', 'set': {'/nowhere/1': 2}}]}, "there is nothing at 'nowhere'"),
    ({'queues': [{'name': 'default', 'environments': ['moon']}]}, 'there is no environment moon'),
    ({'jobs': [{'generate': {'tags': {'stoker:spot': 'maybe'}}}]}, 'stoker:spot'),
    ({'jobs': [{'trace': 'itp', 'file': '../secret.csv'}]}, 'must lie below the folder of traces')])
def test_what_is_wrong_with_a_scenario_is_named(scenario, change, says):
    scenario.write_text(json.dumps(json.loads(scenario.read_text()) | change))
    assert says in simulate('run', scenario, check=2).stderr


def test_a_trace_that_is_not_there_is_said(scenario):
    scenario.write_text(json.dumps(json.loads(scenario.read_text()) | {'jobs': [{'trace': 'itp', 'file': 'none.csv'}]}))
    assert 'none.csv' in simulate('run', scenario, '--traces', scenario.parent, check=4).stderr


def test_jobs_take_turns_and_deadlines_are_met(tmp_path):
    trace = tmp_path / 'turns.csv'
    trace.write_text('job_id,submission_time,duration,num_gpu\na,0,600,2\nb,0,600,2\n')
    rows = {row['policy']: row for row in json.loads(simulate('rounds', trace, '--format', 'itp', '--gpus', '2', '--json').stdout)}
    assert rows['fifo']['meanCompletionSeconds'] == 900 and rows['max-min']['meanCompletionSeconds'] == 1140
    series = tmp_path / 'series.json'
    series.write_text(json.dumps({'metadata': {'gap_seconds': 600}, 'data': ([1] * 18 + [0] * 9) * 40}))
    row, = json.loads(simulate('deadline', series, '--work', '10h', '--deadline', '14h', '--start', '6m', '--json').stdout)
    assert row['missed'] == 0 and row['costs']['uniform-progress-eager'] < row['costs']['on-demand-only']

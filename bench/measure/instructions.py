"""(i) Where the core's time goes: instructions by function, counted by callgrind. They repeat; processor time does not."""
import collections
import json
import re
import shutil
import subprocess

from measure.context import Skipped

TOP = 6  # functions named of each case


def measure(context):
    if not shutil.which('valgrind'):
        raise Skipped('valgrind is not installed')
    program = context.program('counts')
    cases = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    rows = {}
    for case in cases:
        context.say(f'  {case}')
        out = context.new_folder('callgrind') / 'out'
        done = subprocess.run(['valgrind', '-q', '--tool=callgrind', '--toggle-collect=measured*', f'--callgrind-out-file={out}', program, case],
                              capture_output=True, text=True, timeout=1800)
        if done.returncode != 0:
            rows[case] = {'skipped': done.stderr.strip()[-300:]}
            continue
        units = json.loads(done.stdout)['units']
        spent = by_function(out.read_text())
        total = sum(spent.values())
        rows[case] = {'units': units, 'instructions': total / units,
                      'top': [[name, count / total] for name, count in spent.most_common(TOP)]}
    return rows


def by_function(text):
    """Instructions that each function itself executed, from a file in callgrind's format (Callgrind Format Specification)."""
    names = {}  # by file-wide number: the name stands at its first use alone
    spent = collections.Counter()
    function, is_call = None, False
    for line in text.splitlines():
        if line.startswith('fn='):
            number, name = re.match(r'fn=\((\d+)\)(?: (.*))?', line).groups()
            if name:
                names[number] = short(name)
            function = number
        elif line.startswith('cfn='):
            number, name = re.match(r'cfn=\((\d+)\)(?: (.*))?', line).groups()
            if name:
                names[number] = short(name)
        elif line.startswith('calls='):
            is_call = True  # the line after it is what the callee cost
        elif line[:1] and line[0] in '0123456789+-*':
            if not is_call:
                spent[function] += int((line.split() + ['0'])[1])  # costs of zero are left out
            is_call = False
    by_name = collections.Counter()
    for number, count in spent.items():
        by_name[names[number]] += count
    return by_name


def short(name):
    """`stoker::core::(anonymous namespace)::place(World&, …)'2` is core `place`; templates lose their arguments."""
    name = re.sub(r"'\d+$", '', name).replace('(anonymous namespace)::', '').replace('[abi:cxx11]', '')
    while (shorter := re.sub(r'<[^<>]*>', '', name)) != name:
        name = shorter
    name = re.sub(r'\(.*', '', name).removeprefix('stoker::')
    return name.split()[-1] if name.split() else 'unknown'

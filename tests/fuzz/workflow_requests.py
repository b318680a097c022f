"""Step Functions requests that are near to what the server takes: definitions of every kind of state, expressions, and
ARNs, tokens and pages that earlier answers gave."""
import json

PREFIX = 'arn:aws:states:us-east-1:000000000000:'
ROLE = 'arn:aws:iam::000000000000:role/any'
# Requests that may rightly be answered late: the poll of a worker, the end of an execution.
LATE = ('GetActivityTask', 'StartSyncExecution')
PATHS = ['$', '$.a', '$.a.b', '$[0]', "$['a']", '$.a[*]', '$..a', '$.a[0:2]', '$.a[-1]', '$.a[?(@.b > 1)]', '$$.Execution.Name', '$$.State.RetryCount',
         '$.list', '$.list[0,1]', '$v', '$.no.such', '$..*', '$.a[?(@.b =~ /x/i)]', '$.list.length()']
INTRINSICS = ["States.Format('{}-{}', $.a, $$.Execution.Name)", 'States.StringToJson($.text)', 'States.JsonToString($)', 'States.Array(1, $.a)',
              'States.ArrayPartition($.list, 2)', 'States.ArrayContains($.list, 1)', 'States.ArrayRange(1, 9, 2)', 'States.ArrayGetItem($.list, 0)',
              'States.ArrayLength($.list)', 'States.ArrayUnique($.list)', "States.Base64Encode('x')", "States.Base64Decode('eA==')",
              "States.Hash('x', 'SHA-256')", 'States.JsonMerge($.a, $.a, false)', 'States.MathRandom(1, 9)', 'States.MathAdd($.n, 1)',
              "States.StringSplit('a,b', ',')", 'States.UUID()']
JSONATA = ['$states.input', '$states.input.a.b', '$states.context.Execution.Name', '$v', '$sum($states.input.list)', '[1..5].($ * 2)',
           '$map([1,2], function($x) { $x + 1 })', "$states.input.text ~> $uppercase", '$merge([{"a": 1}, $states.input.a])', '$now()', '$uuid()',
           '$states.input.list[$ > 1]', '$partition([1..9], 2)', '$range(0, 9, 2)', "$hash('x', 'SHA-256')", "$parse('[1]')", '$random() > 0.5',
           "$match('abc', /b/)", '$sort([3,1,2])', '(/* */ $f := function($n) { $n < 2 ? 1 : $n * $f($n - 1) }; $f(5))', '$fromMillis(0, "[Y]-[M01]")',
           '$states.input ~> |a|{"b": 2}|', '$formatNumber(12.5, "#,##0.00")', '$states.input.list^(>$)', '{"a": $states.input.list}', '$split("a b", /\\s/)']
PIECES = ['$', '..', '[', ']', '(', ')', "'", '"', '\\', '*', '?(@', '{', '}', '~>', '|', ':=', '.', ',', '^', '%', '/', '-1', '1e308', '99999999999', 'ü', '\x00']
DATA = {'a': {'b': 2}, 'list': [1, 2, 3], 'n': 1, 'text': '{"x": 1}', 'when': '2030-01-01T00:00:00Z'}
RESOURCES = ['arn:aws:states:::batch:submitJob', 'arn:aws:states:::batch:submitJob.sync', f'{PREFIX}activity:a0', 'arn:aws:states:::states:startExecution',
             'arn:aws:states:::states:startExecution.sync:2', 'arn:aws:states:::aws-sdk:sfn:listStateMachines', 'arn:aws:states:::aws-sdk:batch:describeJobs',
             'arn:aws:states:::lambda:invoke', 'arn:aws:states:::http:invoke', 'arn:aws:lambda:us-east-1:000000000000:function:f',
             'arn:aws:states:::aws-sdk:s3:getObject', 'arn:aws:states:::sqs:sendMessage.waitForTaskToken']


def expression(rng, jsonata):
    """A value of a field: mostly an expression, sometimes a spoilt one."""
    text = rng.choice(JSONATA) if jsonata else rng.choice(PATHS + INTRINSICS)
    if rng.random() < 0.3:
        text = spoil(rng, text)
    return '{% ' + text + ' %}' if jsonata else text


def spoil(rng, text):
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + rng.choice(PIECES) * rng.choice([1, 1, 1, 3, 300]) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randrange(1, 6):]
        elif kind == 2:
            text = text[:at] + rng.choice(PATHS + JSONATA + INTRINSICS) + text[at:]
        else:
            text = text[:at] + text[at:at + 20] * 2 + text[at + 20:]
    return text


class Author:
    """Definitions that are accepted more often than not."""

    def __init__(self, rng):
        self.rng, self.states = rng, 0

    def definition(self):
        jsonata = self.rng.random() < 0.5
        whole = self.machine(jsonata)
        if jsonata:
            whole['QueryLanguage'] = 'JSONata'
        if self.rng.random() < 0.2:
            whole['TimeoutSeconds'] = self.rng.choice([1, 60])
        return whole

    def machine(self, jsonata, depth=0):
        names = [f's{self.states + i}' for i in range(self.rng.choice([1, 1, 2, 3]))]
        self.states += len(names)
        states = {name: self.state(jsonata, depth, following) for name, following in zip(names, [*names[1:], None])}
        return {'StartAt': names[0], 'States': states}

    def state(self, jsonata, depth, following, kinds=('Pass', 'Wait', 'Choice', 'Task', 'Task', 'Parallel', 'Map', 'Succeed', 'Fail')):
        rng = self.rng
        kind = rng.choice(kinds if depth < 2 else ('Pass', 'Wait', 'Succeed'))
        if kind == 'Choice' and not following:
            kind = 'Pass'
        if kind in ('Succeed', 'Fail') and following:
            kind = 'Pass'
        state = {'Type': kind}
        if kind not in ('Choice', 'Succeed', 'Fail'):
            state.update({'Next': following} if following else {'End': True})
        state.update(getattr(self, kind.lower())(jsonata, depth, following))
        if kind in ('Task', 'Parallel', 'Map') and rng.random() < 0.4:
            state['Retry'] = [{'ErrorEquals': ['States.ALL'], 'MaxAttempts': rng.choice([0, 1]), 'IntervalSeconds': 1}]
        if kind in ('Task', 'Parallel', 'Map') and following and rng.random() < 0.4:
            state['Catch'] = [{'ErrorEquals': ['States.ALL'], 'Next': following}]
        if kind != 'Fail' and rng.random() < 0.5:
            state.update(self.flow(jsonata, kind))
        return state

    def flow(self, jsonata, kind):
        rng = self.rng
        if jsonata:
            return rng.choice([{'Output': expression(rng, True)}, {'Output': {'x': expression(rng, True), 'y': [1, expression(rng, True)]}},
                               {'Assign': {'v': expression(rng, True)}}])
        if kind in ('Choice', 'Wait', 'Succeed'):
            return rng.choice([{'InputPath': expression(rng, False)}, {'OutputPath': expression(rng, False)}])
        return rng.choice([{'InputPath': expression(rng, False)}, {'OutputPath': expression(rng, False)}, {'ResultPath': rng.choice(['$.r', '$.a.c', None, '$'])},
                           {'Parameters': {'x.$': expression(rng, False), 'y': 1}}, {'Assign': {'v.$': expression(rng, False)}}])

    # `pass` is a word of Python.
    def __getattr__(self, name):
        if name == 'pass':
            return lambda *_: {}
        raise AttributeError(name)

    def wait(self, jsonata, *_):
        rng = self.rng
        if jsonata:
            return rng.choice([{'Seconds': 0}, {'Seconds': expression(rng, True)}, {'Timestamp': expression(rng, True)}])
        return rng.choice([{'Seconds': 0}, {'SecondsPath': rng.choice(['$.n', '$.a'])}, {'TimestampPath': '$.when'}, {'Timestamp': '2020-01-01T00:00:00Z'}])

    def choice(self, jsonata, _, following):
        rng = self.rng
        if jsonata:
            return {'Choices': [{'Condition': expression(rng, True), 'Next': following}], 'Default': following}
        rule = rng.choice([{'Variable': expression(rng, False), 'NumericGreaterThan': 1}, {'Variable': '$.text', 'StringMatches': '*x*'},
                           {'Variable': '$.a', 'IsPresent': True}, {'Not': {'Variable': '$.n', 'NumericEqualsPath': '$.list[0]'}},
                           {'And': [{'Variable': '$.when', 'TimestampLessThan': '2031-01-01T00:00:00Z'}, {'Variable': '$.n', 'IsNumeric': True}]}])
        return {'Choices': [{**rule, 'Next': following}], 'Default': following}

    def task(self, jsonata, *_):
        rng = self.rng
        arguments = rng.choice([{'JobName': 'fuzz', 'JobQueue': 'default', 'JobDefinition': rng.choice(['work', 'waits'])},
                                {'StateMachineArn': f'{PREFIX}stateMachine:m{rng.randrange(6)}', 'Input': {'a': expression(rng, jsonata)}},
                                {'FunctionName': 'f', 'Payload': {}}, {}])
        state = {'Resource': rng.choice(RESOURCES), 'Arguments' if jsonata else 'Parameters': arguments}
        if rng.random() < 0.5:
            state['TimeoutSeconds'] = 1
        return state

    def parallel(self, jsonata, depth, _):
        return {'Branches': [self.machine(jsonata, depth + 1) for _ in range(self.rng.choice([1, 2]))]}

    def map(self, jsonata, depth, _):
        rng = self.rng
        processor = self.machine(jsonata, depth + 1)
        if rng.random() < 0.4:
            processor['ProcessorConfig'] = {'Mode': 'DISTRIBUTED', 'ExecutionType': rng.choice(['STANDARD', 'EXPRESS'])}
        where = {'Items': expression(rng, True)} if jsonata else {'ItemsPath': rng.choice(['$.list', expression(rng, False)])}
        return {**where, 'MaxConcurrency': rng.choice([0, 1, 2]), 'ItemProcessor': processor}

    def succeed(self, *_):
        return {}

    def fail(self, jsonata, *_):
        return self.rng.choice([{'Error': 'E', 'Cause': 'C'}, {'Error': expression(self.rng, True)} if jsonata else {'ErrorPath': '$.text'}])


class Requests:
    """Requests by operation; learns ARNs and the like from the answers."""

    def __init__(self, rng):
        self.rng = rng
        self.seen = {'stateMachineArn': [f'{PREFIX}stateMachine:m0'], 'activityArn': [f'{PREFIX}activity:a0'],
                     'executionArn': [f'{PREFIX}execution:m0:e0'], 'mapRunArn': [f'{PREFIX}mapRun:m0/l:00000000-0000-4000-8000-000000000000']}

    def learn(self, value):
        if isinstance(value, dict):
            for name, member in value.items():
                if isinstance(member, str) and (name.endswith('Arn') or name in ('taskToken', 'nextToken', 'revisionId')):
                    known = self.seen.setdefault(name, [])
                    if len(known) < 50:
                        known.append(member)
                    else:
                        known[self.rng.randrange(50)] = member
                else:
                    self.learn(member)
        elif isinstance(value, list):
            for member in value[:5]:
                self.learn(member)

    def known(self, name):
        """A value that a member of that name had in an answer; None where there is none."""
        found = self.seen.get(name) or (self.seen['stateMachineArn'] if name == 'resourceArn' else None)
        return self.rng.choice(found) if found else None

    def near_valid(self, name):
        rng = self.rng
        definition, data = json.dumps(Author(rng).definition()), json.dumps(DATA)
        if name == 'CreateStateMachine':
            return {'name': f'm{rng.randrange(6)}', 'definition': definition, 'roleArn': ROLE, 'type': rng.choice(['STANDARD', 'STANDARD', 'EXPRESS'])}
        if name == 'UpdateStateMachine':
            return {'stateMachineArn': self.known('stateMachineArn'), 'definition': definition, 'publish': rng.random() < 0.3}
        if name in ('StartExecution', 'StartSyncExecution'):
            return {'stateMachineArn': self.known('stateMachineArn'), 'input': data}
        if name == 'CreateActivity':
            return {'name': f'a{rng.randrange(3)}'}
        if name == 'ValidateStateMachineDefinition':
            return {'definition': definition}
        if name == 'TestState':
            return self.test_state(data)
        if name in ('SendTaskSuccess', 'SendTaskFailure', 'SendTaskHeartbeat'):
            token = self.known('taskToken') or '0' * 64
            return {'taskToken': token, **({'output': data} if name == 'SendTaskSuccess' else {'error': 'E'} if name == 'SendTaskFailure' else {})}
        return None

    def test_state(self, data):
        rng, author = self.rng, Author(self.rng)
        jsonata = rng.random() < 0.5
        state = author.state(jsonata, 0, rng.choice(['next', None]))
        if jsonata:
            state['QueryLanguage'] = 'JSONata'
        request = {'definition': json.dumps(state), 'roleArn': ROLE, 'input': data, 'inspectionLevel': rng.choice(['INFO', 'DEBUG', 'TRACE'])}
        if state['Type'] in ('Task', 'Map', 'Parallel'):
            request['mock'] = rng.choice([{'result': rng.choice([data, '[1, 2]', '{"JobId": "x"}'])}, {'errorOutput': {'error': 'E', 'cause': 'C'}}])
            request['mock']['fieldValidationMode'] = rng.choice(['STRICT', 'PRESENT', 'NONE'])
        if rng.random() < 0.3:
            request['variables'] = '{"v": [1, {"b": 2}]}'
        if rng.random() < 0.3:
            request['context'] = '{"Execution": {"Name": "x", "Id": "y"}}'
        return request

    def mutate_texts(self, members, mutate, mutate_bytes):
        """Within the JSON that members carry as text, too."""
        rng = self.rng
        for name in ('definition', 'input', 'output', 'variables', 'context'):
            text = members.get(name)
            if not isinstance(text, str) or rng.random() < 0.5:
                continue
            kind = rng.random()
            if kind < 0.2:
                members = {**members, name: spoil(rng, text)}
            elif kind < 0.3:
                members = {**members, name: mutate_bytes(rng, text.encode('utf-8', 'surrogatepass')).decode('utf-8', 'replace')}
            else:
                try:
                    members = {**members, name: json.dumps(mutate(rng, json.loads(text)))}
                except ValueError:
                    pass
        return members

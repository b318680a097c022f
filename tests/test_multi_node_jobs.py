"""Multi-node parallel jobs: nodes that start together and end together."""
import pytest
from support import all_events, refused, said, sh, wait_for


def register(server, script, name='gang', nodes=4, main=0, vcpus=0, members=None, ranges=None):
    container = {'image': 'host', 'command': sh(script),
                 'resourceRequirements': [{'type': 'VCPU', 'value': str(vcpus or 1)}, {'type': 'MEMORY', 'value': '64'}]}
    properties = {'numNodes': nodes, 'mainNode': main, 'nodeRangeProperties': ranges or [{'targetNodes': '0:', 'container': container}]}
    answer = server.batch.register_job_definition(jobDefinitionName=name, type='multinode', nodeProperties=properties, **(members or {}))
    return f"{answer['jobDefinitionName']}:{answer['revision']}"


def all_have_spoken(server, nodes, main=0):
    """A line of a script: tells that this node has spoken; the main node waits for all."""
    files = ' && '.join(f'[ -e {server.work}/said-{i} ]' for i in range(nodes))
    return f'touch {server.work}/said-$AWS_BATCH_JOB_NODE_INDEX; [ $AWS_BATCH_JOB_NODE_INDEX != {main} ] || until {files}; do sleep 0.02; done'


@pytest.fixture
def wide(make_server):
    """A server that says it has eight processors, so that four nodes run beside each other."""
    return make_server('--cpus', '8')


def node(server, job, index):
    return server.job(f'{job}#{index}')


def log(server, job, index, attempt=-1):
    return [event['message'] for event in all_events(server.logs, node(server, job, index)['attempts'][attempt]['container']['logStreamName'])]


def test_all_nodes_run_and_know_each_other(wide):
    script = '''echo $AWS_BATCH_JOB_NODE_INDEX of $AWS_BATCH_JOB_NUM_NODES main $AWS_BATCH_JOB_MAIN_NODE_INDEX
                echo "at ${AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS-nowhere} $MASTER_ADDR rank $NODE_RANK $NNODES $STOKER_NODE_IPS"
                echo $AWS_BATCH_JOB_ID attempt $AWS_BATCH_JOB_ATTEMPT port $MASTER_PORT
                ''' + all_have_spoken(wide, 3, main=1)
    job = wide.submit(register(wide, script, nodes=3, main=1))
    ended = wide.wait(job)
    assert ended['status'] == 'SUCCEEDED' and 'container' not in ended and 'nodeDetails' not in ended
    assert ended['nodeProperties']['numNodes'] == 3 and ended['nodeProperties']['mainNode'] == 1
    assert ended['attempts'][-1]['container']['exitCode'] == 0 and ended['startedAt'] > 0 and ended['stoppedAt'] >= ended['startedAt']
    main = node(wide, job, 1)
    assert ended['attempts'][-1]['container']['logStreamName'] == main['container']['logStreamName']
    assert main['nodeDetails'] == {'nodeIndex': 1, 'isMainNode': True} and main['jobArn'].endswith(f'job/{job}#1')
    ips = '127.0.0.1,127.0.0.1,127.0.0.1'
    ports = set()
    for i in range(3):
        lines = log(wide, job, i)
        address = 'nowhere' if i == 1 else '127.0.0.1'  # AWS sets it on the other nodes only
        assert lines[:2] == [f'{i} of 3 main 1', f'at {address} 127.0.0.1 rank {i} 3 {ips}']
        assert lines[2].startswith(f'{job}#{i} attempt 1 port ')
        ports.add(lines[2].rsplit(' ', 1)[1])
    assert len(ports) == 1 and 29500 <= int(ports.pop()) < 30500


def test_the_end_of_the_main_node_stops_the_others(wide):
    gate = wide.work / 'gate'
    script = f'''if [ $AWS_BATCH_JOB_NODE_INDEX = 0 ]; then while [ ! -e {gate} ]; do sleep 0.02; done; exit 0; fi
                 trap "echo asked to stop; exit 3" TERM; echo ready; while true; do sleep 0.02; done'''
    job = wide.submit(register(wide, script))
    wide.wait(job, 'RUNNING')
    workers = [f'{job}#{i}' for i in (1, 2, 3)]
    wait_for(lambda: all(wide.log(worker) == ['ready'] for worker in workers))
    assert wide.ids(multiNodeJobId=job) == [f'{job}#{i}' for i in range(4)]
    summaries = wide.batch.list_jobs(multiNodeJobId=job)['jobSummaryList']
    assert [one['nodeProperties'] for one in summaries] == [{'isMainNode': i == 0, 'numNodes': 4, 'nodeIndex': i} for i in range(4)]
    assert wide.batch.list_jobs(jobQueue='default')['jobSummaryList'][0]['nodeProperties'] == {'numNodes': 4}
    gate.touch()
    ended = wide.wait(job)
    assert ended['status'] == 'SUCCEEDED' and ended['statusReason'] == 'Essential container in task exited'
    for worker in workers:
        assert said(wide.log(worker)) == ['ready', 'asked to stop']
        stopped = wide.job(worker)
        assert stopped['status'] == 'FAILED' and stopped['container']['exitCode'] == 3 and stopped['stoppedAt'] > 0
    assert wide.ids(multiNodeJobId=job, jobStatus='FAILED') == workers and wide.ids(multiNodeJobId=job, jobStatus='SUCCEEDED') == [f'{job}#0']


def test_a_worker_that_ends_well_just_ends(wide):
    gate = wide.work / 'gate'
    job = wide.submit(register(wide, f'[ $AWS_BATCH_JOB_NODE_INDEX != 0 ] || while [ ! -e {gate} ]; do sleep 0.02; done'))
    for i in (1, 2, 3):
        assert wide.wait(f'{job}#{i}')['status'] == 'SUCCEEDED'
    assert wide.status(job) == 'RUNNING'
    gate.touch()
    assert wide.wait(job)['status'] == 'SUCCEEDED'


def test_a_worker_that_fails_ends_the_job_and_all_run_again(wide):
    tried = wide.work / 'tried'
    script = f'''[ $AWS_BATCH_JOB_ATTEMPT = 2 ] && exit 0
                 [ $AWS_BATCH_JOB_NODE_INDEX = 2 ] && {{ touch {tried}; exit 9; }}
                 while true; do sleep 0.02; done'''
    job = wide.submit(register(wide, script), retryStrategy={'attempts': 2})
    ended = wide.wait(job)
    assert ended['status'] == 'SUCCEEDED' and tried.exists()
    first, second = ended['attempts']
    assert first['container']['exitCode'] == 9 and second['container']['exitCode'] == 0
    assert first['statusReason'] == 'Essential container in task exited (node 2 of the job)'
    for i in range(4):
        before, after = node(wide, job, i)['attempts']
        assert after['startedAt'] >= before['stoppedAt'] and before['stoppedAt'] <= second['startedAt']


def test_terminating_ends_all_nodes_and_one_alone_is_refused(wide):
    job = wide.submit(register(wide, 'sleep 600'))
    wide.wait(job, 'RUNNING')
    wait_for(lambda: len(wide.ids(multiNodeJobId=job)) == 4)
    for end in (wide.batch.terminate_job, wide.batch.cancel_job):
        refused(end, 'is a node of a multi-node parallel job', jobId=f'{job}#1', reason='no')
    wide.batch.terminate_job(jobId=job, reason='enough of it')
    ended = wide.wait(job)
    assert ended['status'] == 'FAILED' and ended['statusReason'] == 'enough of it' and ended['isTerminated'] is True
    assert {node(wide, job, i)['status'] for i in range(4)} == {'FAILED'}


def test_all_or_nothing_says_what_is_missing(make_server):
    server = make_server('--cpus', '3')
    holder = server.submit(server.define('holder', ['sleep', '600']))
    server.wait(holder, 'RUNNING')
    job = server.submit(register(server, 'true', nodes=3))
    waiting = server.wait(job, 'RUNNABLE')
    wait_for(lambda: 'Waits for room for all 3 nodes at once' in server.job(job).get('statusReason', ''))
    assert '2 of 3 would find it now; each asks 1 vCPU, 64 MiB' in server.job(job)['statusReason'], waiting
    assert node(server, job, 2)['status'] == 'RUNNABLE'
    later = server.submit(server.define('later'))  # it has no time limit, and would make the other wait
    assert 'Waits behind job' in server.wait(later, 'RUNNABLE').get('statusReason', 'Waits behind job')
    server.batch.terminate_job(jobId=holder, reason='done')
    assert server.wait(job)['status'] == 'SUCCEEDED' and server.wait(later)['status'] == 'SUCCEEDED'


def test_overrides_of_nodes(wide):
    ranges = [{'targetNodes': '0:', 'container': {'image': 'host', 'command': sh('echo $AWS_BATCH_JOB_NODE_INDEX $A $B; ' + all_have_spoken(wide, 3)), 'environment': [{'name': 'A', 'value': 'a'}],
                                                  'resourceRequirements': [{'type': 'VCPU', 'value': '1'}, {'type': 'MEMORY', 'value': '64'}]}},
              {'targetNodes': '1:1', 'container': {'environment': [{'name': 'A', 'value': 'inner'}]}}]
    definition = register(wide, '', nodes=2, ranges=ranges)
    overrides = {'numNodes': 3, 'nodePropertyOverrides': [{'targetNodes': '0:', 'containerOverrides': {'environment': [{'name': 'B', 'value': 'b'}]}}]}
    job = wide.submit(definition, nodeOverrides=overrides)
    ended = wide.wait(job)
    assert ended['nodeProperties']['numNodes'] == 3
    assert [one['targetNodes'] for one in ended['nodeProperties']['nodeRangeProperties']] == ['0:0', '1:1', '2:2']
    assert [log(wide, job, i)[:1] for i in range(3)] == [['0 a b'], ['1 inner b'], ['2 a b']]
    submit = wide.batch.submit_job
    base = {'jobName': 'bad', 'jobQueue': 'default', 'jobDefinition': definition}
    refused(submit, 'numNodes', **base, nodeOverrides={'numNodes': 1})
    refused(submit, 'containerOverrides', 'is not applicable', **base, containerOverrides={'command': ['x']})
    refused(submit, 'arrayProperties is not applicable', **base, arrayProperties={'size': 2})
    refused(submit, 'is a node of a multi-node parallel job', **base, dependsOn=[{'jobId': f'{job}#1'}])
    refused(submit, 'nodeOverrides', 'is not applicable', jobName='bad', jobQueue='default', jobDefinition=wide.define('plain'), nodeOverrides={'numNodes': 2})


def test_they_outlive_the_server(wide):
    gate = wide.work / 'gate'
    job = wide.submit(register(wide, f'while [ ! -e {gate} ]; do sleep 0.02; done'))
    wide.wait(job, 'RUNNING')
    wide.restart('kill')
    assert wide.wait(job, 'RUNNING')['nodeProperties']['numNodes'] == 4
    gate.touch()
    ended = wide.wait(job)
    assert ended['status'] == 'SUCCEEDED' and len(ended['attempts']) == 1


def test_the_command_runs_on_nodes(wide):
    run = wide.cli('submit', '--nodes', '3', '--memory', '64M', '--', 'sh', '-c', 'echo node $NODE_RANK of $NNODES; ' + all_have_spoken(wide, 3), check=0)
    assert run.stdout == 'node 0 of 3\n'
    job = wide.batch.list_jobs(jobQueue='default', jobStatus='SUCCEEDED')['jobSummaryList'][0]['jobId']
    assert '(3 nodes)' in wide.cli('jobs', check=0).stdout
    assert len(wide.cli('jobs', '--nodes', job, '--ids', check=0).stdout.split()) == 3
    assert wide.cli('logs', f'{job}#2', check=0).stdout == 'node 2 of 3\n'
    failed = wide.cli('submit', '--nodes', '2', '--memory', '64M', '--', 'sh', '-c', '[ $NODE_RANK = 0 ] || exit 5; sleep 60')
    assert failed.returncode == 5

"""Array jobs: children, summaries, and children that wait for one another."""
import pytest
from support import ENDED, refused, sh, wait_for

STATES = {'SUBMITTED', 'PENDING', 'RUNNABLE', 'STARTING', 'RUNNING', 'SUCCEEDED', 'FAILED'}


def children(server, parent, size):
    ids = [f'{parent}:{index}' for index in range(size)]
    found = {job['jobId']: job for start in range(0, size, 100) for job in server.batch.describe_jobs(jobs=ids[start:start + 100])['jobs']}
    return [found[one] for one in ids]


def ended_children(server, parent, size, deadline=60):
    wait_for(lambda: server.status(parent) in ENDED, deadline, lambda: server.job(parent))
    return children(server, parent, size)


def test_each_child_gets_its_index_and_the_parent_counts_them(server):
    definition = server.define('part', sh('echo part $AWS_BATCH_JOB_ARRAY_INDEX of $AWS_BATCH_JOB_ID'))
    parent = server.submit(definition, name='parts', arrayProperties={'size': 6})
    assert server.status(parent) in {'SUBMITTED', 'PENDING', 'SUCCEEDED'}
    done = ended_children(server, parent, 6)
    assert [job['arrayProperties']['index'] for job in done] == list(range(6)) and {job['status'] for job in done} == {'SUCCEEDED'}
    assert [job['jobArn'].endswith(f'job/{parent}:{index}') for index, job in enumerate(done)] == [True] * 6
    assert [server.log(job['jobId']) for job in done] == [[f'part {index} of {parent}:{index}'] for index in range(6)]
    described = server.job(parent)
    assert described['status'] == 'SUCCEEDED' and described['arrayProperties']['size'] == 6 and described['stoppedAt'] > 0
    summary = described['arrayProperties']['statusSummary']
    assert set(summary) == STATES and summary['SUCCEEDED'] == 6 and sum(summary.values()) == 6
    assert 'exitCode' not in described.get('container', {}) and described.get('attempts', []) == []


def test_a_running_parent_is_pending(server):
    gate = server.work / 'gate'
    parent = server.submit(server.define('part', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done')), arrayProperties={'size': 3})
    server.wait(f'{parent}:0', 'RUNNING')
    assert server.status(parent) == 'PENDING'
    assert server.ids(jobQueue='default', jobStatus='PENDING') == [parent]
    gate.touch()
    assert server.wait(parent)['status'] == 'SUCCEEDED'


def test_one_failed_child_fails_the_parent_after_all_have_ended(server):
    parent = server.submit(server.define('part', sh('[ $AWS_BATCH_JOB_ARRAY_INDEX -ne 1 ] || exit 7')), arrayProperties={'size': 4})
    done = ended_children(server, parent, 4)
    assert [job['status'] for job in done] == ['SUCCEEDED', 'FAILED', 'SUCCEEDED', 'SUCCEEDED']
    assert done[1]['container']['exitCode'] == 7
    described = server.job(parent)
    assert described['status'] == 'FAILED'
    assert described['arrayProperties']['statusSummary']['FAILED'] == 1
    assert described['stoppedAt'] >= max(job['stoppedAt'] for job in done)


def test_children_are_retried_one_by_one(server):
    script = f'[ $AWS_BATCH_JOB_ARRAY_INDEX -ne 2 ] || [ -e {server.work}/second ] || {{ touch {server.work}/second; exit 1; }}'
    parent = server.submit(server.define('part', sh(script)), arrayProperties={'size': 4}, retryStrategy={'attempts': 3})
    done = ended_children(server, parent, 4)
    assert [len(job['attempts']) for job in done] == [1, 1, 2, 1] and server.status(parent) == 'SUCCEEDED'


def test_sequential_children_run_one_after_the_other(server):
    trace = server.work / 'trace'
    script = f'echo start $AWS_BATCH_JOB_ARRAY_INDEX >> {trace}; sleep 0.05; echo end $AWS_BATCH_JOB_ARRAY_INDEX >> {trace}'
    parent = server.submit(server.define('part', sh(script)), arrayProperties={'size': 5}, dependsOn=[{'type': 'SEQUENTIAL'}])
    assert server.wait(parent)['status'] == 'SUCCEEDED'
    assert trace.read_text().split('\n')[:-1] == [f'{word} {index}' for index in range(5) for word in ('start', 'end')]


def test_a_failure_in_a_sequence_fails_all_that_follow_without_running(server):
    script = '[ $AWS_BATCH_JOB_ARRAY_INDEX -ne 2 ] || exit 1'
    parent = server.submit(server.define('part', sh(script)), arrayProperties={'size': 6}, dependsOn=[{'type': 'SEQUENTIAL'}])
    done = ended_children(server, parent, 6)
    assert [job['status'] for job in done] == ['SUCCEEDED'] * 2 + ['FAILED'] * 4
    assert all(job['statusReason'] == 'Dependent Job failed' and not job.get('attempts') for job in done[3:])


def test_n_to_n_children_wait_for_their_twin_only(server):
    hold = server.work / 'hold'
    first = server.define('first', sh(f'while [ $AWS_BATCH_JOB_ARRAY_INDEX -eq 1 ] && [ ! -e {hold} ]; do sleep 0.05; done; '
                                      '[ $AWS_BATCH_JOB_ARRAY_INDEX -ne 2 ]'))
    one = server.submit(first, arrayProperties={'size': 3})
    two = server.submit(server.define('second'), arrayProperties={'size': 3}, dependsOn=[{'jobId': one, 'type': 'N_TO_N'}])
    assert server.wait(f'{two}:0')['status'] == 'SUCCEEDED'
    assert server.wait(f'{two}:2')['statusReason'] == 'Dependent Job failed'
    assert server.status(f'{two}:1') == 'PENDING' and server.status(f'{one}:1') == 'RUNNING'
    hold.touch()
    assert server.wait(f'{two}:1')['status'] == 'SUCCEEDED'
    assert server.wait(two)['status'] == 'FAILED'


def test_n_to_n_between_arrays_of_different_sizes_is_refused(server):
    one = server.submit(server.define('work'), arrayProperties={'size': 3})
    for more in ({'arrayProperties': {'size': 4}}, {}):
        refused(server.batch.submit_job, jobName='x', jobQueue='default', jobDefinition='work',
                dependsOn=[{'jobId': one, 'type': 'N_TO_N'}], **more)
    refused(server.batch.submit_job, jobName='x', jobQueue='default', jobDefinition='work', dependsOn=[{'type': 'SEQUENTIAL'}])


def test_children_are_listed_by_state_and_in_pages(server):
    gate = server.work / 'gate'
    script = f'[ $AWS_BATCH_JOB_ARRAY_INDEX -lt 4 ] || while [ ! -e {gate} ]; do sleep 0.05; done'
    parent = server.submit(server.define('part', sh(script), vcpus=1), arrayProperties={'size': 5})
    for index in range(4):
        server.wait(f'{parent}:{index}')
    server.wait(f'{parent}:4', 'RUNNING')
    assert server.ids(arrayJobId=parent, jobStatus='RUNNING') == [f'{parent}:4']
    pages = list(server.batch.get_paginator('list_jobs').paginate(arrayJobId=parent, jobStatus='SUCCEEDED',
                                                                  PaginationConfig={'PageSize': 3}))
    found = [one for page in pages for one in page['jobSummaryList']]
    assert [len(page['jobSummaryList']) for page in pages] == [3, 1]
    assert {one['jobId'] for one in found} == {f'{parent}:{index}' for index in range(4)}
    assert all(one['arrayProperties']['index'] == int(one['jobId'].split(':')[1]) for one in found)
    listed = server.batch.list_jobs(jobQueue='default', jobStatus='PENDING')['jobSummaryList'][0]
    assert listed['arrayProperties']['size'] == 5
    gate.touch()
    server.wait(parent)


def test_one_child_is_cancelled_alone_and_the_parent_fails_in_the_end(server):
    gate = server.work / 'gate'
    parent = server.submit(server.define('part', sh(f'while [ ! -e {gate} ]; do sleep 0.05; done'), memory=64), arrayProperties={'size': 2},
                           dependsOn=[{'type': 'SEQUENTIAL'}])
    server.wait(f'{parent}:0', 'RUNNING')
    server.batch.terminate_job(jobId=f'{parent}:1', reason='not this one')
    assert server.wait(f'{parent}:1')['statusReason'] == 'not this one'
    gate.touch()
    assert server.wait(f'{parent}:0')['status'] == 'SUCCEEDED' and server.wait(parent)['status'] == 'FAILED'


@pytest.mark.parametrize('how', ['cancel_job', 'terminate_job'])
def test_ending_the_parent_ends_all_children(server, how):
    parent = server.submit(server.define('part', ['sleep', '600']), arrayProperties={'size': 20})
    server.wait(f'{parent}:0', 'RUNNING')
    getattr(server.batch, how)(jobId=parent, reason='stop it all')
    if how == 'cancel_job':  # what runs goes on
        wait_for(lambda: server.job(parent)['arrayProperties']['statusSummary']['RUNNABLE'] == 0)
        assert server.status(f'{parent}:0') == 'RUNNING'
        server.batch.terminate_job(jobId=parent, reason='really')
    assert server.wait(parent)['status'] == 'FAILED'
    summary = server.job(parent)['arrayProperties']['statusSummary']
    assert summary['FAILED'] == 20 and sum(summary.values()) == 20


def test_an_array_of_ten_thousand_is_accepted_described_and_cancelled(server):
    parent = server.submit(server.define('part', ['sleep', '600'], vcpus=100000), arrayProperties={'size': 10000})
    summary = wait_for(lambda: (lambda found: found if found['RUNNABLE'] == 10000 else None)(
        server.job(parent)['arrayProperties']['statusSummary']))
    assert sum(summary.values()) == 10000
    assert server.status(f'{parent}:9999') == 'RUNNABLE'
    assert server.batch.describe_jobs(jobs=[f'{parent}:10000'])['jobs'] == []
    assert len(server.ids(arrayJobId=parent, jobStatus='RUNNABLE')) == 10000
    server.batch.cancel_job(jobId=parent, reason='too many')
    assert server.wait(parent)['statusReason'] == 'too many'


def test_a_job_may_wait_for_one_child_or_for_the_whole_array(server):
    gate = server.work / 'gate'
    script = f'[ $AWS_BATCH_JOB_ARRAY_INDEX -eq 0 ] || while [ ! -e {gate} ]; do sleep 0.05; done'
    parent = server.submit(server.define('part', sh(script)), arrayProperties={'size': 2})
    after_one = server.submit(server.define('after'), dependsOn=[{'jobId': f'{parent}:0'}])
    after_all = server.submit('after', dependsOn=[{'jobId': parent}])
    assert server.wait(after_one)['status'] == 'SUCCEEDED'
    assert server.status(after_all) == 'PENDING'
    gate.touch()
    assert server.wait(after_all)['status'] == 'SUCCEEDED'

"""ListJobs: by queue and state, by every filter, in pages."""
import time

import pytest
from support import refused, wait_for


@pytest.fixture
def many(server):
    """Ten jobs that cannot run, of two definitions and several names, submitted in order."""
    alpha = [server.define('alpha', vcpus=100000) for _ in range(2)]
    beta = server.define('beta', vcpus=100000)
    jobs = []
    for number in range(10):
        definition = alpha[number % 2] if number < 6 else beta
        jobs.append(server.submit(definition, name=f"{'Train' if number % 2 else 'test'}-{number}"))
    for job in jobs:
        server.wait(job, 'RUNNABLE')
    return jobs


def found(server, **query):
    return server.batch.list_jobs(**query)['jobSummaryList']


def filtered(server, name, *values, **more):
    return [one['jobId'] for one in found(server, jobQueue='default', filters=[{'name': name, 'values': list(values)}], **more)]


def test_without_a_state_only_running_jobs_are_listed(server, many):
    assert found(server, jobQueue='default') == []
    assert set(server.ids(jobQueue='default', jobStatus='RUNNABLE')) == set(many)
    running = server.submit(server.define('sleep', ['sleep', '600']))
    server.wait(running, 'RUNNING')
    assert [one['jobId'] for one in found(server, jobQueue='default')] == [running]
    server.batch.terminate_job(jobId=running, reason='x')
    server.wait(running)


def test_a_summary_tells_the_essentials(server):
    job = server.run('exit 3')
    summary = found(server, jobQueue='default', jobStatus='FAILED')[0]
    for member in ('jobId', 'jobArn', 'jobName', 'status', 'createdAt', 'startedAt', 'stoppedAt', 'statusReason', 'jobDefinition'):
        assert summary[member] == job[member], member
    assert summary['container']['exitCode'] == 3


def test_pages_hold_each_job_once(server, many):
    pages = list(server.batch.get_paginator('list_jobs').paginate(jobQueue='default', jobStatus='RUNNABLE', PaginationConfig={'PageSize': 3}))
    ids = [one['jobId'] for page in pages for one in page['jobSummaryList']]
    assert len(ids) == 10 and set(ids) == set(many)
    assert all(len(page['jobSummaryList']) <= 3 for page in pages) and 'nextToken' not in pages[-1]


def test_jobs_that_come_while_a_reader_pages_do_not_disturb_it(server, many):
    first = server.batch.list_jobs(jobQueue='default', jobStatus='RUNNABLE', maxResults=4)
    server.submit('beta')
    ids, token = [one['jobId'] for one in first['jobSummaryList']], first['nextToken']
    while token:
        page = server.batch.list_jobs(jobQueue='default', jobStatus='RUNNABLE', maxResults=4, nextToken=token)
        ids += [one['jobId'] for one in page['jobSummaryList']]
        token = page.get('nextToken')
    assert len(ids) == len(set(ids)) and set(many) <= set(ids)


def test_names_are_filtered_without_case_and_by_prefix(server, many):
    assert filtered(server, 'JOB_NAME', 'TRAIN-1') == [many[1]]
    assert filtered(server, 'JOB_NAME', 'train*') == [many[number] for number in (9, 7, 5, 3, 1)]  # newest first
    assert filtered(server, 'JOB_NAME', 'train') == []
    assert filtered(server, 'JOB_NAME', 'train-1', jobStatus='FAILED') == [many[1]]  # the state is ignored with a filter


def test_definitions_are_filtered_by_name_prefix_and_arn(server, many):
    arn = 'arn:aws:batch:us-east-1:000000000000:job-definition/alpha:'
    assert set(filtered(server, 'JOB_DEFINITION', 'alpha')) == set(many[:6])
    assert filtered(server, 'JOB_DEFINITION', 'ALPHA') == []
    assert set(filtered(server, 'JOB_DEFINITION', 'al*')) == set(many[:6])
    assert set(filtered(server, 'JOB_DEFINITION', arn + '2')) == {many[1], many[3], many[5]}


def test_times_are_filtered_from_both_sides(server, many):
    created = {job: server.job(job)['createdAt'] for job in many}
    time.sleep(0.01)
    later = server.submit('beta')
    cut = server.job(later)['createdAt']
    assert set(filtered(server, 'BEFORE_CREATED_AT', str(cut))) >= {job for job in many if created[job] < cut}
    after = filtered(server, 'AFTER_CREATED_AT', str(cut - 1))
    assert later in after and not {job for job in many if created[job] < cut - 1} & set(after)


def test_shares_are_filtered_together_with_a_state(server):
    arn = server.batch.create_scheduling_policy(name='fair')['arn']
    server.batch.create_job_queue(jobQueueName='shares', priority=1, schedulingPolicyArn=arn,
                                  computeEnvironmentOrder=[{'order': 1, 'computeEnvironment': 'local'}])
    big = server.define('big', vcpus=100000)
    jobs = {share: server.submit(big, queue='shares', shareIdentifier=share) for share in ('a', 'b')}
    ended = server.submit(server.define('work'), queue='shares', shareIdentifier='a')
    server.wait(ended)
    query = dict(jobQueue='shares', filters=[{'name': 'SHARE_IDENTIFIER', 'values': ['a']}])
    assert [one['jobId'] for one in found(server, jobStatus='RUNNABLE', **query)] == [jobs['a']]
    assert [one['jobId'] for one in found(server, jobStatus='SUCCEEDED', **query)] == [ended]


BAD = {
    'no scope': {},
    'two scopes': dict(jobQueue='default', arrayJobId='00000000-0000-4000-8000-000000000000'),
    'an unknown queue': dict(jobQueue='none'),
    'a state that does not exist': dict(jobQueue='default', jobStatus='LOST'),
    'a filter that does not exist': dict(jobQueue='default', filters=[{'name': 'COLOUR', 'values': ['red']}]),
    'two filters': dict(jobQueue='default', filters=[{'name': 'JOB_NAME', 'values': ['a']}, {'name': 'JOB_NAME', 'values': ['b']}]),
    'a time that is no number': dict(jobQueue='default', filters=[{'name': 'AFTER_CREATED_AT', 'values': ['yesterday']}]),
    'a token of nobody': dict(jobQueue='default', nextToken='bm90IGEgdG9rZW4='),
}


@pytest.mark.parametrize('what', BAD)
def test_a_listing_is_refused_with(shared, what):
    refused(shared.batch.list_jobs, **BAD[what])


def test_every_job_ever_submitted_is_found_by_its_end(server):
    definition = server.define('work')
    jobs = {server.submit(definition) for _ in range(25)}
    wait_for(lambda: set(server.ids(jobQueue='default', jobStatus='SUCCEEDED')) == jobs)

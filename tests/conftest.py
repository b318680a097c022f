"""Fixtures of the whole-system tests."""
import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(__file__))

import support  # noqa: E402

pytest_plugins = []


def pytest_addoption(parser):
    parser.addoption('--kills', type=int, default=6, help='how often the crash test kills the server or the agent')
    parser.addoption('--mutations', type=int, default=3000, help='how many mutated requests the fuzzer sends')
    parser.addoption('--seed', type=int, default=1, help='seed of the crash test and the fuzzer')


def pytest_configure(config):
    if not os.path.exists(support.STOKER):
        raise pytest.UsageError(f'{support.STOKER} does not exist: make build')
    support.become_subreaper()


def pytest_report_header():
    return f'stoker: {support.STOKER}'


@pytest.fixture
def make_server():
    """A factory of servers with options; all of them end with the test."""
    servers = []

    def make(*arguments, **options):
        server = support.Server(*arguments, **options)
        try:
            server.start()
        except AssertionError:
            server.stop(check=False)
            raise
        servers.append(server)
        return server

    yield make
    problems = []
    for server in reversed(servers):
        try:
            server.stop()
        except AssertionError as problem:
            problems.append(str(problem))
    assert not problems, '\n'.join(problems)


@pytest.fixture
def server(make_server):
    """A fresh server: this machine as environment `local`, queue `default`, nothing else."""
    return make_server()


@pytest.fixture
def gpus(make_server):
    """A fresh server that pretends four GPUs."""
    return make_server('--gpus', '4xA10G')


@pytest.fixture(scope='session')
def shared():
    """One server for calls that leave nothing behind that another test could mind."""
    server = support.Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def batch(server):
    return server.batch

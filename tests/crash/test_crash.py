"""Killed at any moment, the system loses nothing and runs nothing twice.

Under load, the server (in other rounds the agent) is killed with SIGKILL at random moments and comes back. In the end
each submission that was answered has its job in the right final state, each attempt ran exactly once and no log line is
missing; each execution that was answered ended as it should, with a history without gaps, and each of its jobs ran once;
no process is left. `--kills=200` is what `make check` runs; `--seed` repeats a run's choices.
"""
import os
import random
import signal
import time

import job_load
import workflow_load
from support import wait_for


def only_the_system_is_alive(server):
    """Apart from the agent (and what it keeps ready to start jobs with) nothing may be alive."""
    lines = server.processes().values()
    return not [line for line in lines if 'AWS_BATCH' in line or line.startswith('/bin/sh -c') or line.startswith('sleep')]


class Killer:
    """Kills the server or its agent at random; knows when the server lived."""

    def __init__(self, server, rng):
        self.server, self.rng = server, rng
        self.lives = [(time.time(), None)]

    def strike(self):
        if self.rng.choice(['server', 'server', 'agent']) == 'agent':
            for pid in self.server.agents():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            return
        self.lives[-1] = (self.lives[-1][0], time.time())
        self.server.kill()
        # Mostly back at once, sometimes after a while, in which timers fall due.
        time.sleep(self.rng.choice([0, 0, self.rng.random() * 0.3, 1.5 * (self.rng.random() < 0.2)]))
        self.server.start()
        self.lives.append((time.time(), None))


def test_killed_under_load_nothing_is_lost_and_nothing_runs_twice(make_server, request):
    kills, seed = request.config.getoption('--kills'), request.config.getoption('--seed')
    rng = random.Random(seed)
    server = make_server('--cpus', '6', '--memory-mib', '4096')
    killer = Killer(server, rng)
    done = 0
    while done < kills:
        jobs = job_load.JobLoad(server, random.Random(rng.random()))
        workflows = workflow_load.WorkflowLoad(server, random.Random(rng.random()))
        loads = (jobs, workflows)
        try:
            for _ in range(min(20, kills - done)):
                if rng.random() < 0.7:  # mostly with work under way, sometimes right at the start
                    before = [load.answered for load in loads]
                    wait_for(lambda: all(load.failure or load.answered > count + 1 for load, count in zip(loads, before)),
                             what=server.log_tail)
                time.sleep(rng.random() * 0.5)
                killer.strike()
                done += 1
            wait_for(lambda: all(load.failure or load.answered > 20 for load in loads), what=server.log_tail)
            jobs.stop()
            job_load.check_everything(server, jobs)
            workflow_load.check_everything(server, workflows, killer.lives)
        finally:
            for load in loads:
                load.close()
        wait_for(lambda: only_the_system_is_alive(server), what=server.processes)
        print(f'{done} kills: {jobs.answered} submissions, {workflows.answered} executions, '
              f'{jobs.unanswered + workflows.unanswered} unanswered')

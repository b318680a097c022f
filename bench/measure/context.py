"""What every part of a run shares: folders, the programs that measure, quiet moments, and leaving nothing behind."""
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HOME = pathlib.Path(__file__).resolve().parent.parent.parent


class Skipped(Exception):
    """A part or a peer that this machine cannot run; the text says why."""


class Context:
    """One run. `folder` is on a real disk and goes away with everything that was started in it."""

    def __init__(self, build, quick, patience=None):
        self.build, self.quick = pathlib.Path(build).resolve(), quick
        self.patience = patience if patience is not None else self.size(60, 5)
        self.stoker = self.build / 'stoker'
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='stoker-bench-', dir=real_disk_folder()))
        self.folder.chmod(0o755)
        self.children = []
        self.noise = []

    def size(self, full, quick):
        return quick if self.quick else full

    def say(self, text):
        print(text, file=sys.stderr, flush=True)

    def new_folder(self, name):
        return pathlib.Path(tempfile.mkdtemp(prefix=name + '-', dir=self.folder))

    def program(self, name):
        path = self.build / 'bench' / f'bench_{name}'
        if not path.exists():
            raise Skipped(f'{path} was not built')
        return str(path)

    def build_programs(self):
        """In the build folder of the server, so that its objects serve twice."""
        log = self.folder / 'build.log'
        jobs = max(1, min(os.cpu_count(), memory_available() >> 31))
        alone = ['flock', self.build / 'lock']  # make builds there, too
        self.build.mkdir(parents=True, exist_ok=True)
        with open(log, 'wb') as out:
            for command in ([*alone, 'cmake', '-G', 'Ninja', '-S', HOME, '-B', self.build, '-DSTOKER_BENCH=ON', '-Wno-dev'],
                            [*alone, 'ninja', '-C', self.build, '-j', str(jobs), 'bench_programs']):
                if subprocess.run(command, stdout=out, stderr=out).returncode != 0:
                    sys.exit(f'the programs of bench/ do not build:\n{log.read_text(errors="replace")[-4000:]}')

    def measure(self, name, *arguments, timeout=1800):
        """Runs one of our programs that print a JSON object."""
        done = subprocess.run([self.program(name), *map(str, arguments)], capture_output=True, text=True, timeout=timeout)
        if done.returncode != 0:
            raise Skipped(f'bench_{name} failed: {done.stderr.strip()[-300:]}')
        return json.loads(done.stdout)

    def start(self, command, log, **more):
        """A process of its own session that ends with the run."""
        with open(log, 'ab') as out:
            child = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                     start_new_session=True, **more)
        self.children.append(child)
        return child

    def quiet(self):
        """Waits until others leave the processors alone; notes it when they do not."""
        until = time.monotonic() + self.patience
        while True:
            idle = idle_share(1.0)
            if idle >= 0.85:
                return
            if time.monotonic() > until:
                self.noise.append(round(1 - idle, 2))
                return

    def repeat(self, times, once):
        """Median of the numbers that `once()` returns, each after a quiet moment."""
        values = []
        for _ in range(times):
            self.quiet()
            values.append(once())
        return statistics.median(values)

    def close(self):
        for child in self.children:
            if child.poll() is None:
                child.kill()
                child.wait()
        end_leftovers(self.folder)
        shutil.rmtree(self.folder, ignore_errors=True)


def real_disk_folder():
    """The temporary folder, or build/ where that one is memory: a measure of durability needs a disk."""
    for folder in (pathlib.Path(tempfile.gettempdir()), HOME / 'build'):
        folder.mkdir(parents=True, exist_ok=True)
        if file_system(folder) not in ('tmpfs', 'ramfs'):
            return folder
    return pathlib.Path(tempfile.gettempdir())


def file_system(folder):
    """Its type, as the mount table has it."""
    best, kind = '', 'unknown'
    for line in open('/proc/self/mounts'):
        _, mounted, this, *_ = line.split()
        below = mounted == '/' or folder.resolve().is_relative_to(mounted)
        if below and len(mounted) >= len(best):
            best, kind = mounted, this
    return kind


def memory_available():
    for line in open('/proc/meminfo'):
        if line.startswith('MemAvailable'):
            return int(line.split()[1]) << 10
    return 1 << 31


def idle_share(seconds):
    def read():
        numbers = [int(n) for n in open('/proc/stat').readline().split()[1:]]
        return numbers[3] + numbers[4], sum(numbers[:8])
    idle, total = read()
    time.sleep(seconds)
    idle_after, total_after = read()
    return (idle_after - idle) / max(1, total_after - total)


def processes_of(folder):
    """Those whose command line names the folder: servers, agents and supervisors that were started on it."""
    needle, found = os.fsencode(folder), []
    for entry in pathlib.Path('/proc').iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if needle in (entry / 'cmdline').read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


def end_leftovers(folder):
    for kind in (signal.SIGTERM, signal.SIGKILL):
        for process in processes_of(folder):
            try:
                os.kill(process, kind)
            except ProcessLookupError:
                pass
        until = time.monotonic() + 3
        while processes_of(folder) and time.monotonic() < until:
            time.sleep(0.05)
        if not processes_of(folder):
            return

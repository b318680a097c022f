"""A container engine and a registry of the tests' own: Podman as a service with runc, Debian's docker-registry on loopback."""
import base64
import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import warnings

import pytest

sys.path.insert(0, os.path.dirname(__file__))

import images  # noqa: E402
import support  # noqa: E402


class UnixHttp(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__('localhost', timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Registry:
    """docker-registry on loopback; with a password, one that asks for it."""

    def __init__(self, folder, password=None):
        folder.mkdir()
        self.port, self.log = free_port(), folder / 'log'
        self.name = f'127.0.0.1:{self.port}'
        self.address = f'http://{self.name}'
        self.headers = {}
        auth = ''
        if password:
            (folder / 'htpasswd').write_text(password_line('user', password))
            auth = f'auth:\n  htpasswd:\n    realm: tests\n    path: {folder}/htpasswd\n'
            self.headers = {'Authorization': 'Basic ' + base64.b64encode(f'user:{password}'.encode()).decode()}
        (folder / 'config.yml').write_text(
            f'version: 0.1\nlog:\n  level: info\nstorage:\n  filesystem:\n    rootdirectory: {folder}/images\n'
            f'http:\n  addr: {self.name}\n  secret: tests\n{auth}')
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen(['docker-registry', 'serve', str(folder / 'config.yml')], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)
        support.wait_for(self.answers, what=lambda: self.log.read_text())

    def answers(self):
        try:
            images.request('GET', f'{self.address}/v2/', headers=self.headers)
            return True
        except OSError:
            return False

    def push(self, name, tag='1', more=(), config=None):
        images.push(self.address, name, tag, images.busybox_layer(more), config, self.headers)
        return f'{self.name}/{name}:{tag}'

    def requests(self, text):
        """How many lines of the access log hold the text."""
        return self.log.read_text(errors='replace').count(text)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def password_line(user, password):
    """A bcrypt line for docker-registry, which takes no other kind, or None where Python's crypt does not know bcrypt."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            import crypt
            return f'{user}:{crypt.crypt(password, crypt.mksalt(crypt.METHOD_BLOWFISH, rounds=16))}\n'
        except (ImportError, AttributeError, ValueError):
            return None


class Engine:
    """`podman system service` with a configuration and storage of its own."""

    def __init__(self, folder, registries):
        folder.mkdir()
        self.folder, self.socket = folder, folder / 'engine.sock'
        self.log = folder / 'log'
        (folder / 'containers.conf').write_text(
            '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\nnetns = "host"\nlog_driver = "k8s-file"\n'
            '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
            f'tmp_dir = "{folder}/tmp"\n[network]\nnetwork_backend = "cni"\n')
        (folder / 'storage.conf').write_text(f'[storage]\ndriver = "overlay"\ngraphroot = "{folder}/root"\nrunroot = "{folder}/run"\n')
        (folder / 'registries.conf').write_text('unqualified-search-registries = []\n' + ''.join(
            f'[[registry]]\nlocation = "{registry.name}"\ninsecure = true\n' for registry in registries))
        policy = folder / 'policy.json'
        policy.write_text('{"default":[{"type":"insecureAcceptAnything"}]}')
        self.environment = {**os.environ, 'CONTAINERS_CONF': str(folder / 'containers.conf'), 'HOME': str(folder),
                            'CONTAINERS_STORAGE_CONF': str(folder / 'storage.conf'), 'XDG_CONFIG_HOME': str(folder / 'config'),
                            'CONTAINERS_REGISTRIES_CONF': str(folder / 'registries.conf')}
        self.start()

    def start(self):
        self.socket.unlink(missing_ok=True)
        with open(self.log, 'ab') as log:
            self.process = subprocess.Popen(['podman', 'system', 'service', '--time=0', f'unix://{self.socket}'], env=self.environment,
                                            cwd=self.socket.parent,  # conmon leaves its note of a memory kill where it is
                                            stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        support.own_processes.add(self.process.pid)
        support.wait_for(self.answers, what=lambda: self.log.read_text())

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f'podman ended with {self.process.returncode}: {self.log.read_text()}')
        try:
            return self.call('GET', '/version')[0] == 200
        except OSError:
            return False

    def call(self, method, path, body=None):
        connection = UnixHttp(str(self.socket))
        connection.request(method, '/v1.41' + path, body, {'content-type': 'application/json'} if body else {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data

    def podman(self, *arguments):
        return subprocess.run(['podman', *arguments], env=self.environment, capture_output=True, text=True, timeout=60)

    def containers(self):
        return self.podman('ps', '-aq').stdout.split()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.podman('rm', '-af')
        self.process.terminate()
        self.process.wait()
        subprocess.run(['umount', '-l', str(self.folder / 'root/overlay')], capture_output=True)


def missing():
    """Why containers cannot be tried on this machine, or None."""
    for program in ('podman', 'runc', 'docker-registry'):
        if not shutil.which(program) and not os.path.exists(f'/usr/sbin/{program}'):
            return f'{program} is not installed here'
    if not os.path.exists('/bin/busybox'):
        return 'no static busybox here to make images from (busybox-static)'
    if os.geteuid() != 0:
        return 'Podman as an ordinary user needs sub-user ids, which this machine may lack; run as root'
    return None


@pytest.fixture(scope='session')
def place():
    if missing():
        pytest.skip(missing())
    folder = pathlib.Path(tempfile.mkdtemp(prefix='stoker-containers-'))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope='session')
def registry(place):
    registry = Registry(place / 'registry')
    yield registry
    registry.stop()


@pytest.fixture(scope='session')
def maybe_locked_registry(place):
    """A registry that asks for a password, or None where no password file can be made for it."""
    if password_line('user', 'x') is None:
        yield None
        return
    registry = Registry(place / 'locked', password='let-me-in')
    yield registry
    registry.stop()


@pytest.fixture
def locked_registry(maybe_locked_registry):
    if maybe_locked_registry is None:
        pytest.skip('no bcrypt here to make a password file for the registry with')
    return maybe_locked_registry


@pytest.fixture(scope='session')
def engine(place, registry, maybe_locked_registry):
    """Shared by the tests of a worker. Where a container cannot even be started, the machine's own words are the reason to skip."""
    engine = Engine(place / 'engine', [one for one in (registry, maybe_locked_registry) if one])
    try:
        image = registry.push('probe')
        tried = engine.podman('run', '--rm', image, '/bin/true')
        if tried.returncode != 0:
            pytest.skip(f'this machine runs no containers: {tried.stderr.strip()[-300:]}')
        yield engine
    finally:
        engine.stop()


@pytest.fixture(scope='session')
def busybox(registry):
    return registry.push('busybox')


@pytest.fixture
def server(make_server, engine):
    """A server whose jobs may be containers of the engine."""
    server = make_server('--containers', str(engine.socket), '--gpus', 'none', environment={'HOME': str(engine.folder)})
    yield server

"""Container images made here, from a static busybox, and pushed to a registry by its plain HTTP API."""
import gzip
import hashlib
import io
import json
import tarfile
import urllib.request

MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'
APPLETS = 'sh echo sleep cat env ls id true false dd head yes kill seq mount grep df touch tr wc sort test printf mkdir'.split()


def busybox_layer(more=()):
    """A root with busybox, its usual names and `more` files: (path, bytes)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w') as tar:
        for name in ('bin', 'tmp', 'etc', 'proc', 'sys', 'dev', 'mnt'):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name == 'tmp' else 0o755
            tar.addfile(entry)
        with open('/bin/busybox', 'rb') as file:
            add(tar, 'bin/busybox', file.read(), 0o755)
        for name in APPLETS:
            entry = tarfile.TarInfo(f'bin/{name}')
            entry.type, entry.linkname = tarfile.SYMTYPE, 'busybox'
            tar.addfile(entry)
        add(tar, 'etc/passwd', b'root:x:0:0:root:/:/bin/sh\nworker:x:1000:1000::/:/bin/sh\n')
        add(tar, 'etc/group', b'root:x:0:\nworker:x:1000:\n')
        for name, data in more:
            add(tar, name, data)
    return out.getvalue()


def add(tar, name, data, mode=0o644):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), mode
    tar.addfile(entry, io.BytesIO(data))


def request(method, url, data=None, kind='application/octet-stream', headers=None):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return opener.open(urllib.request.Request(url, data=data, method=method, headers={'content-type': kind, **(headers or {})}), timeout=30)


def push_blob(registry, name, data, headers):
    digest = 'sha256:' + hashlib.sha256(data).hexdigest()
    place = request('POST', f'{registry}/v2/{name}/blobs/uploads/', b'', headers=headers).headers['Location']
    place = registry + place if place.startswith('/') else place
    request('PUT', f"{place}{'&' if '?' in place else '?'}digest={digest}", data, headers=headers)
    return digest


def push(registry, name, tag, layer, config=None, headers=None):
    """Makes an image of one layer and pushes it to http://registry/name:tag; returns the digest of its manifest."""
    packed = gzip.compress(layer, 1)
    document = json.dumps({
        'architecture': 'amd64', 'os': 'linux', 'config': {'Env': ['PATH=/bin'], 'Cmd': ['/bin/sh'], **(config or {})},
        'rootfs': {'type': 'layers', 'diff_ids': ['sha256:' + hashlib.sha256(layer).hexdigest()]},
        'history': [{'created_by': 'test'}]}).encode()
    blobs = [push_blob(registry, name, data, headers) for data in (document, packed)]
    manifest = json.dumps({
        'schemaVersion': 2, 'mediaType': MANIFEST,
        'config': {'mediaType': 'application/vnd.docker.container.image.v1+json', 'size': len(document), 'digest': blobs[0]},
        'layers': [{'mediaType': 'application/vnd.docker.image.rootfs.diff.tar.gzip', 'size': len(packed), 'digest': blobs[1]}]}).encode()
    request('PUT', f'{registry}/v2/{name}/manifests/{tag}', manifest, MANIFEST, headers)
    return 'sha256:' + hashlib.sha256(manifest).hexdigest()

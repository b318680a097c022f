"""A temporary `stoker serve` for the examples."""
import signal
import subprocess
import sys
import time

import boto3
from botocore.config import Config


class Server:
    """`stoker serve` on a free port and a temporary state folder."""

    def __init__(self, stoker, folder, gpus):
        address_file, self.log = folder / 'address', folder / 'server.log'
        command = [stoker, 'serve', '--listen', '127.0.0.1:0', '--data', str(folder / 'state'),
                   '--address-file', str(address_file), '--stop-jobs'] + (['--gpus', gpus] if gpus else [])
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not address_file.exists() or not address_file.read_text().strip():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.fail('the server did not start')
            time.sleep(0.02)
        self.address = address_file.read_text().strip()

    def client(self, service):
        return boto3.client(service, endpoint_url=self.address, region_name='us-east-1', aws_access_key_id='example',
                            aws_secret_access_key='example', config=Config(retries={'max_attempts': 2}))

    def fail(self, text):
        self.stop()
        sys.exit(f'{text}; its log ends:\n' + '\n'.join(self.log.read_text(errors='replace').splitlines()[-20:]))

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

"""Middle step, one job per setting: trains, then says how well it did. usage: train.py FOLDER EPOCHS [INDEX SETTING]

A child of an array finds its setting by AWS_BATCH_JOB_ARRAY_INDEX. A job of the workflow is given both, the setting as JSON, and
sends its result to the workflow, too.
"""
import json
import os
import pathlib
import sys
import time

import numpy

from model import Network
from settings import SETTINGS, text
from workflow_task import send_result

folder, epochs = pathlib.Path(sys.argv[1]), int(sys.argv[2])
if len(sys.argv) > 3:
    index, setting = int(sys.argv[3]), json.loads(sys.argv[4])
else:
    index = int(os.environ['AWS_BATCH_JOB_ARRAY_INDEX'])
    setting = SETTINGS[index]
devices = os.environ.get('CUDA_VISIBLE_DEVICES', '')
print(f'setting {index}: {text(setting)}' + (f'  GPU {devices}' if devices not in ('', 'void', '-1') else ''), flush=True)
if os.environ.get('STUMBLE') == 'yes':
    sys.exit('stumbled, as the workflow wanted it; the next try will do')

data = numpy.load(folder / 'digits.npz')
images, labels = data['train_images'], data['train_labels']
network, rng, start = Network(setting['hidden'], seed=index), numpy.random.default_rng(index), time.monotonic()
for epoch in range(1, epochs + 1):
    order = rng.permutation(len(images))
    loss = numpy.mean([network.step(images[rows], labels[rows], setting['rate'], setting['decay'])
                       for rows in numpy.array_split(order, len(order) // 32)])
    if epoch % max(1, epochs // 5) == 0:
        accuracy = network.accuracy(data['validate_images'], data['validate_labels'])
        print(f'epoch {epoch:3d}  loss {loss:.4f}  validation {accuracy:.2%}', flush=True)

numpy.savez(folder / f'model-{index}.npz', *network.weights, *network.biases)
result = {'index': index, 'setting': setting, 'accuracy': accuracy, 'seconds': time.monotonic() - start}
partial = folder / f'result-{index}.json.partial'
partial.write_text(json.dumps(result))
partial.rename(folder / f'result-{index}.json')
send_result(result)

"""Last step: picks the best setting by the validation part and measures it on the test part. usage: pick.py FOLDER"""
import json
import pathlib
import sys

import numpy

from model import Network
from settings import text
from workflow_task import send_result

folder = pathlib.Path(sys.argv[1])
results = [json.loads(file.read_text()) for file in folder.glob('result-*.json')]
best = max(results, key=lambda result: (result['accuracy'], -result['index']))
network, saved = Network(best['setting']['hidden'], seed=0), numpy.load(folder / f"model-{best['index']}.npz")
network.weights, network.biases = [saved['arr_0'], saved['arr_1']], [saved['arr_2'], saved['arr_3']]
data = numpy.load(folder / 'digits.npz')
best['test'] = network.accuracy(data['test_images'], data['test_labels'])
(folder / 'best.json').write_text(json.dumps(best))
print(f"best of {len(results)}: setting {best['index']} ({text(best['setting'])}), "
      f"validation {best['accuracy']:.2%}, on digits never seen {best['test']:.2%}")
send_result(best)

"""First step: shuffles the digits and splits them into training, validation and test parts. usage: prepare.py FOLDER"""
import pathlib
import sys

import numpy

from data import load_digits

folder = pathlib.Path(sys.argv[1])
images, labels = load_digits()
order = numpy.random.default_rng(7).permutation(len(images))
train, validate = int(0.6 * len(order)), int(0.8 * len(order))
parts = {'train': order[:train], 'validate': order[train:validate], 'test': order[validate:]}
arrays = {}
for name, rows in parts.items():
    arrays[name + '_images'], arrays[name + '_labels'] = images[rows], labels[rows]
numpy.savez(folder / 'digits.npz', **arrays)
print(f'prepared {len(order)} digits: ' + ', '.join(f'{len(rows)} to {name}' for name, rows in parts.items()))

"""The data set of the example: 1,797 scanned handwritten digits, 8 by 8 pixels, as the scikit-learn package carries them."""
import gzip
import importlib.util
import pathlib

import numpy


def load_digits():
    """Images as rows of 64 brightnesses from 0 to 1, and the digit each shows."""
    package = importlib.util.find_spec('sklearn')  # found, not imported: only its file is wanted
    if package is None:
        raise SystemExit('the scikit-learn package, which carries the data, is not installed here')
    file = pathlib.Path(package.submodule_search_locations[0]) / 'datasets/data/digits.csv.gz'
    with gzip.open(file, 'rt') as text:
        table = numpy.loadtxt(text, delimiter=',')
    return table[:, :64] / 16.0, table[:, 64].astype(int)

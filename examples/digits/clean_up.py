"""Last step of a workflow that failed: removes what it has left. usage: clean_up.py FOLDER"""
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
files = [file for pattern in ('digits.npz', 'model-*.npz', 'result-*.json*') for file in folder.glob(pattern)]
for file in files:
    file.unlink()
print(f'removed {len(files)} files')

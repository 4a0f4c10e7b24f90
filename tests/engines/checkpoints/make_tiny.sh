#!/bin/sh
# Makes the tiny checkpoint anew (three minutes on one core) and records its files' hashes.
set -eu
cd "$(dirname "$0")/../../.."
here=tests/engines/checkpoints
sh tests/engines/install.sh
lessons=$(mktemp)
trap 'rm -f "$lessons"' EXIT
PYTHONPATH=.:tests .venv/bin/python $here/write_lessons.py "$lessons"
OMP_NUM_THREADS=1 .venv-engines/bin/python $here/make_tiny.py "$lessons" $here/tiny
cd $here/tiny
sha256sum ./* | sed 's|\./||' >../tiny.sha256

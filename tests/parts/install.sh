#!/usr/bin/env bash
# Installs the real parts that `make test-parts` tries the product with. Debian packages need root.
set -euo pipefail
cd "$(dirname "$0")"
folder=../../.cache/parts

if ! command -v npm >/dev/null; then
  if [ "$(id -u)" != 0 ]; then
    echo "node and npm are missing: apt-get install nodejs npm" >&2
    [ "${CI:-}" = true ] && exit 1
    exit 0
  fi
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null
fi
mkdir -p "$folder"
if ! cmp -s package.json "$folder/package.json"; then
  cp package.json "$folder/package.json"
  npm install --prefix "$folder" --no-package-lock --no-audit --no-fund --silent ||
    { rm -f "$folder/package.json"; exit 1; }
fi

#!/usr/bin/env bash
# Installs the real parts that `make test-parts` tries the product with. Debian packages need root.
set -euo pipefail
cd "$(dirname "$0")"
folder=../../.cache/parts
status=0

# need COMMAND PACKAGES...: the Debian packages without which COMMAND does not succeed
need() {
  local check=$1
  shift
  eval "$check" >/dev/null 2>&1 && return
  if [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    eval "$check" >/dev/null && return
  fi
  echo "missing: apt-get install --no-install-recommends $*" >&2
  [ "${CI:-}" = true ] && status=1
  return 1
}

install_from_npm() {
  cmp -s package.json "$folder/package.json" && return
  cp package.json "$folder/package.json"
  npm install --prefix "$folder" --no-package-lock --no-audit --no-fund --silent ||
    { rm -f "$folder/package.json"; return 1; }
}

mkdir -p "$folder"
if need 'command -v npm' nodejs npm; then
  install_from_npm
fi
need 'command -v chromium' chromium || true
need 'ls /usr/lib/postgresql/*/bin/postgres' postgresql || true
need 'command -v redis-server' redis-server || true
need 'command -v cc' gcc libc6-dev || true
if need 'mediawiki/check.sh' mediawiki php-cli php-sqlite3 php-mbstring php-xml php-intl php-apcu; then
  mediawiki/build.sh
fi
exit "$status"

#!/usr/bin/env bash
# Builds the wiki of the tests from ../pages, unless it is there and nothing has changed.
set -euo pipefail
cd "$(dirname "$0")"
wiki=../../../.cache/parts/mediawiki
code=/usr/share/mediawiki
state=$(cat build.sh settings.php magic.php ../pages/*.xml "$code/includes/Defines.php" | sha256sum)

[ "$(cat "$wiki/state" 2>/dev/null)" = "$state" ] && exit 0
rm -rf "$wiki"
mkdir -p "$wiki/cache"
MEDIAWIKI_DATA=$(cd "$wiki" && pwd)
export MEDIAWIKI_DATA

tell() { # say what a step said only where it failed
  "$@" >"$wiki/log" 2>&1 || { cat "$wiki/log" >&2; exit 1; }
}
run() {
  local script=$1
  shift
  tell php "$code/maintenance/$script.php" --conf "$PWD/settings.php" "$@"
}
mkdir -p "$wiki/unused" # the installer writes settings, too; ours are used
tell php "$code/maintenance/install.php" --dbtype sqlite --dbpath "$MEDIAWIKI_DATA" --dbname wiki \
  --confpath "$wiki/unused" --lang pl --scriptpath /w --server http://127.0.0.1 \
  --pass "$(head -c 12 /dev/urandom | base64)" "Wiki próbna" Opiekun
for pages in ../pages/*.xml; do
  run importDump --no-updates "$pages"
done
run rebuildall
run rebuildtextindex
run initSiteStats --update
run runJobs
echo "$state" >"$wiki/state"

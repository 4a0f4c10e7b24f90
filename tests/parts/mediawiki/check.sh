#!/usr/bin/env bash
# Succeeds where MediaWiki and everything of PHP that it needs are installed.
set -euo pipefail
test -f /usr/share/mediawiki/maintenance/importDump.php
for extension in pdo_sqlite mbstring xml intl apcu; do
  php -r "exit( extension_loaded( '$extension' ) ? 0 : 1 );"
done

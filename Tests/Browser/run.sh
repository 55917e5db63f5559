#!/bin/bash
# Tests the page in a real browser, with a real identity provider and a hostile one. Arguments are pytest's.
# BEACON_MATCHER is the program that is tested; screenshots are kept in .build/screenshots.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/sbin:/sbin
skip() {
    echo "skipped: $*"
    exit 77
}
for program in bwrap caddy chromium curl glewlwyd mosquitto mosquitto_pub nginx openssl; do
    command -v $program >/dev/null ||
        skip "$program isn't there: it is in the packages bubblewrap, caddy, chromium, curl, glewlwyd," \
            "mosquitto, mosquitto-clients, nginx-light, openssl"
done
environment=.build/browser-venv
wanted=$(sha256sum Tests/Browser/requirements.txt)
if [ "$(cat $environment/installed 2>/dev/null)" != "$wanted" ]; then
    rm -rf $environment
    if ! { python3 -m venv $environment && $environment/bin/pip install --quiet --disable-pip-version-check \
        --requirement Tests/Browser/requirements.txt; } >&2; then
        rm -rf $environment
        skip "Playwright isn't there, and PyPI can't be reached to install it"
    fi
    echo "$wanted" >$environment/installed
fi
python=$PWD/$environment/bin/python
$python -c 'from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    playwright.chromium.launch(executable_path="/usr/bin/chromium",
        args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]).close()' || skip "chromium doesn't start"
BEACON_MATCHER=$(realpath --no-symlinks "${BEACON_MATCHER:-.build/debug/beacon-matcher}")
export BEACON_MATCHER PYTHONDONTWRITEBYTECODE=1
# Of a whole run, all are new.
[ $# -gt 0 ] || rm -rf .build/screenshots
cd Tests/Browser
exec "$python" -m pytest "$@"

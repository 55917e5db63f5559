#!/bin/bash
# Checks the systemd units of deploy/systemd: that systemd reads every line of them, and that the unit in which pictures
# of others are opened is as confined as it was. Nothing is started. Without systemd-analyze it is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

# Of 100; systemd 252 says 5. Weaker settings raise it.
MOST_EXPOSED=6

if ! command -v systemd-analyze >/dev/null; then
    echo "skipped: there is no systemd-analyze"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp deploy/systemd/* "$work/"
# The program need not be installed here.
sed -i 's|^ExecStart=/usr/local/bin/beacon-matcher |ExecStart=/usr/bin/true |' "$work"/*.service

found=$(systemd-analyze verify --man=no "$work/beacon-ocr.socket" "$work/beacon-ocr@.service" 2>&1) || {
    echo "$found" >&2
    exit 1
}
# Unknown settings are warnings only.
if grep -F "$work" <<<"$found" >&2; then exit 1; fi
if ! systemd-analyze security --no-pager --offline=true --threshold="$MOST_EXPOSED" "$work/beacon-ocr@.service" \
    >"$work/exposure" 2>&1; then
    grep -v '^✓' "$work/exposure" >&2
    exit 1
fi
grep -F 'Overall exposure' "$work/exposure" | sed 's/ [^ ]*$//'

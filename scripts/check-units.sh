#!/bin/bash
# Checks the systemd units of deploy/systemd and the udev rules of deploy/udev: that systemd reads every line of the
# units, that they are as confined as they were, and that the rules can be read. Nothing is started. Without
# systemd-analyze the units are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/check-udev.py

# Highest exposure, of 100: what systemd 252 says. Weaker settings raise it.
most_exposed() {
    case $1 in
    beacon-gateway.service) echo 21 ;;
    beacon-matcher.service) echo 11 ;;
    beacon-ocr@.service) echo 6 ;;
    *) echo "error: $1 has no limit here" >&2; exit 1 ;;
    esac
}

if ! command -v systemd-analyze >/dev/null; then
    echo "skipped: there is no systemd-analyze"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp deploy/systemd/* "$work/"
# The programs need not be installed here.
sed -i 's|^ExecStart=/usr/bin/beacon-[a-z]* |ExecStart=/usr/bin/true |' "$work"/*.service

found=$(systemd-analyze verify --man=no "$work"/*.socket "$work"/*.service 2>&1) || {
    echo "$found" >&2
    exit 1
}
# Unknown settings are warnings only.
if grep -F "$work" <<<"$found" >&2; then exit 1; fi
for unit in "$work"/*.service; do
    name=$(basename "$unit")
    if ! systemd-analyze security --no-pager --offline=true --threshold="$(most_exposed "$name")" "$unit" \
        >"$work/exposure" 2>&1; then
        grep -v '^✓' "$work/exposure" >&2
        exit 1
    fi
    grep -F 'Overall exposure' "$work/exposure" | sed 's/ [^ ]*$//'
done

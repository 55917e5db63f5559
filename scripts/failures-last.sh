#!/bin/bash
# Runs a command that tests. Should it fail, the failures are repeated at the end, shortened, where one looks first.
set -uo pipefail

log=$(mktemp) || exit 73
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" != 0 ]; then
    echo
    echo "$1 ended with status $status. What failed:"
    # The arguments of a parameterized test, and what an expectation prints of its values, can be long.
    grep -a -E '✘ .*recorded an issue|: error: |Fatal error|ThreadSanitizer: |AddressSanitizer: ' "$log" |
        cut -c 1-240 | sort -u | tail -n 15
fi
exit "$status"

#!/bin/bash
# How fast records go through the outbox to a broker: starts a mosquitto of its own on loopback.
#
#   publish.sh BENCHMARK [bare|memory|disk|wear]
#
# BENCHMARK is PublishBenchmark, built for release. Prints tables, and then a line for each figure; nothing passes or fails.
set -euo pipefail
export LC_ALL=C
command -v mosquitto > /dev/null || PATH=$PATH:/usr/sbin
# On a real file system: what is written to one in memory isn't counted.
work=$(mktemp -d -p "${BENCH_DIRECTORY:-$(dirname "$1")}")
broker=
trap '[ -z "$broker" ] || kill "$broker" 2> /dev/null; wait 2> /dev/null; rm -rf "$work"' EXIT

for _ in 1 2 3 4 5 6 7 8 9 10; do
    port=$((20000 + RANDOM % 20000))
    printf '%s\n' "listener $port 127.0.0.1" 'allow_anonymous true' 'set_tcp_nodelay true' 'max_queued_messages 0' \
        'max_inflight_messages 100' > "$work/mosquitto.conf"
    mosquitto -c "$work/mosquitto.conf" > "$work/log" 2>&1 &
    broker=$!
    for _ in $(seq 50); do
        if (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then break 2; fi
        kill -0 "$broker" 2> /dev/null || break
        sleep 0.1
    done
    kill "$broker" 2> /dev/null || true
    broker=
done
if [ -z "$broker" ]; then
    echo "error: mosquitto doesn't start:" >&2
    cat "$work/log" >&2
    exit 69
fi
"$1" "$port" "$work" "${@:2}"

#!/bin/bash
# Starts a broker of its own on a free port, the demonstration, and a matcher that stores what it publishes; at the end
# one of the people reports a positive test. Leaves nothing running.
# DEMO_SECONDS=N ends it after N seconds; the status is 0 if records arrived and somebody was exposed.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v mosquitto >/dev/null || PATH=$PATH:/usr/sbin
directory=$(mktemp -d)
broker=
matcher=
finish() {
    for process in $matcher $broker; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$directory"
}
trap finish EXIT

for _ in 1 2 3 4 5 6 7 8 9 10; do
    port=$((20000 + RANDOM % 20000))
    cat >"$directory/mosquitto.conf" <<CONFIGURATION
listener $port 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
max_queued_messages 0
CONFIGURATION
    # In a session of its own: Ctrl-C is for the gateway, the broker has to hear its farewell.
    setsid mosquitto -c "$directory/mosquitto.conf" >"$directory/mosquitto.log" 2>&1 &
    broker=$!
    for _ in $(seq 50); do
        if (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break 2; fi
        kill -0 "$broker" 2>/dev/null || break
        sleep 0.1
    done
    kill "$broker" 2>/dev/null || true
    broker=
done
if [ -z "$broker" ]; then
    echo "error: mosquitto doesn't start:" >&2
    cat "$directory/mosquitto.log" >&2
    exit 69
fi

programs=$(swift build --show-bin-path)
"$programs/beacon-gateway" demo --broker-port "$port" \
    ${DEMO_SECONDS:+--duration "${DEMO_SECONDS}s"} &
gateway=$!

# The gateway's topics begin with its process.
cat >"$directory/matcher.toml" <<CONFIGURATION
[store]
location = "$directory/store.sqlite"

[mqtt]
host = "127.0.0.1"
port = $port
prefix = "demo-$gateway"
CONFIGURATION
setsid "$programs/beacon-matcher" run --config "$directory/matcher.toml" --log-level warning \
    >"$directory/matcher.log" 2>&1 &
matcher=$!

trap 'kill -TERM "$gateway" 2>/dev/null || true' INT TERM
status=0
wait "$gateway" || status=$?
# A signal ends the wait, not the gateway.
while kill -0 "$gateway" 2>/dev/null; do
    status=0
    wait "$gateway" || status=$?
done
[ "$status" = 0 ] || exit "$status"

# It stores what it has received before it ends.
kill -TERM "$matcher" 2>/dev/null || true
wait "$matcher" || { echo "error: the matcher failed:" >&2; cat "$directory/matcher.log" >&2; exit 70; }
matcher=
badge=badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1
echo
echo "Badge 1 tests positive. Who was near?"
echo
"$programs/beacon-matcher" report "$badge/1" --config "$directory/matcher.toml"
echo
"$programs/beacon-matcher" exposures --positive "$badge/1" --config "$directory/matcher.toml" | tee "$directory/exposures"
if [ ! -s "$directory/exposures" ]; then
    echo "Nobody yet: let it run longer."
    [ -z "${DEMO_SECONDS:-}" ] || exit 70
fi

echo
echo "That was one gateway, which knows distances only. Now an hour on a floor with three gateways:"
echo "badges 1 and 3 sit together in the office, badge 2 in the kitchen next door. Who was with badge 1?"
echo
"$programs/beacon-gateway" demo --hour >"$directory/hour.jsonl"
"$programs/beacon-matcher" import "$directory/hour.jsonl" --store "$directory/hour.sqlite"
"$programs/beacon-matcher" exposures --positive "$badge/1" --store "$directory/hour.sqlite" | tee "$directory/together"
if ! grep -q "$badge/3 .* together " "$directory/together" || grep -q "$badge/2 " "$directory/together"; then
    echo "error: the two who sat together, and only they, should be found" >&2
    exit 70
fi

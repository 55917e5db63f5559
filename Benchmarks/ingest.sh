#!/bin/bash
# How fast reports are decoded and followed: beside C, beside decoders from PyPI, and in the whole program.
#
#   ingest.sh BENCHMARK [PROGRAM]
#
# BENCHMARK is IngestBenchmark and PROGRAM a beacon-gateway, both built for release. Prints tables, and then a line for
# each figure. Nothing here passes or fails. Without PyPI the comparison with its decoders is left out, and without
# PROGRAM or mosquitto that of the program. BENCH_SECONDS (30): how long the daemon is watched.
set -euo pipefail
export LC_ALL=C

benchmark=$1
program=${2:-}
environment=$(dirname "$benchmark")/ingest-peers
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; wait 2> /dev/null || true; rm -rf "$work"' EXIT

say() { echo "bench-ingest: $*" >&2; }

# The seconds of processor time that a process has used.
processor_time() { awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hertz }' "/proc/$1/stat"; }

"$benchmark" | tee "$work/own"
figure() { awk -v name="$1:" '$1 == name { print $2 }' "$work/own"; }

peers() {
    local packages=(beacontools==2.1.0 TheengsDecoder==2.5.0 bluetooth-data-tools==1.29.24)
    [ -x "$environment/bin/python3" ] || python3 -m venv "$environment"
    "$environment/bin/python3" -c 'import beacontools, TheengsDecoder, bluetooth_data_tools' 2> /dev/null \
        || timeout 120 "$environment/bin/pip" install -q "${packages[@]}"
    "$benchmark" --data > "$work/data"
    "$environment/bin/python3" "$(dirname "$0")/ingest_peers.py" < "$work/data" > "$work/peers"
}

echo
if peers > "$work/log" 2>&1; then
    own=$(figure data_decode_ns)
    echo "advertising data to identity   version          a report   times ours"
    printf '%-30s %-10s %12.1f ns\n' "this" "" "$own"
    while read -r name version time; do
        printf '%-30s %-10s %12.1f ns %12.1f\n' "$name" "$version" "$time" "$(awk "BEGIN { print $time / $own }")"
    done < "$work/peers"
    echo
    while read -r name _ time; do
        echo "peer_$(echo "$name" | tr 'A-Z-' 'a-z_')_ns: $time"
    done < "$work/peers"
else
    say "left out: decoders from PyPI ($(tail -n 1 "$work/log"))"
fi

[ -n "$program" ] || exit 0

echo
"$benchmark" --capture > "$work/corpus.btsnoop"
"$program" replay "$work/corpus.btsnoop" > "$work/records" 2> "$work/replay.log" &
replay=$!
# Its processor time is read just before it is gone: wait gives none of a process in the background.
used=0
while kill -0 "$replay" 2> /dev/null; do
    used=$(processor_time "$replay" 2> /dev/null || echo "$used")
    sleep 0.02
done
wait "$replay"
reports=$(awk 'NR == 1 { print $1 }' "$work/replay.log")
echo "the whole program, \`replay\` of a file: $reports reports, $(wc -l < "$work/records") records, $used s"
echo
echo "replay_reports_per_second: $(awk "BEGIN { printf \"%.0f\", $reports / $used }")"

if ! command -v mosquitto > /dev/null; then
    say "left out: the daemon (there is no mosquitto)"
    exit 0
fi
port=$((20000 + RANDOM % 10000))
mosquitto -p "$port" > "$work/mosquitto.log" 2>&1 &
cat > "$work/gateway.toml" << TOML
[place]
site = "bench"
building = "b"
floor = "1"
gateway = "g"
[metrics]
listen = "off"

[mqtt]
port = $port
[beacons]
uuids = ["7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3"]
[state]
directory = "$work"
TOML
echo
for batch in 1 52; do
    "$program" run --config "$work/gateway.toml" --simulated-reports 2600 --simulated-batch "$batch" \
        > "$work/run.log" 2>&1 &
    daemon=$!
    # The beginnings of the interactions are not the steady state.
    sleep 5
    before=$(processor_time "$daemon")
    sleep "${BENCH_SECONDS:-30}"
    after=$(processor_time "$daemon")
    resident=$(awk '$1 == "VmRSS:" { printf "%.1f", $2 / 1024 }' "/proc/$daemon/status")
    kill "$daemon"
    wait "$daemon" || true
    core=$(awk "BEGIN { printf \"%.2f\", ($after - $before) / ${BENCH_SECONDS:-30} * 100 }")
    echo "the daemon with 260 beacons, 2600 reports/s in batches of $batch: $core % of a core, $resident MB resident"
    echo "daemon_core_percent_batch_$batch: $core"
    echo "daemon_resident_megabytes_batch_$batch: $resident"
done

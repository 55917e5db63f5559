#!/bin/bash
# How fast the whole program stores what a broker holds for it, and how much memory that takes: mosquitto, JSON and MQTT 5 with
# QoS 1, the API switched on, in SQLite and in PostgreSQL.
#
#   matching_live.sh BENCHMARK MATCHER
#
# Both are built for release; RECORDS=N how many (default 100000: mosquitto itself
# slows down with a longer queue). Starts a broker and a PostgreSQL of its own. Nothing passes
# or fails.
set -euo pipefail
export LC_ALL=C
command -v mosquitto > /dev/null || PATH=$PATH:/usr/sbin
benchmark=$1
matcher=$2
gateways=4
count=$((${RECORDS:-100000} / gateways * gateways))
running=
work=$(mktemp -d -p "${BENCH_DIRECTORY:-/var/tmp}")
processes=()
# shellcheck disable=SC2317 # The trap calls it.
finish() {
    for process in $running "${processes[@]}"; do kill -INT "$process" 2> /dev/null || true; done
    wait
    rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"

programs=$(dirname "$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V | tail -1)")
as_user() { "$@"; }
if [ "$(id -u)" = 0 ]; then
    as_user() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
fi
mkdir "$work/pg"
[ "$(id -u)" != 0 ] || chown postgres "$work/pg"
as_user "$programs/initdb" -D "$work/pg/data" -U postgres -A trust -N --no-locale -E UTF8 > /dev/null
as_user "$programs/postgres" -D "$work/pg/data" -k "$work/pg" -c listen_addresses= -c shared_buffers=512MB \
    > "$work/pg.log" 2>&1 &
for _ in $(seq 100); do
    if [ -S "$work/pg/.s.PGSQL.5432" ] && psql -qh "$work/pg" -U postgres -c 'select 1' > /dev/null 2>&1; then break; fi
    sleep 0.1
done
processes+=("$(head -n 1 "$work/pg/data/postmaster.pid")")

port=$((20000 + RANDOM % 10000))
printf 'listener %s 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 0\nset_tcp_nodelay true\n' \
    $port > "$work/mosquitto.conf"
mosquitto -c "$work/mosquitto.conf" > "$work/mosquitto.log" 2>&1 &
processes+=($!)

start() {
    cat > "$work/matcher.toml" << CONFIGURATION
[store]
location = "$1"

[metrics]
listen = "off"

[mqtt]
host = "127.0.0.1"
port = $port
client-id = "$2"

[api]
listen = "127.0.0.1:0"
CONFIGURATION
    : > "$work/matcher.log"
    "$matcher" run --config "$work/matcher.toml" --log-level info > "$work/matcher.log" 2>&1 &
    running=$!
}
stop() {
    kill -TERM "$running"
    wait "$running" || cat "$work/matcher.log"
    running=
}

postgresql="host=$work/pg dbname=postgres user=postgres"
# A matcher that only makes its session, so that the broker keeps everything for it.
for database in sqlite postgresql; do
    location=$work/store.sqlite
    [ $database = sqlite ] || location=$postgresql
    start "$location" $database
    for _ in $(seq 200); do
        if grep -q storing "$work/matcher.log"; then break; fi
        sleep 0.1
    done
    grep -q storing "$work/matcher.log" || { cat "$work/matcher.log" >&2; exit 69; }
    stop
done
echo "publishing $count records of $gateways gateways" >&2
publishers=()
for gateway in $(seq $gateways); do
    "$benchmark" records "$gateway" $((count / gateways)) > "$work/records.$gateway"
    topic=$(head -n 1 "$work/records.$gateway")
    tail -n +2 "$work/records.$gateway" | mosquitto_pub -p $port -V mqttv5 -q 1 -t "$topic" -l &
    publishers+=($!)
done
wait "${publishers[@]}"
bytes=$(($(cat "$work"/records.* | wc -c) / count))

stored() {
    case $1 in
    sqlite) python3 -c 'import sqlite3, sys
print(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("SELECT count(*) FROM interaction").fetchone()[0])' \
        "$work/store.sqlite" ;;
    postgresql) psql -qAtXh "$work/pg" -U postgres -c 'SELECT count(*) FROM interaction' ;;
    esac
}
printf '\n%s records of %s bytes, kept by mosquitto, to the whole program\n\n' "$count" "$bytes"
printf '%-12s %10s %12s %12s %14s %12s\n' database records seconds records/s "peak MB" "CPU s"
for database in sqlite postgresql; do
    location=$work/store.sqlite
    [ $database = sqlite ] || location=$postgresql
    begin=$(date +%s.%N)
    start "$location" $database
    # Counting costs time, too: the processor's, which the program may want.
    while :; do
        sleep 0.5
        kill -0 "$running" || { cat "$work/matcher.log" >&2; exit 70; }
        now=$(stored $database) || now=0
        [ "$now" -lt "$count" ] || break
    done
    end=$(date +%s.%N)
    peak=$(awk '/VmHWM/ { print $2 / 1024 }' /proc/"$running"/status)
    cpu=$(awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hertz }' /proc/"$running"/stat)
    stop
    awk -v database=$database -v records="$count" -v begin="$begin" -v end="$end" -v peak="$peak" -v cpu="$cpu" \
        'BEGIN { printf "%-12s %10d %12.1f %12.0f %14.0f %12.1f\n", database, records, end - begin,
            records / (end - begin), peak, cpu }'
done

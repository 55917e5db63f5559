#!/bin/bash
# How fast interactions are stored and exposures are found, in SQLite and in PostgreSQL, beside a plain SQL self-join in the
# same databases and DuckDB. Starts a PostgreSQL of its own.
#
#   matching.sh BENCHMARK
#
# BENCHMARK is MatchingBenchmark, built for release; INTERACTIONS=N how many (default 10 million, which takes a quarter of an hour
# and 5 GB). After them come readings of 5,000 badges and 40 gateways on READINGS_DAYS=N days (default 1) of nine hours. DuckDB comes from PyPI; where that can't be had it is left out, and said so. Nothing passes or fails.
set -euo pipefail
export LC_ALL=C
here=$(dirname "$0")
benchmark=$1
count=${INTERACTIONS:-10000000}
# On a real file system: what is written to one in memory isn't counted.
work=$(mktemp -d -p "${BENCH_DIRECTORY:-/var/tmp}")
server=
finish() {
    # The server itself, and not the shell that waits for it.
    if [ -f "$work/pg/data/postmaster.pid" ]; then kill -INT "$(head -n 1 "$work/pg/data/postmaster.pid")" || true; fi
    [ -z "$server" ] || wait "$server" 2> /dev/null || true
    rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"

# The server doesn't run as root.
programs=$(dirname "$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V | tail -1)")
as_user() { "$@"; }
if [ "$(id -u)" = 0 ]; then
    as_user() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
fi
mkdir "$work/pg"
[ "$(id -u)" != 0 ] || chown postgres "$work/pg"
as_user "$programs/initdb" -D "$work/pg/data" -U postgres -A trust -N --no-locale -E UTF8 > /dev/null
as_user "$programs/postgres" -D "$work/pg/data" -k "$work/pg" -c listen_addresses= -c shared_buffers=2GB \
    -c max_wal_size=8GB -c checkpoint_timeout=30min > "$work/pg.log" 2>&1 &
server=$!
for _ in $(seq 100); do
    if [ -S "$work/pg/.s.PGSQL.5432" ] && psql -qh "$work/pg" -U postgres -c 'select 1' > /dev/null 2>&1; then break; fi
    sleep 0.1
done

figures="$work/figures"
postgresql="host=$work/pg dbname=postgres user=postgres"
echo "loading $count interactions into SQLite" >&2
"$1" load "$work/store.sqlite" "$count" | tee -a "$figures" >&2
"$1" match "$work/store.sqlite" "$count" | tee -a "$figures" >&2
echo "loading $count interactions into PostgreSQL" >&2
"$1" load "$postgresql" "$count" | tee -a "$figures" >&2
echo "more of it by one writer, by two and by three" >&2
for writers in 1 2 3; do
    "$1" write "$postgresql" "$count" "$writers" | tee -a "$figures" >&2
    # The other database hasn't got these.
    psql -qAth "$work/pg" -U postgres -c "SELECT 'TRUNCATE ' || inhrelid::regclass || ';' FROM pg_inherits
        WHERE inhparent = 'interaction'::regclass AND substr(inhrelid::regclass::text, 13)::int >= 20745 + 14" |
        psql -qh "$work/pg" -U postgres > /dev/null
done
# As autovacuum leaves days that are over; the self-join finds the same.
psql -qh "$work/pg" -U postgres -c 'VACUUM ANALYZE' > /dev/null
"$1" match "$postgresql" "$count" | tee -a "$figures" >&2

"$1" list "$work/store.sqlite" "$count" | sort > "$work/exposures.sqlite"
"$1" list "$postgresql" "$count" | sort > "$work/exposures.postgresql"
if cmp "$work/exposures.sqlite" "$work/exposures.postgresql" >&2; then equal=equal; else equal=DIFFERENT; fi
echo "figure_exposures_by_name: $equal in both databases, $(wc -l < "$work/exposures.sqlite") lines" | tee -a "$figures" >&2

# Readings: of a building like any other, and of a crowded one.
readings_days=${READINGS_DAYS:-1}
readings() {
    echo "readings of $1 badges, 40 gateways, $2 days, in both databases" >&2
    psql -qh "$work/pg" -U postgres -c "CREATE DATABASE readings_$1" > /dev/null
    "$benchmark" readings "$work/readings-$1.sqlite" "$1" 40 "$2" 9 | sed "s/_readings/_readings_$1/" | tee -a "$figures" >&2
    "$benchmark" readings "host=$work/pg dbname=readings_$1 user=postgres" "$1" 40 "$2" 9 |
        sed "s/_readings/_readings_$1/" | tee -a "$figures" >&2
    minutes=$(sed -n "s/^figure_sqlite_readings_$1_badge_minutes: //p" "$figures")
    for table in vectors company; do
        python3 -c 'import sqlite3, sys
size = sqlite3.connect(sys.argv[1]).execute("SELECT sum(pgsize) FROM dbstat WHERE name = ?", sys.argv[2:3]).fetchone()[0]
print(f"figure_sqlite_readings_{sys.argv[3]}_disk_{sys.argv[2]}: {size / int(sys.argv[4]):.1f} bytes a badge minute")' \
            "$work/readings-$1.sqlite" "$table" "$1" "$minutes"
        psql -qAth "$work/pg" -U postgres -d "readings_$1" -c "
            SELECT 'figure_postgresql_readings_$1_disk_$table: '
                || round(sum(pg_total_relation_size(inhrelid)) / $minutes.0, 1) || ' bytes a badge minute'
            FROM pg_inherits WHERE inhparent = '$table'::regclass"
    done | tee -a "$figures" >&2
}
readings 500 1
readings 5000 "$readings_days"

# Only for DuckDB; a virtual environment leaves nothing behind.
python=python3
if python3 -m venv "$work/venv" > /dev/null 2>&1 \
    && "$work/venv/bin/pip" install -q duckdb > /dev/null 2>&1; then
    python="$work/venv/bin/python"
fi
"$python" "$here/matching_peers.py" "$work/store.sqlite" "$work/pg" "$work" "$figures"

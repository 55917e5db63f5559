#!/bin/bash
# How fast interactions are stored and exposures are found, in SQLite and in PostgreSQL, beside a plain SQL self-join in the
# same databases and DuckDB. Starts a PostgreSQL of its own.
#
#   matching.sh BENCHMARK
#
# BENCHMARK is MatchingBenchmark, built for release; INTERACTIONS=N how many (default 10 million, which takes a quarter of an hour
# and 5 GB). After them come readings of 500 badges in one building and of 5,000 in ten, of 40 gateways each, of nine hours; with READINGS_COPIES=13 the day of
# the 5,000 is copied to 13 days before, and reports look through a fortnight (30 GB). DuckDB comes from PyPI; where that can't be had it is left out, and said so. Nothing passes or fails.
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
readings() { # BADGES LOCATION COMMAND
    "$benchmark" "$3" "$2" "$1" 40 1 9 $(($1 / 500)) | sed "s/_readings/_readings_$1/"
}
disk() { # BADGES
    minutes=$(sed -n "s/^figure_sqlite_readings_$1_badge_minutes: //p" "$figures")
    for table in vectors company; do
        python3 -c 'import sqlite3, sys
path, table, badges, minutes = sys.argv[1:]
size = sqlite3.connect(path).execute("SELECT sum(pgsize) FROM dbstat WHERE name = ?", [table]).fetchone()[0]
print(f"figure_sqlite_readings_{badges}_disk_{table}: {size / int(minutes):.1f} bytes a badge minute")' \
            "$work/readings-$1.sqlite" "$table" "$1" "$minutes"
        psql -qAth "$work/pg" -U postgres -d "readings_$1" -c "
            SELECT 'figure_postgresql_readings_$1_disk_$table: '
                || round(sum(pg_total_relation_size(inhrelid)) / $minutes.0, 1) || ' bytes a badge minute'
            FROM pg_inherits WHERE inhparent = '$table'::regclass"
    done
}
for badges in 500 5000; do
    echo "readings of $badges badges in $((badges / 500)) buildings of 40 gateways, in both databases" >&2
    psql -qh "$work/pg" -U postgres -c "CREATE DATABASE readings_$badges" > /dev/null
    readings "$badges" "$work/readings-$badges.sqlite" readings | tee -a "$figures" >&2
    readings "$badges" "host=$work/pg dbname=readings_$badges user=postgres" readings | tee -a "$figures" >&2
    disk "$badges" | tee -a "$figures" >&2
done
copies=${READINGS_COPIES:-0}
if [ "$copies" -gt 0 ]; then
    echo "copying the day of 5,000 badges to $copies days before" >&2
    # A day has 96 quarters of an hour, which are the upper bits of a row's key; 20759 is 2026-11-02.
    for table in listening vectors company; do
        for copy in $(seq "$copies"); do
            python3 -c 'import sqlite3, sys
path, table, copy = sys.argv[1:]
with sqlite3.connect(path) as store:
    store.execute(f"INSERT INTO {table} SELECT id - ({copy} * 96 << 40), content FROM {table} WHERE id >= 20759 * 96 << 40")' \
                "$work/readings-5000.sqlite" "$table" "$copy"
            psql -qh "$work/pg" -U postgres -d readings_5000 -c "
                DO \$\$ BEGIN EXECUTE format('CREATE TABLE ${table}_$((20759 - copy)) PARTITION OF $table FOR VALUES FROM (%s) TO (%s)',
                    (20759 - $copy)::bigint * 96 << 40, (20760 - $copy)::bigint * 96 << 40); END \$\$;
                INSERT INTO ${table}_$((20759 - copy))
                    SELECT id - ($copy::bigint * 96 << 40), content FROM ${table}_20759"
        done
    done
    psql -qh "$work/pg" -U postgres -d readings_5000 -c 'VACUUM ANALYZE' > /dev/null
    readings 5000 "$work/readings-5000.sqlite" reports | sed 's/_5000/_5000_fortnight/' | tee -a "$figures" >&2
    readings 5000 "host=$work/pg dbname=readings_5000 user=postgres" reports |
        sed 's/_5000/_5000_fortnight/' | tee -a "$figures" >&2
fi

# Only for DuckDB; a virtual environment leaves nothing behind.
python=python3
if python3 -m venv "$work/venv" > /dev/null 2>&1 \
    && "$work/venv/bin/pip" install -q duckdb > /dev/null 2>&1; then
    python="$work/venv/bin/python"
fi
"$python" "$here/matching_peers.py" "$work/store.sqlite" "$work/pg" "$work" "$figures"

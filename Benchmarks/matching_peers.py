"""The same search as a plain self-join, in the databases that MatchingBenchmark has filled and in DuckDB; then the table.

    matching_peers.py STORE SOCKET-DIRECTORY WORK FIGURES
"""
import os
import sqlite3
import subprocess
import sys
import time

store, socket, work, figures_file = sys.argv[1:]
ROUNDS = 5
figures = {}
for line in open(figures_file):
    name, value = line.strip().split(": ")
    figures[name.removeprefix("figure_")] = value

# The rule of six-metre-five-minute, without probabilities and explanations.
JOIN = """
SELECT p.subject AS positive, c.subject AS contact, count(*) AS encounters,
  sum(CASE WHEN {least}(p.ended, c.ended) > {greatest}(p.started, c.started)
      THEN {least}(p.ended, c.ended) - {greatest}(p.started, c.started) ELSE 0 END) AS overlap,
  min(p.distance + c.distance) AS nearest
FROM reported q {join} interaction p ON p.subject = q.subject{days}
{join} interaction c ON c.place = p.place AND c.started <= p.ended + 300 AND c.ended >= p.started - 300
  AND c.started >= p.started - 300 - 3605 AND c.subject <> p.subject AND p.distance <= 300 AND c.distance <= 300
GROUP BY p.subject, c.subject
"""
# SQLite has an index of subjects by days.
DAYS = f" AND p.started / 86400 IN ({', '.join(str(20745 + day) for day in range(14))})"
POSITIVE = "CREATE {temporary} TABLE reported AS SELECT id AS subject FROM subject WHERE kind = 'phone' AND name IN ({names})"
NAMES = ", ".join(f"'person-{index * 400}'" for index in range(500))


def named(rows, names):
    """Subjects by name: each database has numbers of its own."""
    return sorted((names[row[0]], names[row[1]], *row[2:]) for row in rows)


def median(times):
    return sorted(times)[len(times) // 2]


def sqlite():
    connection = sqlite3.connect(store)
    connection.execute(POSITIVE.format(temporary="TEMPORARY", names=NAMES))
    connection.execute("PRAGMA cache_size = -700000")
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        rows = connection.execute(JOIN.format(least="min", greatest="max", join="CROSS JOIN", days=DAYS)).fetchall()
        times.append(time.perf_counter() - start)
    names = dict(connection.execute("SELECT id, name FROM subject"))
    return median(times), rows, named(rows, names)


def postgresql():
    def psql(sql):
        command = ["psql", "-qAtXh", socket, "-U", "postgres", "-F", ",", "-c", sql]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    psql(POSITIVE.format(temporary="", names=NAMES) + "; ANALYZE reported")
    sql = JOIN.format(least="least", greatest="greatest", join="JOIN", days="")
    times = []
    for _ in range(ROUNDS):
        # As the server measures it: psql itself takes a while to start.
        text = psql("EXPLAIN (ANALYZE, TIMING OFF, FORMAT TEXT) " + sql)
        times.append(float(text.split("Execution Time: ")[1].split(" ")[0]) / 1000)
    size = int(psql("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind IN ('r', 'p')"))
    rows = [tuple(map(int, line.split(","))) for line in psql(sql).splitlines()]
    names = dict((int(number), name) for number, name in (line.split(",") for line in psql("SELECT id, name FROM subject").splitlines()))
    return median(times), named(rows, names), size


def duckdb_times():
    try:
        import duckdb
    except ImportError:
        return None
    database = duckdb.connect(work + "/duck.db")
    start = time.perf_counter()
    source = sqlite3.connect(store)
    columns = ["place", "started", "ended", "subject", "distance"]
    path = work + "/interactions.csv"
    with open(path, "w") as file:
        for row in source.execute(f"SELECT {', '.join(columns)} FROM interaction"):
            file.write(",".join("" if value is None else str(value) for value in row) + "\n")
    names = ", ".join(f"'{column}': 'BIGINT'" for column in columns)
    start = time.perf_counter()
    database.execute(f"CREATE TABLE interaction AS SELECT * FROM read_csv('{path}', header=false, columns={{{names}}})")
    load = time.perf_counter() - start
    os.remove(path)
    database.execute("CREATE TABLE reported (subject BIGINT)")
    numbers = source.execute(f"SELECT id FROM subject WHERE kind = 'phone' AND name IN ({NAMES})").fetchall()
    database.executemany("INSERT INTO reported VALUES (?)", numbers)
    database.execute("SET threads = 2")
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        rows = database.execute(JOIN.format(least="least", greatest="greatest", join="JOIN", days="")).fetchall()
        times.append(time.perf_counter() - start)
    return load, median(times), rows


sqlite_time, sqlite_rows, sqlite_named = sqlite()
postgresql_time, postgresql_named, postgresql_size = postgresql()
duck = duckdb_times()
equal = sqlite_named == postgresql_named

print()
print(f"{figures['sqlite_loaded_interactions']} interactions, 10 000 beacons, 200 000 subjects, 14 days, 500 positive reports")
print()
rows = [
    ("", "SQLite", "PostgreSQL", "asked"),
    ("stored, from empty, records/s", figures["sqlite_load_rate"].split()[0], figures["postgresql_load_rate"].split()[0], ""),
    ("stored live, the last tenth, records/s", figures["sqlite_live_rate"].split()[0], figures["postgresql_live_rate"].split()[0], "15000 / 80000"),
    ("by two matchers at once", "", figures["postgresql_writers_2"].split()[0], "80000"),
    ("by three matchers at once", "", figures["postgresql_writers_3"].split()[0], "80000"),
    ("on disk, MB", f"{os.path.getsize(store) / 1e6:.0f}", f"{postgresql_size / 1e6:.0f}", ""),
    ("one report to all exposures, ms, median", figures["sqlite_one_report_median"].split()[0], figures["postgresql_one_report_median"].split()[0], "20"),
    ("the same, of a hundred the worst", figures["sqlite_one_report_worst_of_100"].split()[0], figures["postgresql_one_report_worst_of_100"].split()[0], "20"),
    ("all 500 reports, s", figures["sqlite_all_reports"].split()[0], figures["postgresql_all_reports"].split()[0], ""),
    ("plain self-join of all 500, s", f"{sqlite_time:.3f}", f"{postgresql_time:.3f}", ""),
    ("ratio", *(f"{float(figures[name + '_all_reports'].split()[0]) / bare:.2f}" for name, bare in [("sqlite", sqlite_time), ("postgresql", postgresql_time)]), "2"),
    ("memory of the process that stores, MB", figures["sqlite_load_memory"].split()[0], figures["postgresql_load_memory"].split()[0], "100"),
    ("and of the one that finds, MB", figures["sqlite_match_memory"].split()[0], figures["postgresql_match_memory"].split()[0], "100"),
    ("exposures", figures["sqlite_exposures"], figures["postgresql_exposures"], ""),
    ("pairs that the self-join finds", str(len(sqlite_rows)), str(len(postgresql_named)), ""),
]
widths = [max(len(row[column]) for row in rows) for column in range(4)]
for row in rows:
    print("  ".join([row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]).rstrip())
print()
print("the exposures with their explanations, by name: " + figures["exposures_by_name"])
print("the self-joins' results are " + ("equal, row by row" if equal else "DIFFERENT"))
if duck is None:
    print("DuckDB: skipped, because it can't be had from PyPI here")
else:
    same = sorted(map(tuple, duck[2])) == sorted(sqlite_rows)
    print(f"DuckDB, 2 threads: the same self-join {duck[1]:.3f} s, loading {duck[0]:.1f} s, results {'equal' if same else 'DIFFERENT'}")
print()
for line in open(figures_file):
    print(line.strip())
print(f"figure_sqlite_self_join: {sqlite_time:.3f} s")
print(f"figure_postgresql_self_join: {postgresql_time:.3f} s")
print(f"figure_sqlite_size: {os.path.getsize(store) / 1e6:.0f} MB")
print(f"figure_postgresql_size: {postgresql_size / 1e6:.0f} MB")
if duck:
    print(f"figure_duckdb_self_join: {duck[1]:.3f} s")

#!/usr/bin/env python3
"""Says what a matcher's store has after requests that were made from its OpenAPI document, and what should not be there.

The environment has the only phone that had a secret, PHONE, and the only beacon that is configured, BEACON.
"""

import os
import sqlite3
import sys
import time

store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
phone, beacon, now = os.environ["PHONE"], os.environ["BEACON"], int(time.time())
checks = [
    ("damage", "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
    (
        "reports more or fewer than tokens that were used",
        "SELECT abs((SELECT count(*) FROM report WHERE type = 'confirmed') - (SELECT count(*) FROM spent_token))",
    ),
    (
        "places in the list of positives of what nobody signed",
        "SELECT count(*) FROM positive WHERE report NOT IN (SELECT id FROM report WHERE type = 'confirmed')",
    ),
    ("notices", "SELECT count(*) FROM notice"),
    ("exposures", "SELECT count(*) FROM exposure"),
    ("reports of others", f"SELECT count(*) FROM report_subject WHERE kind = 'phone' AND name <> '{phone}'"),
    ("subjects that had no secret", f"SELECT count(*) FROM subject WHERE kind <> 'phone' OR name <> '{phone}'"),
    ("beacons that aren't configured", f"SELECT count(*) FROM place WHERE name <> '{beacon}'"),
    (
        "interactions at other times than those of the requests",
        f"SELECT count(*) FROM interaction WHERE started > ended OR ended - started > 1800 OR ended > {now} + 120 "
        f"OR ended < {now} - 15 * 86400",
    ),
    ("check-ins of others", "SELECT count(*) FROM check_in WHERE student <> 's1'"),
    ("corrections", "SELECT count(*) FROM correction"),
]
tables = ("report", "report_subject", "spent_token", "positive", "interaction", "check_in")
print("stored: " + ", ".join(f"{store.execute(f'SELECT count(*) FROM {table}').fetchone()[0]} {table}" for table in tables))
failed = False
for name, query in checks:
    count = store.execute(query).fetchone()[0]
    if count:
        failed = True
        print(f"error: {count} {name}", file=sys.stderr)
for table in tables:
    if not store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
        failed = True
        print(f"error: nothing in {table}: the requests didn't come as far as the store", file=sys.stderr)
sys.exit(1 if failed else 0)

#!/usr/bin/env python3
"""Fills a store as a campus of many people leaves it after a fortnight.

    make_store.py STORE

STORE is an empty store that the program has made, so that the tables are the program's own. The sizes are in the
environment: INTERACTIONS (10,000,000), PEOPLE (200,000), REPORTS (2,000), AUDIT (5,000). The same sizes give the same
store, but for the time, which ends now. Exposures and notices are left to the daemon, which finds them.
"""

import os
import sqlite3
import sys
import time

import numpy

UUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
SITE = "campus"
BUILDINGS, FLOORS, GATEWAYS = 50, 4, 10
DAY, DAYS = 86_400, 14
WAITING = 12
FIRST_NAMES = 120
LAST_NAMES = 4_000
SYLLABLES = ("an", "be", "co", "da", "el", "fi", "ga", "hu", "is", "jo", "ka", "lu", "ma", "no", "ol", "pe", "ra", "sa",
             "ti", "ul", "ve", "wi", "ya", "zo")


def size(name, default):
    return int(os.environ.get(name) or default)


def floors():
    """Returns the floors with their gateways, as paths; the first is the one that is drawn."""
    for building in range(BUILDINGS):
        for floor in range(FLOORS):
            path = f"{SITE}/b{building}/{floor}"
            yield path, [f"{path}/gw-{number}" for number in range(GATEWAYS)]


def subject(person):
    """Returns the badge of a person: major and minor number have 16 bits."""
    return f"{UUID}/{person // 60_000 + 1}/{person % 60_000}"


def name(person):
    """Returns a made name. Some are frequent: first names are drawn from few."""
    def word(number, length):
        parts = []
        for _ in range(length):
            parts.append(SYLLABLES[number % len(SYLLABLES)])
            number //= len(SYLLABLES)
        return "".join(parts).capitalize()

    return word(person * 7 % FIRST_NAMES, 2), word(person * 31 % LAST_NAMES, 3)


def people(store, count):
    """Writes the register, and a number for each badge."""
    made = [(person + 1, str(100_000 + person), *name(person)) for person in range(count)]
    store.executemany("INSERT INTO person (id, number, name, folded, contact) VALUES (?, ?, ?, ?, ?)", (
        (id, number, f"{first} {last}", f"{first} {last}".lower(), f"{number}@campus.example")
        for id, number, first, last in made))
    store.executemany("INSERT INTO person_subject (kind, name, person) VALUES ('badge', ?, ?)", sorted(
        (subject(id - 1), id) for id, *_ in made))
    store.executemany("INSERT OR IGNORE INTO person_word (word, person) VALUES (?, ?)", sorted(
        (word.lower(), id) for id, _, first, last in made for word in (first, last, f"{first} {last}")))
    today = int(time.time()) // DAY
    store.executemany("INSERT INTO subject (id, kind, name, seen) VALUES (?, 'badge', ?, ?)", (
        (id, subject(id - 1), today) for id, *_ in made))


def gateways(store, now, counts):
    """Writes the gateways, each of which is a place of its own with a room, and how much of each is stored."""
    paths = [(floor, gateway) for floor, gateways in floors() for gateway in gateways]
    for number, (floor, path) in enumerate(paths, 1):
        site, building, level = floor.split("/")
        last = int(counts[number - 1])
        store.execute("INSERT INTO place (id, name, site, building, floor, gateway, room, beacon, seen, named) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)",
                      (number, path, site, building, level, path, room(number - 1), now // DAY, number))
        store.execute("INSERT INTO origin (id, path, seen) VALUES (?, ?, ?)", (number, f"{path}/1", now // DAY))
        store.execute("INSERT INTO gateway (path, progress, seen, heard) VALUES (?, ?, ?, ?)",
                      (path, f'{{"ranges":[{{"boot":1,"first":1,"last":{max(last, 1)}}}]}}', now // DAY, now))
        store.execute("INSERT INTO receiver_position VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, NULL, 1, 1, ?)",
                      (path, *position(number - 1), room(number - 1), now - DAYS * DAY, now // DAY))


def position(gateway):
    """Returns where a gateway hangs on its floor, in millimetres: in the middle of a room of 6 m by 6 m."""
    return 3000 + gateway % GATEWAYS // 2 * 6000, 3000 + gateway % 2 * 8000, 2400


def room(gateway):
    floor, number = divmod(gateway, GATEWAYS)
    building, level = divmod(floor, FLOORS)
    return f"B{building} {level}.{number:02}"


def interactions(store, count, people, now):
    """Writes who was near which gateway, and returns how many each has."""
    random = numpy.random.default_rng(42)
    places = BUILDINGS * FLOORS * GATEWAYS
    who = random.integers(0, people, count)
    home = random.integers(0, BUILDINGS, people)
    building = numpy.where(random.random(count) < 0.9, home[who], random.integers(0, BUILDINGS, count))
    # The canteen is busier than an office.
    weights = 1 / numpy.sqrt(numpy.arange(1, FLOORS * GATEWAYS + 1))
    place = building * FLOORS * GATEWAYS + random.choice(FLOORS * GATEWAYS, count, p=weights / weights.sum())
    # Around half past one of each day, and none of them in the future.
    midnight = now // DAY * DAY
    start = midnight - random.integers(1, DAYS, count) * DAY + numpy.clip(
        random.normal(13.5 * 3600, 3 * 3600, count), 0, DAY - 1).astype(numpy.int64)
    length = numpy.minimum(random.exponential(600, count), 3600).astype(numpy.int64) + 5
    # So far that a report has some thirty exposures.
    centimetres = numpy.clip(numpy.exp(1.84 + 0.7 * random.standard_normal(count)), 0.1, 30) * 100
    centimetres = centimetres.astype(numpy.int64)
    near = numpy.clip(1150 - centimetres, 0, 980)
    far = numpy.clip(1450 - centimetres, 0, 995)
    order = numpy.lexsort((start, place))
    counts = numpy.bincount(place, minlength=places)
    columns = "place, started, origin, number, subject, ended, state, boot, sequence, samples, rssi, distance, " \
        "lower_bound, upper_bound, within_3m, within_6m, seconds_3m, seconds_6m, clock"
    statement = f"INSERT INTO interaction ({columns}) VALUES ({', '.join('?' * 19)})"
    first = numpy.concatenate(([0], numpy.cumsum(counts)))
    for begin in range(0, count, 500_000):
        rows = order[begin:begin + 500_000]
        at, one = place[rows], numpy.ones(len(rows), numpy.int64)
        number = begin + numpy.arange(len(rows)) - first[at] + 1
        store.executemany(statement, zip(*(each.tolist() for each in (
            at + 1, start[rows], at + 1, number, who[rows] + 1, start[rows] + length[rows], one, one, number,
            length[rows] * 8, -65 * one, centimetres[rows], centimetres[rows] * 2 // 3, centimetres[rows] * 3 // 2,
            near[rows], far[rows], length[rows] * near[rows] // 1000, length[rows] * far[rows] // 1000, one))))
    store.execute("UPDATE extent SET longest = ?", (int(length.max()),))
    return counts


def reports(store, count, people, now):
    """Writes reports of the last days, most of them confirmed; what follows from them the daemon finds."""
    for number in range(1, count + 1):
        person = number * (people // count) % people
        received = now - (count - number) * 10 * DAY // count
        waits = number > count - WAITING
        store.execute(
            "INSERT INTO report (id, reference, received, type, onset, test, symptoms) "
            "VALUES (?, ?, ?, ?, NULL, ?, NULL)",
            (number, f"report-{number:016}", received, "self-reported" if waits else "confirmed", received // DAY - 1))
        store.execute("INSERT INTO report_subject VALUES (?, 'badge', ?, ?, ?, 0)", (
            number, subject(person), received - DAYS * DAY, received + 14 * DAY))


def audit(store, count, now):
    actions = ("signed in", "saw exposures", "saw report", "saw person", "searched people", "confirmed report")
    store.executemany(
        "INSERT INTO audit (at, issuer, subject, name, action, object, detail) "
        "VALUES (?, 'local', ?, ?, ?, ?, '')", (
            (now - (count - number) * 60, f"officer-{number % 20}", f"Officer {number % 20}",
             actions[number % len(actions)], str(100_000 + number)) for number in range(count)))


def main():
    now = int(time.time())
    with sqlite3.connect(sys.argv[1], isolation_level=None) as store:
        indices = store.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL "
                                "AND tbl_name = 'interaction'").fetchall()
        store.execute("PRAGMA synchronous = OFF")
        store.execute("PRAGMA cache_size = -500000")
        store.execute("BEGIN")
        # Whoever was imported so that the program made the store.
        for table in ("person", "person_subject", "person_word"):
            store.execute(f"DELETE FROM {table}")
        for index, _ in indices:
            store.execute(f"DROP INDEX {index}")
        count = size("PEOPLE", 200_000)
        people(store, count)
        gateways(store, now, interactions(store, size("INTERACTIONS", 10_000_000), count, now))
        reports(store, size("REPORTS", 2_000), count, now)
        audit(store, size("AUDIT", 5_000), now)
        for _, statement in indices:
            store.execute(statement)
        store.execute("COMMIT")
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Finds minutes together in readings records, once by SQL and once with numpy, and prints them.

Reads records as lines of JSON; prints `subject other minute similarity` for each two subjects of one floor whose vectors have a
cosine of at least the threshold. It shares no code with the matcher. Its floors have no ceilings: records of one floor only.

    minutes.py sql|numpy THRESHOLD < RECORDS
"""
import json
import math
import sqlite3
import sys
from datetime import datetime


def readings(lines):
    for line in lines:
        data = json.loads(line)["data"]
        place = data["place"]
        receiver = "/".join([place["site"], place["building"], place["floor"], place["gateway"], place.get("ear", "")])
        minute = int(datetime.fromisoformat(data["startedAt"].replace("Z", "+00:00")).timestamp())
        if data["listenedSeconds"] < 3:
            continue
        for group in data["subjects"]:
            for minor, count, rssi in zip(group["minors"], group["counts"], group["rssi"]):
                if rssi is not None:
                    rate = count * 60 / data["listenedSeconds"]
                    yield f"{group['uuid']}/{group['major']}/{minor}", minute, receiver, rate, rssi


def by_sql(rows, threshold):
    database = sqlite3.connect(":memory:")
    database.create_function("amplitude", 1, lambda level: 10 ** (level / 20), deterministic=True)
    database.create_function("root", 1, math.sqrt, deterministic=True)
    database.execute("CREATE TABLE heard (subject, minute, receiver, n, rssi)")
    database.executemany("INSERT INTO heard VALUES (?, ?, ?, ?, ?)", rows)
    return database.execute(
        """
        WITH top AS (SELECT subject, minute, max(n) AS n, max(rssi) AS rssi FROM heard GROUP BY subject, minute),
        part AS (
          SELECT h.subject, h.minute, h.receiver, min(1, h.n / t.n / 0.3) * amplitude(h.rssi - t.rssi) AS a
          FROM heard h JOIN top t USING (subject, minute)),
        norm AS (
          SELECT subject, minute, root(sum(a * a)) AS length, count(*) AS receivers FROM part GROUP BY subject, minute)
        SELECT x.subject, y.subject, x.minute, sum(x.a * y.a) / n.length / m.length AS c
        FROM part x JOIN part y ON x.minute = y.minute AND x.receiver = y.receiver AND x.subject < y.subject
        JOIN norm n ON n.subject = x.subject AND n.minute = x.minute
        JOIN norm m ON m.subject = y.subject AND m.minute = y.minute
        GROUP BY x.subject, y.subject, x.minute HAVING c >= ? AND max(n.receivers, m.receivers) > 1
        """,
        (threshold,),
    ).fetchall()


def by_numpy(rows, threshold):
    import numpy

    receivers = sorted({row[2] for row in rows})
    for minute in sorted({row[1] for row in rows}):
        subjects = sorted({row[0] for row in rows if row[1] == minute})
        level = numpy.full((len(subjects), len(receivers)), -numpy.inf)
        count = numpy.zeros_like(level)
        for subject, at, receiver, n, rssi in rows:
            if at == minute:
                level[subjects.index(subject), receivers.index(receiver)] = rssi
                count[subjects.index(subject), receivers.index(receiver)] = n
        often = numpy.minimum(1, count / count.max(1, keepdims=True) / 0.3)
        vectors = often * 10 ** ((level - level.max(1, keepdims=True)) / 20)
        vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
        cosines = vectors @ vectors.T
        heard_by = (count > 0).sum(1)
        for one, other in zip(*numpy.where(numpy.triu(cosines >= threshold, 1))):
            if max(heard_by[one], heard_by[other]) > 1:
                yield subjects[one], subjects[other], minute, float(cosines[one, other])


if __name__ == "__main__":
    find = {"sql": by_sql, "numpy": by_numpy}[sys.argv[1]]
    for subject, other, minute, similarity in find(list(readings(sys.stdin)), float(sys.argv[2])):
        print(subject, other, minute, f"{similarity:.5f}")

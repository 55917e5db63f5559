"""A small made campus: one floor, its people, what their badges did in the last days, and the files that say so.

Of everything there is enough to see: somebody positive with four who were near and one who wasn't, two people of one
name, lectures of two teachers, days with and without records.
"""

import json
import os
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Berlin")
UUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
FLOOR = "campus/hb/2"
# Where each gateway hangs, and in which room.
GATEWAYS = {"gw-211": (3.5, 3.0, "HB 2.11"), "gw-212": (12.0, 3.0, "HB 2.12"), "gw-cor": (9.0, 7.5, "corridor")}


@dataclass(frozen=True)
class Carrier:
    """A student with a badge."""

    number: str
    name: str
    minor: int

    @property
    def subject(self):
        return f"badge:{UUID}/1/{self.minor}"


STELLA = Carrier("1001", "Stella Martin", 1)
# Tests positive.
BEN = Carrier("1002", "Ben Okafor", 2)
CLEO = Carrier("1003", "Cleo Zhang", 3)
DAN = Carrier("1004", "Dan Meyer", 4)
EVE = Carrier("1005", "Eve Larsen", 5)
# Was next door.
FINN = Carrier("1006", "Finn Roux", 6)
# Two of one name.
ANNA = Carrier("1007", "Anna Smith", 7)
OTHER_ANNA = Carrier("1008", "Anna Smith", 8)
# As long as names are.
LONG = Carrier("1009", "Maximiliane Friederike Wolkenstein-Habersaat von und zu Hohenlohe", 9)
CARRIERS = (STELLA, BEN, CLEO, DAN, EVE, FINN, ANNA, OTHER_ANNA, LONG)
EXPOSED = (STELLA, CLEO, DAN, EVE)
# Courses: Algorithms is the lecturer's of the accounts, Physics somebody else's.
LECTURERS = {"4711": ["Algorithms"], "4712": ["Physics"]}
COURSES = {"Algorithms": (STELLA, BEN, CLEO, DAN, EVE), "Physics": (FINN, ANNA, OTHER_ANNA, LONG)}
ROOMS = {"Algorithms": "HB 2.11", "Physics": "HB 2.12"}

PLAN = """[[floors]]
site = "campus"
building = "hb"
floor = "2"
name = "Level 2"
z = 6.4
height = 3.2
outline = [[0, 0], [18, 0], [18, 9], [0, 9]]

[[floors.rooms]]
name = "HB 2.11"
points = [[0, 0], [7, 0], [7, 6], [0, 6]]
capacity = 40

[[floors.rooms]]
name = "HB 2.12"
points = [[7, 0], [18, 0], [18, 6], [7, 6]]

[[floors.rooms]]
name = "corridor"
points = [[0, 6], [18, 6], [18, 9], [0, 9]]

[[floors.walls]]
points = [[7, 0], [7, 6]]
attenuation = 5.5

[[floors.doors]]
at = [5, 6]
width = 1.2

[[floors.doors]]
at = [12, 6]
"""


def days(now):
    """Returns the days of lectures: yesterday, and two days before that without records."""
    today = now.astimezone(ZONE).date()
    return [today - timedelta(days=3), today - timedelta(days=1)]


def lecture_time(day):
    """Returns when a lecture of that day is: 10:00 to 11:30 of the campus."""
    start = datetime(day.year, day.month, day.day, 10, 0, tzinfo=ZONE)
    return start, start + timedelta(minutes=90)


def timestamp(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def place(gateway):
    site, building, floor = FLOOR.split("/")
    x, y, room = GATEWAYS[gateway]
    return {"site": site, "building": building, "floor": floor, "gateway": gateway, "room": room,
            "position": {"x": x, "y": y, "z": 2.4}}


class Records:
    """Records of interactions, as gateways publish them, in the order in which they ended."""

    def __init__(self, now):
        self.boot = int(now.timestamp()) - 20 * 86400
        self.lines, self._sequences = [], dict.fromkeys(GATEWAYS, 0)

    def stay(self, carrier, gateway, start, end, metres):
        """Adds that somebody was that far from a gateway."""
        self._sequences[gateway] += 1
        sequence, path = self._sequences[gateway], f"{FLOOR}/{gateway}"
        near, far = (0.97, 0.999) if metres <= 2 else (0.6, 0.95)
        minutes = (end - start).total_seconds() / 60
        data = {
            "beacon": {"uuid": UUID, "major": 1, "minor": carrier.minor},
            "counterpart": {"kind": "gateway", "id": path}, "place": place(gateway),
            "interaction": f"{path}/{self.boot}/i{sequence}", "boot": self.boot, "sequence": sequence,
            "historical": False, "clock": "synchronized", "connectedAt": timestamp(start),
            "disconnectedAt": timestamp(end), "startedAt": timestamp(start),
            "lastSeenAt": timestamp(end - timedelta(seconds=30)),
            "endedAt": timestamp(end), "endReason": "departed", "samples": int(minutes * 60) + 1,
            "rssi": {"median": -62, "min": -75, "max": -55},
            "distance": {"metres": metres, "lower": round(metres * 0.8, 2), "upper": round(metres * 1.25, 2)},
            "proximity": "near", "clProximity": 2, "probabilityWithin": {"3m": near, "6m": far},
            "expectedMinutesWithin": {"3m": round(minutes * near, 1), "6m": round(minutes * far, 1)},
            "reception": {"intervalSeconds": 1.0, "heardShare": 0.95, "silenceSeconds": 30},
        }
        self.lines.append(json.dumps({
            "specversion": "1.0", "id": f"{path}/{self.boot}/{sequence}", "source": f"/{path}",
            "type": "interaction.ended", "time": timestamp(end), "datacontenttype": "application/json", "data": data}))


def records(now):
    """Returns the records of the last lecture: all present but one who was late and one who left at once."""
    made = Records(now)
    start, end = lecture_time(days(now)[-1])
    minute = timedelta(minutes=1)
    for carrier, metres in ((STELLA, 1.2), (BEN, 1.5), (CLEO, 1.0)):
        made.stay(carrier, "gw-211", start - 3 * minute, end + minute, metres)
    made.stay(DAN, "gw-211", start + 18 * minute, end + minute, 1.8)
    made.stay(EVE, "gw-211", start, start + 8 * minute, 1.4)
    made.stay(FINN, "gw-212", start, end, 1.2)
    made.stay(ANNA, "gw-212", start, end, 2.0)
    made.stay(LONG, "gw-212", start + 12 * minute, end, 3.0)
    return made.lines


def timetable(now, rooms=None):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//timetable//EN"]
    for course, room in (rooms or ROOMS).items():
        for number, day in enumerate(days(now)):
            start, end = (moment.astimezone(timezone.utc).strftime("%Y%m%dT%H%M%SZ") for moment in lecture_time(day))
            lines += ["BEGIN:VEVENT", f"UID:{course.lower()}-{number}", f"DTSTAMP:{start}", f"DTSTART:{start}",
                      f"DTEND:{end}", f"SUMMARY:{course}", f"LOCATION:{room}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def roster(courses=None):
    rows = [f"{course},{each.number},{each.subject},{each.name}"
            for course, students in (courses or COURSES).items() for each in students]
    return "\n".join(["course,student,subject,name", *rows, ""])


def people():
    rows = [f"{each.number},{each.name},{each.number}@campus.example,{each.subject}" for each in CARRIERS]
    return "\n".join(["number,name,contact,subject", *rows, ""])


def signals(gateway, number, now, heard):
    """Returns what a gateway publishes once a second: how strongly it heard each badge, by minor number."""
    return json.dumps({
        "boot": 1, "clock": "synchronized", "listenedSeconds": 1, "number": number, "place": place(gateway),
        "time": timestamp(now),
        "subjects": [{"kind": "beacon", "uuid": UUID, "major": 1, "minors": sorted(heard), "counts": [5] * len(heard),
                      "rssi": [heard[minor] for minor in sorted(heard)]}]})


def write(directory, now):
    """Writes the files of the campus; returns their paths by name."""
    contents = {"floors.toml": PLAN, "timetable.ics": timetable(now), "roster.csv": roster(), "people.csv": people(),
                "records.jsonl": "\n".join([*records(now), ""])}
    paths = {}
    for name, text in contents.items():
        paths[name] = os.path.join(directory, name)
        # Line ends as they are: iCalendar's are CRLF.
        with open(paths[name], "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return paths

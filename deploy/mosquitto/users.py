#!/usr/bin/env python3
"""Says who may do what at mosquitto: writes the file that its dynamic-security plugin reads (beacons.conf).

  users.py add gateway mcgill/trottier/3/gw-3a          a gateway: its place, SITE/BUILDING/FLOOR/GATEWAY
  users.py add matcher consumer_matcher
  users.py add subject 0123456789abcdef0123456789abcdef the key of its topic, which `beacon-matcher secret` says
  users.py add operator operator_desk
  users.py add analyst analyst_reports
  users.py add home-assistant home_assistant
  users.py remove NAME...
  users.py list
  users.py show NAME                                    what the user may subscribe to and publish
  systemctl restart mosquitto                           reads it; a reload isn't enough, and nothing is lost

A new user gets a password, which is printed, once; --password-file gives one. Who is there already gets the rights of the kind
anew, and keeps the password.

Each may subscribe to the filters of its kind, letter by letter, and to no others: a filter below them isn't allowed, because each
one that a user may think of takes the broker's memory. --read adds one, and --write a filter of topics to publish on; what
--read names is delivered even if the kind never gets it:

  [[remote-receivers]], for the node "kitchen" of ESPresense:
      --read espresense/devices/+/kitchen --read espresense/rooms/kitchen/status --read espresense/rooms/kitchen/telemetry
  [home-assistant]: a level can't be matched in part, so it may write any device's configuration
      --read homeassistant/status --write homeassistant/device/+/config
  [mqtt-room], of the room 3060: its own alone, or a stolen gateway speaks as the remote receivers of all other floors
      --write espresense/devices/+/3060
  [homie]: any device's, for the same reason; it has two connections, and needs the listener with free identifiers
      --write 'homie/5/#' --free-identifier
  [raddec]: any transmitter's
      --write paretoanywhere/devices/+/3/raddec
  Home Assistant, for the place of a badge: the topic that `beacon-matcher secret` prints as `place:`; repeat it for each badge
      --read 'beacons/v1/+/+/+/subject/0123456789abcdef0123456789abcdef/location'
  A matcher with [commands], at whose page operators identify and reset modules:
      --write beacons/v1/+/+/+/+/command/identify --write beacons/v1/+/+/+/+/command/reset
An analyst of one site, building or floor: --below mcgill/trottier/3. One who reads no interactions: --without interaction.
"""
import argparse
import base64
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import stat
import sys

USAGE, DATA, IO, PERMISSION = 64, 65, 74, 77
KINDS = ["gateway", "matcher", "subject", "operator", "analyst", "home-assistant"]
# What an analyst may be kept from, by the last levels of its topics.
OF_BEACONS = {name: f"beacon/+/+/+/{name}" for name in ["interaction", "presence", "social-distance"]}
# As mosquitto_passwd has it. With more, whoever tries passwords holds up the broker, which has one thread; those that are made
# here have 144 random bits.
ITERATIONS = 101


class Failure(Exception):
    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


def rights(kind, name, prefix, below, without):
    """Topics to publish on, filters to subscribe to, and topics that aren't delivered all the same."""
    levels = below + ["+"] * (4 - len(below))
    root, any_root = f"{prefix}/v1/{name}/", f"{prefix}/v1/{'/'.join(levels)}/"
    of_beacons = list(OF_BEACONS.values())
    state = ["status", "info", "health", "configuration"]
    if kind == "gateway":
        # Not all below its root: that would also be commands to itself, and what the matcher has stored.
        topics = state + ["readings", "signals"] + of_beacons + ["module/+/state", "module/+/event", "reply/+"]
        return [root + topic for topic in topics], [root + "command/+", root + "stored"], []
    if kind == "subject":
        return [], [f"{prefix}/v1/subject/{name}/exposure"], []
    if kind == "operator":
        return [any_root + "command/+"], [any_root + topic for topic in ["reply/+", "module/+/+"] + state], []
    if kind == "matcher":
        occupancy = f"{prefix}/v1/+/+/+/occupancy"
        return [any_root + "stored", f"{prefix}/v1/subject/+/exposure", occupancy, occupancy + "/+",
                f"{prefix}/v1/+/+/+/subject/+/location", "beacon-matcher/probe/#"], [], []
    # Who only looks reads neither readings nor signals nor where subjects are nor what they are told.
    filters = ["/".join([prefix, "v1"] + below + ["#"])]
    filters += [any_root + topic for topic in of_beacons + state + [
        "module/+/state", "module/+/event", "stored", "command/+", "reply/+"]]
    if len(below) < 4:
        occupancy = f"{prefix}/v1/{'/'.join(levels[:3])}/occupancy"
        filters += [occupancy, occupancy + "/+"]
    denied = [f"{prefix}/v1/subject/#", any_root + "readings", any_root + "signals",
              f"{prefix}/v1/+/+/+/subject/+/location"]
    denied += [any_root + OF_BEACONS[topic] for topic in without]
    if kind == "home-assistant":
        return ["homeassistant/status"], filters + ["homeassistant/#"], denied
    return [], filters, denied


def lines(kind, name, prefix, below, without, read, write):
    """The role of a user. The plugin knows no pattern with the user's name (mosquitto 2.0), so each has one."""
    publish, subscribe, denied = rights(kind, name, prefix, below, without)

    # The plugin takes the rule with the highest priority. What the kind never gets comes before what it subscribes to, and what
    # --read names before both: who names a filter means it.
    def line(what, topic, allow=True, priority=0):
        return {"acltype": what, "topic": topic, "priority": priority, "allow": allow}

    result = [line("publishClientSend", topic) for topic in publish + write]
    result += [line("publishClientReceive", topic, allow=False, priority=1) for topic in denied]
    for priority, filters in [(0, subscribe), (2, read)]:
        for topic in filters:
            result += [line("subscribeLiteral", topic), line("publishClientReceive", topic, priority=priority)]
    if kind == "matcher":
        # It is trusted, and subscribes to what its configuration says. mqtt.share, and the trial whether the broker has shared
        # subscriptions, put more before a filter.
        for topic in [f"{prefix}/v1/#", "beacon-matcher/probe/#"]:
            result += [line("subscribePattern", topic), line("subscribePattern", "$share/+/" + topic),
                       line("publishClientReceive", topic)]
    return result


def hashed(password):
    salt = secrets.token_bytes(12)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS, 64)
    return {"password": base64.b64encode(key).decode(), "salt": base64.b64encode(salt).decode(), "iterations": ITERATIONS}


def check(kind, name, prefix):
    levels = name.split("/")
    wanted = {
        "gateway": "a gateway's place, SITE/BUILDING/FLOOR/GATEWAY",
        "subject": "the key of a subject's topic, 32 hexadecimal digits",
    }.get(kind, "a word with an underscore, as no subject's key and no site has")
    if kind == "gateway":
        is_right = len(levels) == 4 and all(levels)
    elif kind == "subject":
        is_right = len(name) == 32 and set(name) <= set("0123456789abcdef")
    else:
        is_right = len(levels) == 1 and "_" in name
    if not is_right or len(name) > 200 or not name.isprintable() or set(name) & set("+#$ "):
        raise Failure(f"the name {name!r} must be {wanted}", USAGE)
    if set(prefix) & set("+#$ ") or not prefix.isprintable() or not all(prefix.split("/")):
        raise Failure(f"--prefix is {prefix!r}, and must be mqtt.prefix of the gateways", USAGE)


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        clients = {client["username"]: client for client in state["clients"]}
        return clients, {role["rolename"]: role for role in state["roles"]}
    except FileNotFoundError:
        return {}, {}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Failure(f"{path} is none of this program's: {error}; move it away, and add all users again", DATA) from error


def save(path, clients, roles, keeps_owner):
    state = {
        "clients": list(clients.values()), "roles": list(roles.values()),
        # Without it everybody is given what they aren't allowed to read.
        "defaultACLAccess": {
            "publishClientSend": False, "publishClientReceive": False, "subscribe": False, "unsubscribe": True},
    }
    # mosquitto must never find half of it: then it lets nobody in. It may read it, and not write it.
    new = path + ".new"
    if os.path.lexists(new):
        os.unlink(new)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640), "w", encoding="utf-8") as file:
        if os.geteuid() == 0 and not keeps_owner:
            shutil.chown(file.fileno(), "root", "mosquitto")
        os.fchmod(file.fileno(), 0o600 if keeps_owner else 0o640)
        json.dump(state, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.rename(new, path)


def lock(path):
    """Two at once would undo each other; in a directory of somebody else's, what is written here isn't safe from them."""
    directory = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
    status = os.fstat(directory)
    if os.geteuid() == 0 and (status.st_uid != 0 or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        raise Failure(f"others than root may write to the directory of {path}", PERMISSION)
    fcntl.flock(directory, fcntl.LOCK_EX)


def add(options, clients, roles):
    printed = []
    below = options.below.split("/") if options.below else []
    if (below or options.without) and options.kind not in ("analyst", "home-assistant"):
        raise Failure("--below and --without are for who only looks", USAGE)
    if len(below) > 4 or not all(below) or set(options.below) & set("+#$ "):
        raise Failure(f"--below is {options.below!r}, and must be a site, SITE/BUILDING, SITE/BUILDING/FLOOR or a gateway", USAGE)
    for name in options.name:
        check(options.kind, name, options.prefix)
        acls = lines(options.kind, name, options.prefix, below, options.without, options.read, options.write)
        roles[name] = {"rolename": name, "acls": acls}
        if name not in clients or options.password_file:
            password = secrets.token_urlsafe(18)
            if options.password_file:
                with open(options.password_file, encoding="utf-8") as file:
                    password = file.readline().rstrip("\n")
                if not password or not password.isprintable():
                    raise Failure(f"the first line of {options.password_file} must be a password in one line of text", DATA)
            else:
                printed.append(f"{name} {password}")
            clients[name] = {"username": name, **hashed(password)}
        clients[name] |= {"textdescription": options.kind, "roles": [{"rolename": name}]}
        # Whoever connects with another's identifier takes its session, so it is the name, at each listener. A matcher has two
        # connections, with identifiers that nobody knows.
        if options.kind == "matcher" or options.free_identifier:
            clients[name].pop("clientid", None)
        else:
            clients[name]["clientid"] = name
    return printed


def remove(options, clients, roles):
    for name in options.name:
        if name not in clients:
            raise Failure(f"there is no user {name!r}; `list` shows who there is", USAGE)
        clients.pop(name)
        roles.pop(name, None)
    return []


def show(name, clients, roles):
    if name not in clients:
        raise Failure(f"there is no user {name!r}; `list` shows who there is", USAGE)
    words = {"subscribeLiteral": "subscribes", "subscribePattern": "subscribes", "publishClientSend": "publishes"}
    for line in roles[name]["acls"]:
        if line["acltype"] in words:
            print(f"{words[line['acltype']]:<11}{line['topic']}")
        elif not line["allow"]:
            print(f"{'never gets':<11}{line['topic']}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default="/etc/mosquitto/beacons-users.json", help="as beacons.conf names it")
    parser.add_argument("--keep-owner", action="store_true", help="for a trial: yours, and not root's for mosquitto to read")
    actions = parser.add_subparsers(dest="action", required=True, metavar="add|remove|list|show")
    adding = actions.add_parser("add")
    adding.add_argument("kind", choices=KINDS)
    adding.add_argument("--prefix", default="beacons", help="mqtt.prefix")
    adding.add_argument("--read", action="append", default=[], metavar="FILTER")
    adding.add_argument("--write", action="append", default=[], metavar="FILTER")
    adding.add_argument("--below", default="", metavar="SITE/BUILDING/FLOOR", help="for an analyst")
    adding.add_argument("--without", action="append", default=[], choices=list(OF_BEACONS), help="for an analyst")
    adding.add_argument("--password-file", metavar="FILE", help="its first line")
    adding.add_argument("--free-identifier", action="store_true", help="for a gateway with [homie]")
    for action in (adding, actions.add_parser("remove")):
        action.add_argument("name", nargs="+")
    actions.add_parser("list")
    actions.add_parser("show").add_argument("name")
    return parser.parse_args()


def main():
    options = arguments()
    if options.action in ("add", "remove") and not options.keep_owner:
        lock(options.file)
    clients, roles = load(options.file)
    if options.action == "list":
        for name, client in sorted(clients.items()):
            print(f"{client.get('textdescription', '?'):<15} {name}")
        return
    if options.action == "show":
        show(options.name, clients, roles)
        return
    printed = (add if options.action == "add" else remove)(options, clients, roles)
    save(options.file, clients, roles, options.keep_owner)
    for line in printed:
        print(line)
    print("restart mosquitto, so that it holds: systemctl restart mosquitto", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(print(f"error: {failure}", file=sys.stderr) or failure.status)
    except UnicodeDecodeError as error:
        sys.exit(print(f"error: a file isn't text: {error}", file=sys.stderr) or DATA)
    except (OSError, LookupError) as error:
        sys.exit(print(f"error: {error}", file=sys.stderr) or IO)
    except SystemExit as end:
        # argparse ends with 2 for a mistake.
        sys.exit(USAGE if end.code == 2 else end.code)

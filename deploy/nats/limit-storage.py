#!/usr/bin/env python3
"""Limits what NATS keeps of MQTT: run it once on the server, after the first client of MQTT has connected.

NATS makes its streams for MQTT without a limit. A session that isn't clean and never comes back then fills JetStream, and no
record is taken from anybody. With a limit the oldest messages go first; gateways with confirm = "consumer" send them again.

    limit-storage.py --password-file /etc/nats/limits.password --messages 8GB --retained 1GB --days 14

The limits stay over restarts. Both together have to be less than max_file of jetstream {} in nats-server.conf.
"""
import argparse
import json
import socket
import sys

USAGE, DATA, UNAVAILABLE, PERMISSION = 64, 65, 69, 77
INBOX = "_INBOX.limits.1"
UNITS = {"kB": 1000, "MB": 1000**2, "GB": 1000**3, "TB": 1000**4}


def size(text):
    number, unit = text[:-2], text[-2:]
    if unit not in UNITS or not number.isascii() or not number.isdigit() or not 0 < int(number) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number and kB, MB, GB or TB, as 8GB")
    return int(number) * UNITS[unit]


def days(text):
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 3650:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from 1 to 3650")
    return int(text)


class Failure(Exception):
    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


class Server:
    """A connection by NATS' own protocol (docs.nats.io, reference, client protocol)."""

    def __init__(self, host, port, user, password):
        self.socket = socket.create_connection((host, port), timeout=10)
        self.file = self.socket.makefile("rb")
        login = {"user": user, "pass": password, "verbose": False, "pedantic": False}
        self.send(f"CONNECT {json.dumps(login)}\r\nSUB {INBOX} 1\r\n".encode())

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, subject, body=b""):
        self.send(f"PUB {subject} {INBOX} {len(body)}\r\n".encode() + body + b"\r\n")
        while line := self.file.readline():
            words = line.split()
            if words[:1] == [b"MSG"]:
                length = int(words[-1])
                return json.loads(self.file.read(length + 2)[:length])
            if words[:1] == [b"PING"]:
                self.send(b"PONG\r\n")
            if words[:1] == [b"-ERR"]:
                raise Failure(f"the server says {line.decode(errors='replace').strip()}: look at the user in "
                              "beacons.conf and at the password", PERMISSION)
        raise Failure("the server closed the connection", UNAVAILABLE)

    def limit(self, stream, most_bytes, most_days):
        found = self.ask(f"$JS.API.STREAM.INFO.{stream}")
        if "config" not in found:
            reason = found.get("error", {}).get("description", "no reason")
            raise Failure(f"{stream}: {reason}; NATS makes it when the first client of MQTT connects", UNAVAILABLE)
        wanted = found["config"] | {"max_bytes": most_bytes, "discard": "old"}
        if most_days is not None:
            wanted["max_age"] = most_days * 86_400 * 10**9
        changed = self.ask(f"$JS.API.STREAM.UPDATE.{stream}", json.dumps(wanted).encode())
        if "error" in changed:
            raise Failure(f"{stream}: {changed['error'].get('description', 'no reason')}", DATA)
        print(f"{stream}: {most_bytes} bytes at most" + (f", {most_days} days" if most_days is not None else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1", help="where nats-server listens for its own protocol")
    parser.add_argument("--port", type=int, default=4222)
    parser.add_argument("--user", default="limits", help="as in beacons.conf")
    parser.add_argument("--password-file", required=True, help="a file with its password")
    parser.add_argument("--messages", type=size, required=True, help="of messages that wait for sessions, as 8GB")
    parser.add_argument("--retained", type=size, required=True, help="of retained messages, as 1GB")
    parser.add_argument("--days", type=days, default=14, help="how long a message waits for a session")
    options = parser.parse_args()
    try:
        with open(options.password_file, encoding="utf-8") as file:
            password = file.read().strip()
        server = Server(options.host, options.port, options.user, password)
        server.limit("$MQTT_msgs", options.messages, options.days)
        server.limit("$MQTT_rmsgs", options.retained, None)
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return failure.status
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return UNAVAILABLE
    return 0


if __name__ == "__main__":
    # argparse ends with 2 for a mistake.
    try:
        sys.exit(main())
    except SystemExit as end:
        sys.exit(USAGE if end.code == 2 else end.code)

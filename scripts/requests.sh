#!/bin/bash
# Sends requests to a matcher that are made from its OpenAPI document, as somebody unknown, a phone and an operator:
# no answer may be one of a broken server, or one that the document doesn't have, and afterwards nothing may be stored that
# should not be. SEED=2 makes other requests than are made otherwise, MORE=200 more of each kind
# than TEST_SCALE says.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v mosquitto >/dev/null || PATH=$PATH:/usr/sbin
environment=.build/schemathesis
if ! $environment/bin/python -c 'import jwt, schemathesis' 2>/dev/null; then
    rm -rf $environment
    if ! { python3 -m venv $environment && $environment/bin/pip install --quiet 'schemathesis==4.32.5' 'pyjwt[crypto]>=2,<3'; } >&2; then
        rm -rf $environment
        echo "skipped: schemathesis isn't there, and PyPI can't be reached to install it"
        exit 77
    fi
fi
environment=$PWD/$environment
program=$(swift build --show-bin-path)/beacon-matcher
directory=$(mktemp -d)
processes=()
# shellcheck disable=SC2317 # The trap calls it.
finish() {
    for process in "${processes[@]}"; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$directory"
}
trap finish EXIT

read -r mqtt port < <(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets))')
export PHONE=phone-of-a-student BEACON=e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1
umask 077
token=$(head -c 24 /dev/urandom | base64)
echo "$token" >"$directory/operator.token"
head -c 32 /dev/urandom >"$directory/pseudonym.key"
openssl ecparam -name prime256v1 -genkey -noout -out "$directory/health.key" 2>/dev/null
openssl ec -in "$directory/health.key" -pubout -out "$directory/health.pem" 2>/dev/null
printf 'course,student,subject\nPhysics,s1,phone:%s\n' "$PHONE" >"$directory/roster.csv"
# A lecture that is under way, an hour before to three hours after.
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//test//test//EN BEGIN:VEVENT UID:physics-1 DTSTAMP:20261101T000000Z \
    "DTSTART:$(date -u -d '1 hour ago' +%Y%m%dT%H%M%SZ)" "DTEND:$(date -u -d '3 hours' +%Y%m%dT%H%M%SZ)" \
    SUMMARY:Physics LOCATION:101 END:VEVENT END:VCALENDAR >"$directory/timetable.ics"
printf 'listener %s 127.0.0.1\nallow_anonymous true\n' "$mqtt" >"$directory/mosquitto.conf"
cat >"$directory/matcher.toml" <<CONFIGURATION
[store]
location = "$directory/store.sqlite"

[metrics]
listen = "off"

[mqtt]
host = "127.0.0.1"
port = $mqtt

[api]
listen = "127.0.0.1:$port"
requests-per-minute = 1000000

[phones]
unproven-stays = true

[[operators]]
name = "desk"
token-file = "$directory/operator.token"

[[authorities]]
issuer = "https://health.example"
key-file = "$directory/health.pem"

[reports]
pseudonym-key-files = ["$directory/pseudonym.key"]

[[rooms]]
name = "101"
beacons = ["$BEACON"]

[attendance]
timetable-files = ["$directory/timetable.ics"]
roster-file = "$directory/roster.csv"

[localisation]
plan = "$directory/floors.toml"
live = ["badge"]
CONFIGURATION
# The floor of the document's examples.
cat >"$directory/floors.toml" <<PLAN
[[floors]]
site = "campus"
building = "hb"
floor = "2"
outline = [[0, 0], [20, 0], [20, 10], [0, 10]]
[[floors.rooms]]
name = "101"
points = [[0, 0], [20, 0], [20, 10], [0, 10]]
PLAN
# Bodies of a phone have its name, so that they come as far as the store, and most reports a token of the authority: of two
# one is new, and the other has been used.
cat >"$directory/bodies.py" <<'PYTHON'
import itertools
import os
import time
from datetime import datetime, timedelta, timezone

import jwt
import schemathesis

key = open(os.path.join(os.path.dirname(__file__), "health.key")).read()
numbers, seeds = itertools.count(), itertools.count()
codes = iter(os.environ.get("CODES", "").splitlines())


def token():
    now, number = int(time.time()), next(numbers)
    claims = {"iss": "https://health.example", "aud": "beacon-matcher", "iat": now, "exp": now + 3600, "sub": f"phone:{os.environ['PHONE']}"}
    return jwt.encode(claims | {"jti": str(number // 2)}, key, algorithm="ES256")


@schemathesis.hook
def map_body(context, body):
    phone, secret = os.environ["PHONE"], os.environ.get("SECRET")
    if not secret or not isinstance(body, dict):
        return body
    if "phone" in body:
        body["phone"] = phone
    uuid, major, minor = os.environ["BEACON"].split("/")
    readings = body.get("interactions")
    for index, reading in enumerate(readings if isinstance(readings, list) else []):
        # Every other one is of the beacon, and of now.
        if isinstance(reading, dict) and index % 2 == 0:
            moment = datetime.now(timezone.utc) - timedelta(seconds=index)
            reading.update(uuid=uuid, major=int(major), minor=int(minor), timestamp=f"{moment:%Y-%m-%dT%H:%M:%SZ}")
    if "code" in body and "subjects" in body:
        # Each code works once; when all are used up, the requests are those of somebody who has none.
        return body | {"code": next(codes, "0000 0000"), "subjects": [{"kind": "phone", "id": phone}]}
    if "code" in body:
        body["code"] = os.environ["CODE"]
    if "room" in body:
        body.update(room="101", kind="phone", id=phone)
    if isinstance(body.get("subjects"), list):
        body["subjects"] = [{"kind": "phone", "id": phone, "secret": secret}]
        # What is generated would be refused, and then nothing else of the body is looked at.
        body.pop("onset", None)
        body.pop("test", None)
        body["verification"] = token()
        # What the list of positives can have: of a phone it has nothing but what others heard.
        number = next(seeds)
        if number % 4 == 0:
            yesterday = datetime.now(timezone.utc) - timedelta(days=1)
            body["seeds"] = [{"scheme": "c19x", "day": f"{yesterday:%Y-%m-%d}", "seed": str(number)}]
    return body
PYTHON
mosquitto -c "$directory/mosquitto.conf" >"$directory/mosquitto.log" 2>&1 &
processes+=($!)
"$program" run --config "$directory/matcher.toml" --log-level warning >"$directory/matcher.log" 2>&1 &
matcher=$!
processes+=("$matcher")
api=http://127.0.0.1:$port/v1
for _ in $(seq 100); do
    curl --silent --fail --output "$directory/openapi.json" "$api/openapi.json" && break
    sleep 0.1
done
code=$("$program" enrolment issue --uses 100000 --config "$directory/matcher.toml" 2>/dev/null)
codes=$("$program" codes issue --test-date "$(date -u +%F)" --count 100 --config "$directory/matcher.toml" 2>/dev/null)
secret=$("$program" secret "phone:$PHONE" --config "$directory/matcher.toml" 2>/dev/null)
# What is wrong and too large may be refused as either.
cat >"$directory/anybody.toml" <<CONFIGURATION
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429]
CONFIGURATION
printf '[parameters]\n"path.id" = "phone:%s"\n' "$PHONE" | cat - "$directory/anybody.toml" >"$directory/phone.toml"

# The phone is in the room.
curl --silent --fail --output /dev/null --header "Authorization: Bearer $secret" --json "{\"phone\":\"$PHONE\",
    \"interactions\":[{\"uuid\":\"${BEACON%%/*}\",\"major\":1,\"minor\":1,\"distance\":1,\"timestamp\":\"$(date -u +%FT%TZ)\"}]}" \
    "$api/interactions"

# Of each kind.
examples=${MORE:-$((${TEST_SCALE:-1} == 100 ? 50 : 20))}
status=0
attack() {
    echo "== as $1"
    # Streams of events have no end.
    (cd "$directory" && "$environment/bin/schemathesis" --config-file "$directory/$2.toml" run "$directory/openapi.json" \
        --url "http://127.0.0.1:$port" --exclude-path '/v1/subjects/{id}/events' \
        --exclude-path '/v1/floors/{site}/{building}/{floor}/live' --max-examples "$examples" \
        --seed "${SEED:-1}" "${headers[@]}") || status=1
}
headers=()
attack "somebody unknown" anybody
headers=(--header "Authorization: Bearer $secret")
attack "a phone" phone
# What may be said of times, days and names is more than the document has, and the names are corrected here.
headers+=(--exclude-checks positive_data_acceptance,negative_data_rejection)
CODE=$code CODES=$codes SECRET=$secret PYTHONPATH=$directory SCHEMATHESIS_HOOKS=bodies attack "a phone under its own name" phone
headers=(--header "Authorization: Bearer $token" --exclude-checks positive_data_acceptance)
attack "an operator" anybody

kill -TERM "$matcher"
wait "$matcher" || { echo "error: the matcher didn't end in an orderly way" >&2; status=1; }
if grep -E '"level":"(error|critical)"| (error|critical) ' "$directory/matcher.log" >&2; then status=1; fi
scripts/check-store.py "$directory/store.sqlite" || status=1
exit "$status"

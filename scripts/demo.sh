#!/bin/bash
# Shows the page: people walk about on the map of a small building, one tests positive in the page, the others see it.
# Starts a broker of its own on a free port, the gateways of a simulated floor, and a matcher with the page, and prints
# links. Ctrl-C ends it; nothing is left running, and nothing is kept.
#   demo.sh               the page
#   demo.sh --terminal    one gateway, and what a subscriber at the broker receives of it
# With DEMO_SECONDS=N nobody has to do anything: the script does by HTTP what a person would do in the browser, and waits
# at most N seconds for each result. The status is 0 if all of it was seen. DEMO_PROGRAMS is the directory of other
# programs than those of `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v mosquitto >/dev/null || PATH=$PATH:/usr/sbin
umask 077
directory=$(mktemp -d)
gateways='' matcher='' broker='' port=''
# Each may still hear the farewell of those before it.
# shellcheck disable=SC2317 # The trap calls it.
finish() {
    for process in $gateways $matcher $broker; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$directory"
}
trap finish EXIT
trap 'exit 130' INT TERM
fail() {
    echo "error: $1" >&2
    [ -z "${2:-}" ] || tail -n 20 "$2" >&2
    exit "${3:-70}"
}

# Whether something listens on a port of this machine.
listens() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
# Waits until a process listens on a port.
await_port() {
    for _ in $(seq 300); do
        if listens "$2"; then return 0; fi
        kill -0 "$1" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
free_port() {
    port=$((20000 + RANDOM % 20000))
    while listens $port; do port=$((20000 + RANDOM % 20000)); done
}

for _ in 1 2 3 4 5 6 7 8 9 10; do
    free_port
    cat >"$directory/mosquitto.conf" <<CONFIGURATION
listener $port 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
max_queued_messages 0
CONFIGURATION
    # All are in sessions of their own: Ctrl-C is for this script, which ends them in their order.
    setsid mosquitto -c "$directory/mosquitto.conf" >"$directory/mosquitto.log" 2>&1 &
    broker=$!
    if await_port "$broker" "$port"; then break; fi
    kill "$broker" 2>/dev/null || true
    broker=''
done
[ -n "$broker" ] || fail "mosquitto doesn't start:" "$directory/mosquitto.log" 69
mqtt=$port

programs=${DEMO_PROGRAMS:-$(swift build --show-bin-path)}
if [ "${1:-}" = --terminal ]; then
    "$programs/beacon-gateway" demo --broker-port "$mqtt" ${DEMO_SECONDS:+--duration "${DEMO_SECONDS}s"} &
    gateways=$!
    trap 'kill -TERM "$gateways" 2>/dev/null || true' INT TERM
    status=0
    wait "$gateways" || status=$?
    # A signal ends the wait, not the gateway.
    while kill -0 "$gateways" 2>/dev/null; do
        status=0
        wait "$gateways" || status=$?
    done
    exit "$status"
fi

setsid "$programs/beacon-gateway" demo --building --broker-port "$mqtt" >"$directory/gateways.log" 2>&1 &
gateways=$!

"$programs/beacon-gateway" demo --plan >"$directory/floors.toml"
badge=badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1
names=("Ada Berg" "Bruno Katz" "Chen Li" "Dana Okafor" "Emil Sand" "Farah Nasser" "Goran Ilic" "Hana Sato")
echo number,name,contact,subject >"$directory/people.csv"
for index in "${!names[@]}"; do
    name=${names[index]}
    mail=$(tr '[:upper:] ' '[:lower:].' <<<"$name")
    echo "$((1001 + index)),$name,$mail@campus.example,$badge/$((index + 1))"
done >>"$directory/people.csv"
# A lecture that is under way, in the room in which three of the four participants are.
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//demo//demo//EN BEGIN:VEVENT UID:seminar-1 \
    "DTSTAMP:$(date -u +%Y%m%dT%H%M00Z)" "DTSTART:$(date -u -d '30 minutes ago' +%Y%m%dT%H%M00Z)" \
    "DTEND:$(date -u -d '60 minutes' +%Y%m%dT%H%M00Z)" SUMMARY:Seminar 'LOCATION:Seminar room' END:VEVENT END:VCALENDAR \
    >"$directory/timetable.ics"
echo course,student,subject,name >"$directory/roster.csv"
for index in 0 2 3 4; do
    echo "Seminar,$((1001 + index)),$badge/$((index + 1)),${names[index]}"
done >>"$directory/roster.csv"

free_port
base=http://127.0.0.1:$port
configuration=$directory/matcher.toml
zone=$(cat /etc/timezone 2>/dev/null || true)
cat >"$configuration" <<CONFIGURATION
[site]
time-zone = "${zone:-UTC}"

[store]
location = "$directory/store.sqlite"

[metrics]
listen = "off"

[mqtt]
host = "127.0.0.1"
port = $mqtt
prefix = "demo-$gateways"                 # the gateways' topics begin with their process

[api]
listen = "127.0.0.1:$port"
requests-per-minute = 10000

[page]
base-url = "$base"

[localisation]
plan = "floors.toml"
live = ["badge"]

[[rooms]]
name = "Seminar room"
places = ["demo/main/1/seminar"]
capacity = 12

[attendance]
timetable-files = ["timetable.ics"]
roster-file = "roster.csv"
CONFIGURATION
matcher_command() {
    "$programs/beacon-matcher" "$@" --config "$configuration" >>"$directory/commands.log" 2>&1 \
        || fail "beacon-matcher $1 failed:" "$directory/commands.log"
}
echo "Preparing the records of the past hour ..."
"$programs/beacon-gateway" demo --hour >"$directory/hour.jsonl"
matcher_command import "$directory/hour.jsonl"
matcher_command people import "$directory/people.csv"
setsid "$programs/beacon-matcher" run --config "$configuration" --log-level warning >"$directory/matcher.log" 2>&1 &
matcher=$!
await_port "$matcher" "$port" || fail "the matcher doesn't start:" "$directory/matcher.log"

# Prints a link that signs somebody in once.
link() {
    "$programs/beacon-matcher" sign-in "$@" --config "$configuration" 2>>"$directory/commands.log" \
        || fail "beacon-matcher sign-in failed:" "$directory/commands.log"
}
floor=/floors/demo/main/1
officer() { link --role officer --role operator --name "Olga (health office)"; }
student() { link --role student --name "Bruno Katz" --number 1002; }
auditor() { link --role auditor --name "Alex (audit)"; }

show_links() {
    first=$(officer)
    cat <<LINKS

Health officer and operator. Floors shows who is where now. Then report Ada Berg as positive: People, search Ada Berg,
"Report this person"; the report's page shows who was exposed.
  $first

Bruno Katz, a student, who was in a room with Ada Berg. His status changes when you have reported her. Open it in a
private window, or in another browser: a browser has one account at a time.
  $(student)

Auditor, who sees who did and saw what. Open it as the link before.
  $(auditor)

LINKS
}

if [ -z "${DEMO_SECONDS:-}" ]; then
    show_links
    if [ -t 1 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
        xdg-open "$first" >/dev/null 2>&1 || true
    fi
    trap 'echo; exit 0' INT TERM
    echo "Each link works once, within five minutes. Enter prints new ones, Ctrl-C ends the demonstration."
    while kill -0 "$gateways" 2>/dev/null && kill -0 "$matcher" 2>/dev/null; do
        if [ -t 0 ]; then
            if read -r -t 5 _; then show_links; else sleep 1; fi
        else
            sleep 1
        fi
    done
    kill -0 "$matcher" 2>/dev/null || fail "the matcher ended:" "$directory/matcher.log"
    fail "the gateways ended:" "$directory/gateways.log"
fi

# From here on the script does what a person would do.
# Prints the page of somebody at a path; follows redirections.
page() {
    local jar=$directory/$1.cookies path=$2
    shift 2
    curl --silent --show-error --fail-with-body --location --max-time 20 --cookie "$jar" --cookie-jar "$jar" "$@" \
        "$base$path"
}
sign_in() { page "$1" /sign-in/use --data-urlencode "link=${2##*token=}" --data-urlencode to=/ >"$directory/$1.html"; }
# Waits until the page of somebody at a path has a text. An answer that is an error is one without the text.
await() {
    local end=$((SECONDS + DEMO_SECONDS))
    until page "$1" "$2" >"$directory/$1.html" 2>"$directory/curl.log" && grep -Eq "$3" "$directory/$1.html"; do
        if [ $SECONDS -ge $end ]; then
            cat "$directory/gateways.log" "$directory/matcher.log" >&2
            fail "$2 of the $1 does not have \"$3\" after $DEMO_SECONDS s:" "$directory/$1.html"
        fi
        sleep 0.5
    done
}
# Fails unless a page of somebody has a text.
must_have() { grep -Eq "$2" "$directory/$1.html" || fail "a page of the $1 does not have \"$2\":" "$directory/$1.html"; }

sign_in officer "$(officer)"
sign_in student "$(student)"
sign_in auditor "$(auditor)"
await student /me 'No day with an exposure is known'
echo "The page of Bruno Katz says that no exposure is known."
await officer $floor 'data-total>[1-9]'
echo "The map of the floor shows where people are now."
page officer /people --get --data-urlencode "q=Ada Berg" >"$directory/officer.html"
must_have officer 'href="/new-report\?person=1001"'
page officer "/new-report?person=1001" >"$directory/officer.html"
token=$(sed -n 's/.*name="token" value="\([^"]*\)".*/\1/p' "$directory/officer.html" | head -n 1)
page officer /file-report --data-urlencode "token=$token" --data-urlencode person=1001 --data-urlencode test= \
    --data-urlencode onset= --data-urlencode confirmation=confirmed --data-urlencode agreed=yes \
    >"$directory/officer.html"
must_have officer 'The report is filed'
for name in "Bruno Katz" "Chen Li" "Dana Okafor"; do must_have officer "$name"; done
if grep -q "Goran Ilic" "$directory/officer.html"; then
    fail "Goran Ilic, who was in another room, is among the exposed people:" "$directory/officer.html"
fi
echo "The report about Ada Berg shows who was with her, and nobody who was elsewhere."
end=$((SECONDS + DEMO_SECONDS))
while await student /me 'Days with exposures' && grep -q 'No day with an exposure is known' "$directory/student.html"; do
    [ $SECONDS -lt $end ] || fail "the page of Bruno Katz does not have the exposure after $DEMO_SECONDS s:" \
        "$directory/student.html"
    sleep 0.5
done
echo "The page of Bruno Katz says that he was exposed."
await auditor /audit 'Olga'
echo "The audit shows who reported her."

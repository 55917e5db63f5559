#!/bin/bash
# How long modules take to be provisioned, and what it costs to look after them.
#
#   modules.sh PROGRAM [MODULES]
#
# PROGRAM is a beacon-gateway built for release; MODULES (default 16) emulated RS9116 at pseudo-terminals, with the
# delays of the emulator: 0.7 s to load firmware, 0.3 s to start Bluetooth. Prints a table, and then a line for each
# figure. Nothing here passes or fails. Packages: mosquitto.
set -euo pipefail
export LC_ALL=C

program=$1
count=${2:-16}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; wait 2> /dev/null || true; rm -rf "$work"' EXIT

say() { echo "bench-modules: $*" >&2; }

# wait_for SECONDS COMMAND...
wait_for() {
    local end=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$end" ] || { say "waited in vain for: $*"; exit 1; }
        sleep 0.05
    done
}

# start_emulator COUNT NAME
start_emulator() {
    local links=() number
    for ((number = 1; number <= $1; number++)); do links+=(--link "$work/$2$number"); done
    "$program" emulate rs9116 "${links[@]}" > "$work/$2.air" 2> "$work/$2.log" < /dev/null &
    wait_for 10 test -e "$work/$2$1"
}

# inventory COUNT NAME
inventory() {
    echo name,module,uuid,major,minor,measured-power
    local number
    for ((number = 1; number <= $1; number++)); do
        echo "$2$number,$work/$2$number,e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,$number,-59"
    done
}

# seconds COMMAND...: how long it takes
seconds() {
    local start end
    start=$(date +%s.%N)
    "$@" > "$work/output" 2>&1 || { cat "$work/output" >&2; exit 1; }
    end=$(date +%s.%N)
    awk "BEGIN { printf \"%.2f\", $end - $start }"
}

# The seconds of processor time that a process has used.
processor_time() { awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hertz }' "/proc/$1/stat"; }

say "one module, from reset to heard by another"
start_emulator 2 one
inventory 1 one > "$work/one.csv"
one=$(seconds "$program" provision --inventory "$work/one.csv" --apply --port "$work/one1")
verified=$(seconds "$program" verify --inventory "$work/one.csv" --receiver "$work/one2" --at-least 1ms)

say "$count modules side by side"
start_emulator "$count" many
inventory "$count" many > "$work/many.csv"
many=$(seconds "$program" provision --inventory "$work/many.csv" --apply)
again=$(seconds "$program" provision --inventory "$work/many.csv" --apply)

say "looking after $count modules for a minute"
port=$((20000 + RANDOM % 10000))
mosquitto -p "$port" > "$work/mosquitto.log" 2>&1 &
cat > "$work/gateway.toml" << TOML
inventory = "many.csv"
[place]
site = "bench"
building = "b"
floor = "1"
gateway = "g"
[metrics]
listen = "off"

[mqtt]
port = $port
[state]
directory = "$work"
TOML
"$program" run --config "$work/gateway.toml" > "$work/run.log" 2>&1 &
daemon=$!
all_applied() { [ "$(grep -c 'state=unverified' "$work/run.log")" -ge "$count" ]; }
wait_for 60 all_applied
# The beginning of the dialogues is not the idle state.
sleep 5
before=$(processor_time "$daemon")
sleep 60
after=$(processor_time "$daemon")
idle=$(awk "BEGIN { printf \"%.3f\", ($after - $before) / 60 * 100 }")

cat << TABLE

                                              measured    target
one module, from reset to its last OK         $(printf '%6s' "$one") s   below 6 s with the next line
the same, until another module hears it       $(printf '%6s' "$verified") s   (it has to boot the receiver too)
$(printf '%2d' "$count") modules side by side                    $(printf '%6s' "$many") s   below 12 s
the same again: nothing to do                 $(printf '%6s' "$again") s
looking after $(printf '%2d' "$count") modules                   $(printf '%6s' "$idle") %   of a core, below 0.2 %

figure_one_module_seconds: $one
figure_one_module_verified_seconds: $(awk "BEGIN { print $one + $verified }")
figure_side_by_side_seconds: $many
figure_nothing_to_do_seconds: $again
figure_idle_core_percent: $idle
TABLE

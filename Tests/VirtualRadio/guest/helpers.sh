# shellcheck shell=dash
# For the steps of `run`: saying what happens, waiting, and the programs that several steps need.

# A line for everything that went wrong.
failures=/out/failures

now() { cut -d ' ' -f 1 /proc/uptime; }

say() { echo "run: $(now) s: $*"; }

failed() {
    say "FAILED: $*"
    echo "$*" >> "$failures"
}

# seconds_since TIME, which `now` has given
seconds_since() { echo "$1 $(now)" | awk '{ print $2 - $1 }'; }

# calibrate: leaves in /out/epoch the UNIX time of the machine's start, of which controllers count their seconds. The
# shell's clock has whole seconds only, so it is looked at while one passes.
calibrate() {
    second=$(date +%s)
    while [ "$(date +%s)" = "$second" ]; do :; done
    epoch=$(echo "$((second + 1)) $(now)" | awk '{ printf "%.2f", $1 - $2 }')
    echo "$epoch" > /out/epoch
}

# The UNIX time, after `calibrate`
unix() { echo "$epoch $(now)" | awk '{ printf "%.2f\n", $1 + $2 }'; }

# wait_for SECONDS COMMAND...: until the command succeeds; fails when the time is over
wait_for() {
    tries=$(($1 * 50))
    shift
    until "$@"; do
        [ "$tries" -gt 0 ] || return 1
        tries=$((tries - 1))
        usleep 20000
    done
}

# await SECONDS COMMAND...: the same for what takes longer and costs more to find out
await() {
    deadline=$(($(cut -d . -f 1 /proc/uptime) + $1))
    shift
    until "$@"; do
        [ "$(cut -d . -f 1 /proc/uptime)" -lt "$deadline" ] || return 1
        usleep 200000
    done
}

adapter_exists() { [ -e /sys/class/bluetooth/hci0 ]; }
adapter_is_gone() { ! adapter_exists; }

# start_controller NAME OPTION...
start_controller() {
    log=/out/$1.controller.log
    shift
    VirtualController "$@" > "$log" 2>&1 &
    controller=$!
    wait_for 10 adapter_exists
}

stop_controller() {
    kill "$controller"
    wait "$controller" || failed "$1: the controller ended with status $?"
    wait_for 10 adapter_is_gone || failed "$1: the adapter stays after its controller's end"
}

# start_broker NAME: and a subscriber that writes the time, whether it is retained, the quality of service, the topic
# and the message of all that it receives to /out/NAME.mqtt; in another format if `format` has one (see mosquitto_sub)
start_broker() {
    mosquitto -c mosquitto.conf > "/out/$1.broker.log" 2>&1 &
    broker=$!
    wait_for 10 grep -q running "/out/$1.broker.log" || failed "$1: the broker does not start"
    mosquitto_sub -h 127.0.0.1 -q 1 -t '#' -F "${format:-%r %q %t %p}" > "/out/$1.mqtt" 2>&1 &
    subscriber=$!
    wait_for 10 grep -q SUBACK "/out/$1.broker.log" || failed "$1: the subscriber is not heard"
}

# It neither answers nor ends.
pause_broker() { kill -STOP "$broker"; }
resume_broker() { kill -CONT "$broker"; }

stop_broker() {
    kill "$subscriber" "$broker"
    wait "$subscriber" "$broker"
}

# start_gateway NAME CONFIGURATION: the daemon, with its outputs in /out
start_gateway() {
    rm -f /tmp/gateway.pid
    (
        sh -c 'echo $$ > /tmp/gateway.pid; exec beacon-gateway run --config "$1"' sh "$2" \
            > "/out/$1.jsonl" 2> "/out/$1.log"
        echo $? > "/out/$1.status.new"
        mv "/out/$1.status.new" "/out/$1.status"
    ) &
    wrapper=$!
}

# stop_gateway NAME: by SIGTERM; how long it took is left in /out/NAME.seconds
stop_gateway() {
    told=$(now)
    kill -TERM "$(cat /tmp/gateway.pid)"
    if wait_for 2 test -e "/out/$1.status"; then
        seconds_since "$told" > "/out/$1.seconds"
        status=$(cat "/out/$1.status")
        [ "$status" = 0 ] || failed "$1: the gateway ended with status $status"
        wait_for 10 grep -q '"stopping"' "/out/$1.mqtt" || failed "$1: the gateway did not say good-bye"
    else
        failed "$1: the gateway did not end within 2 seconds"
        kill -KILL "$(cat /tmp/gateway.pid)"
    fi
    wait "$wrapper"
}

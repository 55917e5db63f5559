# shellcheck shell=dash
# Steps of `run` in which beacon-gateway hears the advertisements of a scenario.

# scan NAME OPTION...: the options are the controller's
scan() {
    name=$1
    shift
    say "$name"
    if start_controller "$name" "$@"; then
        timeout -s KILL 20 beacon-gateway scan --adapter hci0 --all --duration 4500ms \
            > "/out/$name.jsonl" 2> "/out/$name.log"
        status=$?
        echo "$status" > "/out/$name.status"
        [ "$status" = 0 ] || failed "$name: the gateway ended with status $status"
    else
        failed "$name: no adapter appeared"
    fi
    stop_controller "$name"
}

# A scan without an end, which is told to end after its first line.
sigterm() {
    say sigterm
    start_controller sigterm --scenario beacons.txt || failed "sigterm: no adapter appeared"
    (
        sh -c 'echo $$ > /tmp/gateway.pid; exec beacon-gateway scan --adapter hci0 --all' \
            > /out/sigterm.jsonl 2> /out/sigterm.log
        echo $? > /out/sigterm.status.new
        mv /out/sigterm.status.new /out/sigterm.status
    ) &
    wrapper=$!
    if wait_for 10 test -s /out/sigterm.jsonl; then
        kill -TERM "$(cat /tmp/gateway.pid)"
        if wait_for 2 test -e /out/sigterm.status; then
            status=$(cat /out/sigterm.status)
            [ "$status" = 0 ] || failed "sigterm: the gateway ended with status $status"
            grep -q 'scan off:' /out/sigterm.controller.log ||
                failed "sigterm: the gateway left the controller scanning"
        else
            failed "sigterm: the gateway did not end within 2 seconds"
        fi
    else
        failed "sigterm: the gateway printed nothing"
    fi
    [ -e /out/sigterm.status ] || kill -KILL "$(cat /tmp/gateway.pid)"
    wait "$wrapper"
    stop_controller sigterm
}

# Recordings, each replayed afterwards: one for a while, one with pseudonyms that is told to end.
record() {
    say record
    start_controller record --scenario beacons.txt || failed "record: no adapter appeared"
    timeout -s KILL 30 beacon-gateway record /tmp/record.btsnoop --duration 4500ms \
        > /out/record.txt 2> /out/record.log
    echo $? > /out/record.status
    beacon-gateway scan --replay /tmp/record.btsnoop --all > /out/record.jsonl 2>> /out/record.log
    stop_controller record
    start_controller record-sigterm --scenario beacons.txt || failed "record: no adapter appeared"
    (
        sh -c 'echo $$ > /tmp/gateway.pid; exec beacon-gateway record /tmp/pseudonyms.btsnoop --pseudonymise' \
            > /out/record-sigterm.txt 2> /out/record-sigterm.log
        echo $? > /out/record-sigterm.status
    ) &
    wrapper=$!
    wait_for 15 recorded /tmp/pseudonyms.btsnoop || failed "record: nothing is recorded"
    kill -TERM "$(cat /tmp/gateway.pid)"
    wait "$wrapper"
    beacon-gateway scan --replay /tmp/pseudonyms.btsnoop --all > /out/record-sigterm.jsonl 2>> /out/record.log
    stop_controller record-sigterm
}

# recorded FILE: whether it has some dozens of reports
recorded() { [ -e "$1" ] && [ "$(wc -c < "$1")" -gt 3000 ]; }

# What the doctor says of an adapter that works, and in which state it leaves it.
doctor() {
    say doctor
    start_controller doctor --scenario beacons.txt || failed "doctor: no adapter appeared"
    timeout -s KILL 60 beacon-gateway doctor --json --seconds 2 > /out/doctor.jsonl 2> /out/doctor.log
    echo $? > /out/doctor.status
    stop_controller doctor
}

# The daemon from the radio to a broker, and its farewell.
daemon() {
    say daemon
    start_broker daemon
    start_controller daemon --scenario beacons.txt || failed "daemon: no adapter appeared"
    start_gateway daemon gateway.toml
    wait_for 20 three_interactions || failed "daemon: no interactions arrived at the subscriber"
    stop_gateway daemon
    stop_controller daemon
    stop_broker
}

three_interactions() { [ "$(grep -c '"interaction.started"' /out/daemon.mqtt)" -ge 3 ]; }

# The machine's clock is set, forwards and backwards, while the broker stands still; what is recorded meanwhile has to
# arrive. To be the last step: what others go by is the time of the start.
clock() {
    say clock
    start_broker clock
    start_controller clock --scenario known.txt || failed "clock: no adapter appeared"
    start_gateway clock clock.toml
    wait_for 20 records 6 || failed "clock: no interactions arrived at the subscriber"
    pause_broker
    await 30 grep -q 'broker connection' /out/clock.log || failed "clock: the broker's standstill isn't noticed"
    for days in 45 -80 35; do
        date -s "@$(($(date +%s) + days * 86400))" > /dev/null
        sleep 3
    done
    resume_broker
    wait_for 60 records 40 || failed "clock: what waited doesn't arrive"
    stop_gateway clock
    stop_controller clock
    stop_broker
}

# records COUNT
records() { [ "$(grep -c '"interaction.updated"' /out/clock.mqtt)" -ge "$1" ]; }

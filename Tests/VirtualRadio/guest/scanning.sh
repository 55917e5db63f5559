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

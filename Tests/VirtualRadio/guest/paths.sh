# shellcheck shell=dash
# Steps of `run-faults`: the ways of hearing, and several adapters at once. Each leaves /out/path-NAME.jsonl, .log and
# .status, as `scan` in `run` does, and /out/path-NAME.controller.log.

paths() {
    step=paths
    # The system's user without rights.
    grep -q ^nobody: /etc/passwd || echo 'nobody:x:65534:65534::/tmp:/bin/sh' >> /etc/passwd
    start_controller path-own --scenario known.txt || failed "paths: no adapter appeared"
    hear user-channel --path user-channel
    # Whoever has an adapter for himself leaves it switched off.
    hciconfig hci0 up
    # Nobody scans; then somebody does.
    hear nobody-scans --path monitor
    beacon-gateway scan --duration 20s > /out/path-other.jsonl 2> /out/path-other.log &
    other=$!
    wait_for 15 test -s /out/path-other.jsonl || failed "paths: the other program hears nothing"
    hear monitor --path monitor
    wait "$other" || failed "paths: the other program ended with status $?"
    stop_controller path-own

    # Without rights and without bluetoothd.
    start_controller path-nobody --scenario known.txt || failed "paths: no adapter appeared"
    hear_as_nobody no-service
    dbus
    stop_controller path-nobody
}

# hear NAME OPTION...: `scan` for six seconds
hear() {
    name=path-$1
    shift
    say "$name"
    timeout -s KILL 30 beacon-gateway scan "$@" --duration 6s > "/out/$name.jsonl" 2> "/out/$name.log"
    echo $? > "/out/$name.status"
}

hear_as_nobody() {
    name=path-$1
    say "$name"
    timeout -s KILL 60 su -s /bin/sh nobody -c \
        "LD_LIBRARY_PATH=$LD_LIBRARY_PATH exec /payload/beacon-gateway scan --duration 12s" \
        > "/out/$name.jsonl" 2> "/out/$name.log"
    echo $? > "/out/$name.status"
}

# bluetoothd as Debian starts it, then with what it calls experimental.
dbus() {
    mkdir -p /run/dbus /var/lib/bluetooth
    dbus-daemon --config-file=/payload/dbus.conf --nofork --nopidfile > /out/paths.dbus.log 2>&1 &
    bus=$!
    export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket
    wait_for 10 test -S /run/dbus/system_bus_socket || failed "paths: no message bus"
    for option in --nodetach --experimental; do
        bluetoothd --nodetach $option > "/out/paths.bluetoothd$option.log" 2>&1 &
        bluetoothd=$!
        wait_for 15 adapter_is_on_bus || failed "paths: bluetoothd has no adapter"
        sleep 1
        hear_as_nobody "dbus$option"
        kill "$bluetoothd"
        wait "$bluetoothd"
    done
    unset DBUS_SYSTEM_BUS_ADDRESS
    kill "$bus"
    wait "$bus"
}

adapter_is_on_bus() { bluetoothctl list < /dev/null 2> /dev/null | grep -q Controller; }

# Two adapters, of which the first is pulled and plugged in again while both hear the same.
pair() {
    step=pair
    format='%U %r %q %t %p'
    start_broker pair
    start_controller pair --scenario known.txt --control "$(control pair)" || failed "pair: no adapter appeared"
    first=$controller
    VirtualController --public-address 00:00:5E:00:53:02 --scenario known.txt > /out/pair.second.log 2>&1 &
    second=$!
    wait_for 10 test -e /sys/class/bluetooth/hci1 || failed "pair: no second adapter appeared"
    start_gateway pair pair.toml
    await 30 started 3 || failed "pair: no interactions"
    await 10 both_hear || failed "pair: not both adapters hear"
    event unplug
    tell unplug
    sleep 22
    event plug
    tell plug
    await 15 both_hear || failed "pair: the first adapter doesn't hear again"
    event end
    stop_gateway pair
    kill "$second"
    wait "$second"
    controller=$first
    stop_controller pair
    stop_broker
}

both_hear() { grep '/status ' /out/pair.mqtt | tail -n 1 | grep -q '"hearing".*"hearing".*"radio":"hearing"'; }

# control NAME: a pipe for what a controller is told
control() {
    rm -f "/tmp/$1.control"
    mkfifo "/tmp/$1.control"
    echo "/tmp/$1.control"
}

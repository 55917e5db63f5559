# shellcheck shell=dash
# Steps of `run-faults`: what can happen to an adapter while the daemon listens. What each step does, and when, is in
# /out/NAME.events: UNIX time, and the name of what was done; "NAME over" when the gateway has heard again for a while.

# event WHAT: says beforehand what is done
event() {
    echo "$(unix) $*" >> "/out/$step.events"
    say "$step: $*"
}

# start_radio NAME OPTION...: a controller that can be told to fail
start_radio() {
    radio=$1
    shift
    rm -f "/tmp/$radio.control"
    mkfifo "/tmp/$radio.control"
    start_controller "$radio" --control "/tmp/$radio.control" "$@"
}

# tell COMMAND: to the controller of the step; waits for nobody
tell() { echo "$1" 1<> "/tmp/$step.control"; }

# radio_is STATE: whether the last status says so
radio_is() { grep '/status ' "/out/$step.mqtt" | tail -n 1 | grep -q "\"radio\":\"$1\""; }

# The host's latest scan is on, with every advertisement reported.
scans() { grep 'scan o' "/out/$step.controller.log" | tail -n 1 | grep -q 'scan on: duplicate filter off'; }
scans_on() { grep -c 'scan on: duplicate filter off' "/out/$step.controller.log"; }
scans_anew() { scans && [ "$(scans_on)" -gt "$1" ]; }

# over WHAT: waits until the gateway says that it hears, and for a record of each beacon
over() {
    if await 30 radio_is hearing; then
        sleep 3
        event "$1 over"
    else
        failed "$step: the radio doesn't hear after: $1"
    fi
}

# mended WHAT COUNT: waits until scanning is switched on that was switched on COUNT times before
mended() {
    await 30 scans_anew "$2" || failed "$step: no scan after: $1"
    over "$1"
}

# The file that blocks an adapter
rfkill_of() { grep -l -x "$1" /sys/class/rfkill/*/name | sed 's|/name$|/soft|'; }

started() { [ "$(grep -c '"interaction.started"' "/out/$step.mqtt")" -ge "$1" ]; }
lost() { [ "$(grep -c '"endReason":"lost"' "/out/$step.mqtt")" -ge "$1" ]; }

# adapter NAME OPTION...: the adapter comes after the daemon, and then all kinds of things happen to it.
adapter() {
    step=$1
    shift
    format='%U %r %q %t %p'
    start_broker "$step"
    event missing
    start_gateway "$step" faults.toml
    await 15 radio_is deaf || failed "$step: nobody says that there is no adapter"
    sleep 30
    event appears
    start_radio "$step" --scenario known.txt "$@" || failed "$step: no adapter appeared"
    mended missing 0
    await 20 started 3 || failed "$step: no interactions"

    scanned=$(scans_on)
    event down
    hciconfig hci0 down
    mended down "$scanned"

    scanned=$(scans_on)
    event blocked
    echo 1 > "$(rfkill_of hci0)"
    sleep 7
    event unblocked
    echo 0 > "$(rfkill_of hci0)"
    mended blocked "$scanned"

    scanned=$(scans_on)
    event hardware-error
    tell hardware-error
    mended hardware-error "$scanned"

    event hang
    tell hang
    sleep 9
    scanned=$(scans_on)
    event recover
    tell recover
    mended hang "$scanned"

    scanned=$(scans_on)
    event unplug
    tell unplug
    sleep 6
    event plug
    tell plug
    mended unplug "$scanned"

    scanned=$(scans_on)
    await 20 started 3
    event long-unplug
    tell unplug
    sleep 25
    event long-plug
    tell plug
    mended long-unplug "$scanned"

    # Another adapter takes its name.
    scanned=$(scans_on)
    event moved
    tell unplug
    wait_for 10 adapter_is_gone
    VirtualController --public-address 00:00:5E:00:53:02 --scenario no-beacons.txt \
        > "/out/$step.other.log" 2>&1 &
    other=$!
    wait_for 10 adapter_exists || failed "$step: no other adapter appeared"
    tell plug
    mended moved "$scanned"

    # Nobody is there for a minute.
    event quiet
    tell quiet
    sleep 60
    event loud
    tell loud
    over quiet
    event end

    stop_gateway "$step"
    kill "$other"
    wait "$other"
    stop_controller "$step"
    stop_broker
}

# Own beacons that say when the radio is silent, and other programs that use the adapter too.
company() {
    step=company
    format='%U %r %q %t %p'
    start_broker company
    start_radio company --scenario known.txt || failed "company: no adapter appeared"
    start_gateway company company.toml
    mended start 0
    await 20 started 3 || failed "company: no interactions"
    # Own beacons are expected from when they were heard.
    sleep 5

    event mute
    tell mute
    await 20 radio_is deaf || failed "company: a silent radio isn't noticed"
    event unmute
    tell unmute
    over mute

    event wedge
    tell wedge
    await 20 radio_is deaf
    over wedge

    event discovery
    timeout 15 btmgmt --index 0 find -l < /dev/null > /out/company.btmgmt.log 2>&1
    event discovery-ends
    await 15 scans || failed "company: no scan after another's discovery"
    over discovery

    bluetooth_daemon
    event end
    stop_gateway company
    stop_controller company
    stop_broker
}

bluetooth_daemon() {
    mkdir -p /run/dbus /var/lib/bluetooth /var/run
    dbus-daemon --config-file=/payload/dbus.conf --nofork --nopidfile > /out/company.dbus.log 2>&1 &
    bus=$!
    export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket
    wait_for 10 test -S /run/dbus/system_bus_socket || failed "company: no message bus"

    event bluetoothd
    start_bluetoothd
    sleep 4
    await 15 scans || failed "company: no scan after the start of bluetoothd"
    over bluetoothd

    event bluetoothd-scan
    # bluetoothctl ends with its input.
    { echo 'scan on'; sleep 8; } | timeout 20 bluetoothctl > /out/company.bluetoothctl.log 2>&1 &
    client=$!
    sleep 6
    await 10 scans || failed "company: no scan beside that of bluetoothd"
    event bluetoothd-killed
    kill -KILL "$bluetoothd"
    wait "$bluetoothd" 2> /dev/null
    wait "$client"
    await 15 scans || failed "company: no scan after the end of bluetoothd"
    over bluetoothd-killed

    event bluetoothd-again
    start_bluetoothd
    sleep 4
    await 15 scans || failed "company: no scan after the second start of bluetoothd"
    over bluetoothd-again
    event bluetoothd-stops
    kill -TERM "$bluetoothd"
    wait "$bluetoothd"
    await 15 scans || failed "company: no scan after bluetoothd was stopped"
    over bluetoothd-stops
    kill "$bus"
    wait "$bus"
}

start_bluetoothd() {
    bluetoothd --nodetach >> /out/company.bluetoothd.log 2>&1 &
    bluetoothd=$!
    sleep 1
    kill -0 "$bluetoothd" 2> /dev/null || failed "company: bluetoothd does not start"
}

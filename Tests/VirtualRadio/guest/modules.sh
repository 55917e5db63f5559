# shellcheck shell=dash
# Steps of `run` with emulated modules. What they have on the air is what the controller hears.

uuid=b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401

# start_modules NAME: an adapter, and three modules without power before, at /tmp/m1 to /tmp/m3
start_modules() {
    rm -f /tmp/air /tmp/typed
    mkfifo /tmp/air /tmp/typed
    start_controller "$1" --air /tmp/air || failed "$1: no adapter appeared"
    # Both ends of each pipe stay open: nobody waits for anybody.
    beacon-gateway emulate rs9116 --link /tmp/m1 --link /tmp/m2 --link /tmp/m3 \
        0<> /tmp/typed 1<> /tmp/air 2> "/out/$1.emulator.log" &
    emulator=$!
    wait_for 10 test -e /tmp/m3 || failed "$1: no modules"
}

stop_modules() {
    kill "$emulator"
    wait "$emulator" || failed "$1: the emulator ended with status $?"
    stop_controller "$1"
}

# provision_one NAME PORT MINOR
provision_one() {
    timeout -s KILL 30 beacon-gateway provision --port "$2" \
        --uuid $uuid --major 7 --minor "$3" --measured-power -59 > "/out/$1.txt" 2>&1
    status=$?
    [ "$status" = 0 ] || failed "$1: ended with status $status"
}

# verify NAME STATUS OPTION...
verify() {
    name=$1
    expected=$2
    shift 2
    timeout -s KILL 30 beacon-gateway verify --inventory /tmp/modules.csv --adapter hci0 "$@" \
        > "/out/$name.txt" 2> "/out/$name.log"
    status=$?
    echo "$status" > "/out/$name.status"
    [ "$status" = "$expected" ] || failed "$name: ended with status $status"
}

# Three modules are provisioned and heard; then one is told something else, and one what another advertises.
air() {
    say air
    cp modules.csv /tmp/modules.csv
    start_modules air
    timeout -s KILL 30 beacon-gateway provision --inventory /tmp/modules.csv --apply > /out/air.provision.txt 2>&1
    status=$?
    [ "$status" = 0 ] || failed "air: provision ended with status $status"
    verify air.verify 0 --at-least 1s --timeout 15s
    provision_one air.other /tmp/m2 99 &
    other=$!
    provision_one air.twin /tmp/m3 1
    wait "$other"
    verify air.verify-changed 1 --at-least 2s --timeout 2s
    stop_modules air
}

# module_state NAME MODULE STATE: whether the last message about the module says so
module_state() { grep "/module/$2/state " "/out/$1.mqtt" | tail -n 1 | grep -q "\"state\":\"$3\""; }

all_heard() {
    for module in door lift desk; do module_state "$1" "$module" advertising || return 1; done
}

# desk_listens NAME: whether the module that listens has heard another, as a remote receiver of the gateway
desk_listens() {
    grep "/beacon/$uuid/7/1/interaction " "/out/$1.mqtt" | grep '"ear":"desk"' | grep -q '"type":"interaction.started"'
}

# The daemon provisions three modules, hears them, and repairs one that is reset. One of them listens.
supervisor() {
    say supervisor
    start_broker supervisor
    start_modules supervisor
    begun=$(now)
    start_gateway supervisor supervisor.toml
    if wait_for 30 all_heard supervisor; then
        seconds_since "$begun" > /out/supervisor.first-seconds
        wait_for 30 desk_listens supervisor || failed "supervisor: the module that listens hears nobody"
        reset=$(now)
        echo 'reset 2' > /tmp/typed
        wait_for 10 module_state supervisor lift provisioning || failed "supervisor: the reset was not noticed"
        if wait_for 30 module_state supervisor lift advertising; then
            seconds_since "$reset" > /out/supervisor.repair-seconds
        else
            failed "supervisor: the module that was reset is not heard again"
        fi
    else
        failed "supervisor: the modules are not heard"
    fi
    stop_gateway supervisor
    stop_modules supervisor
    stop_broker
}

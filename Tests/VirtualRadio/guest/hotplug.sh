# shellcheck shell=dash
# A step of `run` with modules behind USB serial adapters that come and go. QEMU's monitor, on /dev/ttyS2, plugs them
# in; the modules are emulated outside of the machine. What they have on the air, and what happens to them, is on
# /dev/ttyS3. The kernel loads no driver and makes no link here: there is no udev daemon.

# plug NAME SOCKET PORT: until the port is there. QEMU refuses an adapter whose end it hasn't quite dealt with.
plug() {
    for _ in 1 2 3 4 5; do
        echo "device_add usb-serial,chardev=$1,serial=$1,id=$1,port=$2" > /dev/ttyS2
        wait_for 3 is_there "$3" && return
    done
    failed "hotplug: $1 was plugged in, and no $3 appeared"
}

unplug() { echo "device_del $1" > /dev/ttyS2; }

is_there() { [ -c "$1" ]; }
is_gone() { ! [ -e "$1" ]; }

# both STATE: of the two modules of the inventory
both() { module_state hotplug first "$1" && module_state hotplug second "$1"; }

hotplug() {
    say hotplug
    stty -F /dev/ttyS2 raw -echo
    stty -F /dev/ttyS3 raw -echo
    cat /dev/ttyS2 > /out/hotplug.monitor.log &
    monitor=$!
    # Ends what the terminal may have echoed of the monitor's greeting.
    echo > /dev/ttyS2
    start_broker hotplug
    start_controller hotplug --air /dev/ttyS3 || failed "hotplug: no adapter appeared"

    plug A1 1 /dev/ttyUSB0
    timeout -s KILL 20 beacon-gateway modules > /out/hotplug.modules.txt 2> /out/hotplug.modules.log ||
        failed "hotplug: modules ended with status $?"
    unplug A1
    wait_for 10 is_gone /dev/ttyUSB0 || failed "hotplug: the port stays"
    echo 'reset 1' > /dev/ttyS3

    start_gateway hotplug hotplug.toml
    wait_for 20 both absent || failed "hotplug: the daemon does not say that nothing is plugged in"
    plugged=$(now)
    plug A1 1 /dev/ttyUSB0
    plug A2 2 /dev/ttyUSB1
    if wait_for 30 both advertising; then
        seconds_since "$plugged" > /out/hotplug.plug-seconds
    else
        failed "hotplug: what was plugged in is not heard"
    fi

    unplug A1
    unplug A2
    # Without power a module has nothing on the air, and has forgotten all when it is back.
    echo 'reset 1' > /dev/ttyS3
    echo 'reset 2' > /dev/ttyS3
    wait_for 10 both absent || failed "hotplug: the daemon does not notice that modules are gone"
    { is_gone /dev/ttyUSB0 && is_gone /dev/ttyUSB1; } || failed "hotplug: a port stays"

    # The other way round, into other sockets.
    plug A2 3 /dev/ttyUSB0
    plug A1 4 /dev/ttyUSB1
    wait_for 30 both advertising || failed "hotplug: what was plugged in again is not heard"
    stop_gateway hotplug
    unplug A1
    unplug A2
    stop_controller hotplug
    stop_broker
    kill "$monitor"
}

# shellcheck shell=dash
# Steps of `run-rates` in which the air is full.

# reports_at_least NAME COUNT: whether the gateway's latest health has so many
reports_at_least() {
    heard=$(grep '/health ' "/out/$1.mqtt" | tail -n 1 | sed -n 's/.*"reports":\([0-9]*\).*/\1/p')
    [ "${heard:-0}" -ge "$2" ]
}

# rate NAME PER-SECOND SECONDS OPTION...: made-up beacons at a rate, and the gateway's own count of them
rate() {
    step=$1
    format='%U %r %q %t %p'
    per_second=$2
    seconds=$3
    shift 3
    start_broker "$step"
    start_radio "$step" --synthetic 200 "$per_second" "$seconds" "$@" || failed "$step: no adapter appeared"
    start_gateway "$step" rates.toml
    await $((seconds * 5 + 30)) grep -q 'synthetic: ' "/out/$step.controller.log" ||
        failed "$step: the controller does not come to an end"
    await 45 reports_at_least "$step" $((per_second * seconds))
    stop_gateway "$step"
    stop_controller "$step"
    stop_broker
}

# What the daemon has of the machine's memory, in kB
memory_of_gateway() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$(cat /tmp/gateway.pid)/status"; }

# flood PER-SECOND SECONDS OPTION...: strangers, while known beacons are there
flood() {
    step=flood
    format='%U %r %q %t %p'
    per_second=$1
    seconds=$2
    shift 2
    start_broker flood
    start_radio flood --scenario known.txt --random-addresses "$per_second" "$@" ||
        failed "flood: no adapter appeared"
    start_gateway flood rates.toml
    await 30 started 3 || failed "flood: no interactions"
    sleep 10
    memory_of_gateway > /out/flood.memory-before
    event flood
    tell flood
    sleep "$seconds"
    event calm
    tell calm
    memory_of_gateway > /out/flood.memory-after
    sleep 35
    memory_of_gateway > /out/flood.memory-later
    event end
    stop_gateway flood
    stop_controller flood
    stop_broker
}

# shellcheck shell=dash
# Steps of `run` in which phones are connected to.

# exchange NAME OPTION...: the options are the controller's
exchange() {
    name=$1
    shift
    say "$name"
    start_controller "$name" --scenario exchange.txt "$@" || failed "$name: no adapter appeared"
    timeout -s KILL 45 ExchangeProbe 3 30 > "/out/$name.txt" 2> "/out/$name.log"
    status=$?
    [ "$status" = 0 ] || failed "$name: ended with status $status"
    stop_controller "$name"
}

#!/bin/sh
# Checks the model of the delivery protocol with spin: as it is nothing may be wrong with it, and with each of the old
# behaviours alone something must be. Takes a minute at most.
set -eu

model=$(cd "$(dirname "$0")" && pwd)/delivery.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Makes ./pan of the model with these options of spin and of the C compiler.
build() {
    spin -a $1 "$model" > spin.log || { cat spin.log; echo "error: spin can't read $model"; exit 1; }
    # shellcheck disable=SC2086
    gcc -O2 -DCOLLAPSE -DMEMLIM=2048 $2 -o pan pan.c
}

# Searches, and says in $errors and $why what was found; a search that wasn't complete is an error.
search() {
    ./pan "$@" > pan.log 2>&1 || true
    errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log)
    why=$(sed -n 's/^pan:[0-9]*: \(.*\) (at depth.*/\1/p' pan.log | head -n 1)
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log | head -n 1)
    if [ -z "$errors" ] || grep -q 'max search depth too small' pan.log ||
        { [ "$errors" = 0 ] && grep -q 'Search not completed' pan.log; }; then
        cat pan.log
        echo "error: the search wasn't complete"
        exit 1
    fi
}

failed=0

build "" "-DSAFETY"
search -m1000000
if [ "$errors" = 0 ]; then
    echo "the protocol: nothing is lost, invented or left ($states states)"
else
    echo "error: the protocol: $why"
    cp delivery.pml.trail "$model.trail" 2> /dev/null || true
    echo "spin -t -p -g $model shows the way there"
    failed=1
fi
# What is asserted in the end says nothing of runs without an end: there are none. One fault is enough, since faults don't come
# again by themselves.
build "-DFAULTS=1" "-DNP"
search -m1000000 -l
if [ "$errors" = 0 ]; then
    echo "every run of it with one fault ends ($states states)"
else
    echo "error: a run never ends: $why"
    failed=1
fi

# Each old behaviour, and what spin has to find with it.
while read -r switch expected; do
    build "-D$switch" "-DSAFETY"
    search -m1000000
    case $why in
    *"$expected"*) echo "$switch: a violation, as it must be: $why" ;;
    *)
        echo "error: $switch: found ${why:-nothing}, instead of a violation of $expected"
        failed=1
        ;;
    esac
done << 'SWITCHES'
OLD_EXPIRY record[i].age>0
OLD_PUBACK isStored||
OLD_BOOT assertion violated
OLD_STORED record[i].isStored
SWITCHES

exit $failed

#!/bin/bash
# Writes the golden replays in Tests/GatewayTests/Golden, and the golden picture of a floor plan, anew.
#
#   golden.sh captures [NAME...]   records NAME.txt, by default all scenarios, in the virtual machine: NAME.btsnoop
#   golden.sh                      replays every NAME.btsnoop: NAME.jsonl
#   golden.sh plans                draws the floor plan of Tests/FloorPlansTests/Golden
#
# Needs the built programs (`swift build`), for captures also those of the virtual radio.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$(swift build --show-bin-path)
golden=Tests/GatewayTests/Golden
virtual=Tests/VirtualRadio

# Git keeps no permissions but that to execute, and a key that everybody may read is refused.
chmod 600 "$golden/pseudonym.key"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

captures() {
    local name scenarios=()
    if [ $# = 0 ]; then
        for name in "$golden"/*.txt; do set -- "$@" "$(basename "$name" .txt)"; done
    fi
    for name; do scenarios+=("golden-$name.txt=$golden/$name.txt"); done
    "$virtual/build-base.sh"
    "$virtual/make-payload.sh" "$work/payload" "$programs/beacon-gateway" "$programs/VirtualController" \
        "run=$virtual/guest/run-golden" "$virtual/guest/helpers.sh" "${scenarios[@]}"
    # Most of a machine's time is skipped; the limit is for its own too, of which four fifths are its run's.
    "$virtual/run-vm.sh" -t 2400 -o "$work/out" "$work/payload" || {
        local status=$?
        cat "$work/out/failures" >&2 || tail -n 20 "$work/out/console.log" >&2
        exit "$status"
    }
    for name; do
        # A recording is its owner's alone.
        install -m 644 "$work/out/$name.btsnoop" "$golden/"
        head -n 1 "$work/out/$name.txt"
    done
}

replays() {
    local capture name
    # The configuration names its key by a path that begins at the working directory.
    cd "$golden"
    for capture in *.btsnoop; do
        name=${capture%.btsnoop}
        echo "$name"
        "$programs/beacon-gateway" replay "$capture" --config gateway.toml > "$work/records"
        mv "$work/records" "$name.jsonl"
    done
}

# A picture is compared with this one by a test.
plans() {
    local plans=Tests/FloorPlansTests/Golden
    "$programs/beacon-matcher" floors show campus/hb/2 --plan "$plans/floors.toml" --svg -o "$plans/floor.svg"
}

case ${1-} in
    '') replays ;;
    plans) plans ;;
    captures) captures "${@:2}" ;;
    *)
        echo "usage: golden.sh [plans | captures [NAME...]]" >&2
        exit 64
        ;;
esac

#!/bin/bash
# Coverage-guided fuzzing of everything that parses what others send or wrote, by the toolchain's libFuzzer.
#
#   run.sh            100,000 inputs times TEST_SCALE (100 here), spread over the parsers. Fails when one traps or breaks a promise.
#   run.sh build      only builds what it runs.
#   run.sh minimise   writes Corpus/ anew: as few inputs as reach all that was reached; not during a run.
#
# FUZZ_TARGETS="hci-event btsnoop" takes only these, FUZZ_ADDRESS=1 adds AddressSanitizer, FUZZ_SEED=1 repeats the same
# choices. The parsers are built with optimization and with Swift's checks; what must hold besides not trapping is in
# Tests/ParserChecks, from where `make test` replays Corpus/ too.
set -euo pipefail
cd "$(dirname "$0")"

# Name, program, share of the inputs in percent, longest input.
TARGETS="advertising-data AdvertisingData 23 255
hci-event HCIEvent 22 300
fragments Fragments 12 4096
monitor-message MonitorMessage 10 300
pseudonyms Pseudonyms 8 512
exchange Exchange 5 512
multipart-form MultipartForm 1 2048
people-file PeopleFile 1 2048
btsnoop BTSnoop 3 4096
day-or-time DayOrTime 2 64
toml TOML 5 1024
floor-plan FloorPlan 2 2048
companion-plan CompanionPlan 2 2048
picture Picture 2 1024
picture-text PictureText 1 1024
picture-reply PictureReply 1 1024"

# Swift's own handler of traps would be there before libFuzzer's, which keeps the input.
export SWIFT_BACKTRACE=enable=no
# Files for one parser.
LARGEST_CORPUS=35

inputs=$((100000 * ${TEST_SCALE:-100}))
seed=${FUZZ_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
work=$PWD/../.build/fuzz
sanitizers=fuzzer
[ -z "${FUZZ_ADDRESS:-}" ] || sanitizers=fuzzer,address
programs=$work/$sanitizers/release

build() { # sanitizers
    echo "building with -sanitize=$1"
    local name program
    while read -r name program _; do
        BEACON_BUILD=fuzz FUZZ_SANITIZERS=$1 swift build --package-path .. -c release --scratch-path "$work/$1" --quiet \
            --product "Fuzz$program"
    done <<<"$TARGETS"
}

minimise() {
    build fuzzer
    BEACON_BUILD=fuzz FUZZ_SANITIZERS='' swift build --package-path .. -c release --scratch-path "$work/plain" --quiet \
        --product FuzzSeeds
    "$work/plain/release/FuzzSeeds" "$work/seeds"
    while read -r name program _ length; do
        mkdir -p "$work/corpus/$name" "Corpus/$name"
        rm -rf "$work/merged"
        mkdir "$work/merged"
        # As few inputs as pass each edge, whatever the number of passages.
        "$work/fuzzer/release/Fuzz$program" -set_cover_merge=1 -use_counters=0 -max_len="$length" \
            "$work/merged" "$work/seeds/$name" "Corpus/$name" "$work/corpus/$name" >"$work/$name.merge.log" 2>&1
        rm -f "Corpus/$name"/*
        # The first ones that are written reach most.
        find "$work/merged" -type f -printf '%T@ %p\n' | sort -n | awk -v most="$LARGEST_CORPUS" 'NR <= most { print $2 }' |
            while read -r file; do
                digest=$(basename "$file")
                cp "$file" "Corpus/$name/${digest:0:12}"
            done
    done <<<"$TARGETS"
    echo "Corpus/: $(find Corpus -type f | wc -l) files, $(find Corpus -type f -printf '%s\n' | awk '{ s += $1 } END { print s }') bytes"
}

# The value of one of libFuzzer's final statistics.
statistic() { # log name
    awk -v name="stat::$2:" '$1 == name { value = $2 } END { print value + 0 }' "$1"
}

fuzz() { # name program inputs longest
    local log=$work/$1.log crashes=$work/crashes/$1 start status=0 executed seconds edges new found
    mkdir -p "$work/corpus/$1" "$crashes"
    start=$(date +%s.%N)
    nice -n 10 "$programs/Fuzz$2" -runs="$3" -max_len="$4" -seed="$seed" -timeout=10 -rss_limit_mb=1024 \
        -print_final_stats=1 -verbosity=1 -artifact_prefix="$crashes/" "$work/corpus/$1" "Corpus/$1" \
        >"$log" 2>&1 || status=$?
    seconds=$(awk -v start="$start" -v end="$(date +%s.%N)" 'BEGIN { printf "%.1f", end - start }')
    executed=$(statistic "$log" number_of_executed_units)
    new=$(statistic "$log" new_units_added)
    # None when an input of the corpus itself fails.
    edges=$({ grep -o 'cov: [0-9]*' "$log" || true; } | tail -n 1 | cut -c 6-)
    found=$(grep -c 'Test unit written to' "$log" || true)
    printf '%-17s %10d %9s %7d %7d %8d\n' "$1" "$executed" "$seconds" "${edges:-0}" "$new" "$found"
    total=$((total + executed))
    if [ "$status" -ne 0 ]; then
        failed=1
        { grep -m 1 -E 'Fatal error|ERROR: (libFuzzer|AddressSanitizer)' "$log" || true; } | sed 's/^/    /'
        sed -n 's/.*Test unit written to \(.*\)/    repeat with: '"${programs//\//\\/}\/Fuzz$2"' \1/p' "$log"
        echo "    the whole output: $log"
    fi
}

if [ "${1:-}" = minimise ]; then
    minimise
    exit
fi
build "$sanitizers"
if [ "${1:-}" = build ]; then
    exit
fi
total=0
failed=0
echo "FUZZ_SEED=$seed"
printf '%-17s %10s %9s %7s %7s %8s\n' parser inputs seconds edges new crashes
while read -r name program share length; do
    case " ${FUZZ_TARGETS:-$name} " in
    *" $name "*) fuzz "$name" "$program" $((inputs * share / 100)) "$length" ;;
    esac
done <<<"$TARGETS"
echo "$total inputs"
exit "$failed"

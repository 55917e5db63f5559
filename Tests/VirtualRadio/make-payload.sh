#!/bin/bash
# Puts programs and files together for the test machine.
#
#   make-payload.sh OUTDIR FILE|NAME=FILE...
#
# Each file is copied to OUTDIR, under another name if one is given, programs without their symbols. The shared libraries that the programs need, and
# the loader, go to OUTDIR/lib, where the test machine looks for them. One of the files should be called run.
# Exit status 69: something is missing on this machine.
set -euo pipefail
export LC_ALL=C

fail() {
    local status=$1
    shift
    echo "make-payload: $*" >&2
    exit "$status"
}

[ $# -ge 2 ] || fail 64 "usage: make-payload.sh OUTDIR FILE|NAME=FILE..."
command -v strip > /dev/null || fail 69 "strip is missing; type: sudo apt-get install binutils"
output=$1
shift
mkdir -p "$output/lib"

is_elf() { [ "$(od -An -t x1 -N 4 "$1" | tr -d ' ')" = 7f454c46 ]; }

# copy FILE TARGET: by way of another name, so that an interrupted copy is not taken for a whole one
copy() {
    cp -L "$1" "$2.new"
    if is_elf "$2.new"; then
        strip --strip-unneeded "$2.new" || fail 70 "cannot strip $1"
    fi
    mv "$2.new" "$2"
}

for argument in "$@"; do
    file=${argument#*=}
    [ -f "$file" ] || fail 66 "there is no file $file"
    name=${argument%%=*}
    copy "$file" "$output/${name##*/}"
    is_elf "$file" || continue
    # ldd fails for a static program, which needs nothing.
    needed=$(ldd "$file" 2> /dev/null) || continue
    case $needed in *'not found'*) fail 69 "${file##*/} needs:"$'\n'"$(grep 'not found' <<< "$needed")" ;; esac
    while read -r library; do
        target=$output/lib/${library##*/}
        if [ ! -e "$target" ] || [ "$library" -nt "$target" ]; then
            copy "$library" "$target"
        fi
    done < <(awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' <<< "$needed")
done

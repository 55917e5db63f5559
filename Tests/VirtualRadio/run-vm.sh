#!/bin/bash
# Boots the test machine, runs the payload's `run` in it and brings back what that wrote to /out.
#
#   run-vm.sh [-t seconds] [-p processors] [-c cachedir] [-u usbdir] -o OUTPUTDIR PAYLOADDIR
#
# The machine is emulated (never KVM), has no network and no disk. PAYLOADDIR appears as /payload in it. All files
# from its /out land in OUTPUTDIR, which must be new or empty, beside console.log and dmesg.log. (They come through a
# serial line, compressed, at half a megabyte per second.)
#
# The time of a machine with one processor and without USB is its own: 250 million instructions take a second of it,
# however slow or busy the host is, and time in which nothing happens is skipped. (QEMU 7.2 can't do that for more
# processors.)
#
# -t  time limit of the whole machine, by default 120 seconds; after four fifths of it `run` is ended
# -p  how many processors it has, by default 1
# -c  where build-base.sh has put its results, if elsewhere than its default
# -u  gives the machine USB, and serial adapters that it can plug in by itself. Each USBDIR/usb-NAME is a serial
#     port (a pseudo-terminal will do) of which QEMU gets a character device NAME. QEMU's monitor is on the machine's
#     serial line /dev/ttyS2, for the commands
#         device_add usb-serial,chardev=NAME,serial=NAME,id=NAME
#         device_del NAME
#     and what comes from the named pipe USBDIR/line.in is on /dev/ttyS3; what is written there goes to
#     USBDIR/line.out.
#
# Exit status: that of `run` (0 to 40; more counts as 40), or
#   41  the machine came up, but without Bluetooth, or the payload has no `run`
#   42  `run` took too long; /out has still been brought back
#   64  wrong usage
#   69  something is missing on this machine
#   73  OUTPUTDIR is not empty, or something cannot be written
#   96  `run` ended, but its results did not arrive whole
#   97  the machine died (or could not be started)
#   98  the machine took too long
set -uo pipefail

usage() {
    echo "usage: run-vm.sh [-t seconds] [-p processors] [-c cachedir] [-u usbdir] -o OUTPUTDIR PAYLOADDIR" >&2
    exit 64
}

fail() {
    local status=$1
    shift
    echo "run-vm: $*" >&2
    exit "$status"
}

cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/beacon-gateway/virtual-radio
limit=120
output=
processors=1
usb=
while getopts c:o:p:t:u: option; do
    case $option in
        c) cache=$OPTARG ;;
        o) output=$OPTARG ;;
        p) processors=$OPTARG ;;
        t) limit=$OPTARG ;;
        u) usb=$OPTARG ;;
        *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [ $# != 1 ] || [ -z "$output" ]; then usage; fi
for number in "$limit" "$processors"; do
    case $number in '' | 0* | *[!0-9]*) usage ;; esac
done

for pipe in ${usb:+"$usb/line.in" "$usb/line.out"}; do
    [ -p "$pipe" ] || fail 64 "there is no named pipe $pipe"
done
[ -f "$1/run" ] || fail 64 "$1 has no run"
payload=$(cd "$1" && pwd) || exit 64
for file in kernel base.cpio; do
    [ -s "$cache/$file" ] || fail 69 "there is no $cache/$file; run build-base.sh first"
done
for program in qemu-system-x86_64 cpio; do
    command -v "$program" > /dev/null ||
        fail 69 "$program is missing; type: sudo apt-get install qemu-system-x86 cpio"
done
mkdir -p "$output" || exit 73
[ -z "$(ls -A "$output")" ] || fail 73 "$output is not empty"

work=$(mktemp -d) || exit 73
machine=
# timeout passes the signal on to QEMU.
trap '[ -z "$machine" ] || { kill "$machine" && wait "$machine"; } 2> /dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The kernel unpacks archives that follow one another, provided that each begins at a multiple of four bytes.
# (cpio pads its output to blocks of 512.)
mkdir "$work/tree"
ln -s "$payload" "$work/tree/payload"
{
    cat "$cache/base.cpio" &&
        (cd "$work/tree" && find -L payload -print0 | cpio --null -o -L -H newc --quiet -R 0:0)
} > "$work/initrd" || fail 73 "cannot pack $payload"

# On a busy host the emulated timers can be too late for the kernel: no_timer_check, or it would give up at its start;
# clocksource=hpet, or its clock could run at several times its speed, after a measurement that went wrong.
kernel_options=(
    console=ttyS0 quiet loglevel=4 panic=-1 cryptomgr.notests mitigations=off no_timer_check clocksource=hpet
    "guest_limit=$(((limit * 4 + 4) / 5))"
)
# An instruction takes 4 ns. Who is at the other end of USB goes by the host's clock.
time_options=()
if [ "$processors" = 1 ] && [ -z "$usb" ]; then time_options=(-icount "shift=2,sleep=off"); fi
usb_options=()
if [ -n "$usb" ]; then
    usb_options=(
        -device qemu-xhci
        # The monitor's two ends, both QEMU's: what the machine writes to its serial line is for the monitor.
        -chardev "socket,id=monitor,path=$work/monitor,server=on,wait=off" -mon chardev=monitor
        -chardev "socket,id=monitor-line,path=$work/monitor" -serial chardev:monitor-line
        -serial "pipe:$usb/line"
    )
    for port in "$usb"/usb-*; do
        usb_options+=(-chardev "serial,id=${port##*/usb-},path=$port")
    done
fi
timeout -k 5 "$limit" qemu-system-x86_64 \
    -M q35 -accel tcg "${time_options[@]}" -cpu max -smp "$processors" -m 1024 \
    -nodefaults -no-user-config -display none -monitor none -no-reboot \
    -serial "file:$work/console" -serial "file:$work/results" \
    -device isa-debug-exit,iobase=0xf4,iosize=0x04 "${usb_options[@]}" \
    -kernel "$cache/kernel" -initrd "$work/initrd" -append "${kernel_options[*]}" < /dev/null &
machine=$!
# In the background, so that a signal to this script is dealt with at once.
wait "$machine"
ended=$?
machine=

if [ -e "$work/console" ]; then tr -d '\r' < "$work/console" > "$output/console.log"; fi
explain() {
    if [ -e "$work/console" ]; then tail -n 20 "$output/console.log" >&2; fi
    fail "$@"
}
case $ended in
    124 | 137) explain 98 "the machine took longer than $limit seconds" ;;
esac
if [ $((ended % 2)) = 0 ] || [ "$ended" -lt 33 ] || [ "$ended" -gt $((2 * 42 + 33)) ]; then
    explain 97 "the machine died (QEMU's exit status is $ended)"
fi
status=$(((ended - 33) / 2))
tar -x -z -m -C "$output" --no-same-owner -f "$work/results" || explain 96 "the results did not arrive whole"
case $status in
    41) explain 41 "the machine cannot run the payload" ;;
    42) explain 42 "the payload's run took too long" ;;
esac
exit "$status"

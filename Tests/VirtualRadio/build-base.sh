#!/bin/bash
# Prepares the part of the test machine that does not change: Debian's kernel and a small root file system with
# BusyBox and the modules for Bluetooth and for USB serial adapters.
#
#   build-base.sh [cachedir]
#
# The results, `kernel` and `base.cpio`, go to the cache directory, by default
# ${XDG_CACHE_HOME:-$HOME/.cache}/beacon-gateway/virtual-radio. The kernel package (70 MB) is fetched once and kept
# there too; for a newer kernel delete the directory. When nothing has changed the script does nothing.
# Packages: busybox-static cpio xz-utils. Exit status 69: something is missing on this machine.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/beacon-gateway/virtual-radio}

# In the order of loading: each only needs those before it. What a kernel has built in or lacks is left out,
# except the last of the first line and of the last.
modules=(
    crypto/ecc crypto/ecdh_generic lib/crc16 net/rfkill/rfkill net/bluetooth/bluetooth drivers/bluetooth/hci_vhci
    drivers/usb/common/usb-common drivers/usb/core/usbcore drivers/usb/host/xhci-hcd drivers/usb/host/xhci-pci
    drivers/usb/serial/usbserial drivers/usb/serial/ftdi_sio
)

say() { echo "build-base: $*"; }

unavailable() {
    echo "build-base: $*" >&2
    exit 69
}

for program in apt-get apt-cache busybox cpio dpkg-deb od sha256sum tar xz; do
    command -v "$program" > /dev/null ||
        unavailable "$program is missing; type: sudo apt-get install busybox-static cpio xz-utils"
done
busybox=$(command -v busybox)
[ "$(uname -m)" = x86_64 ] || unavailable "the test machine is an x86-64 one, this machine is not"
if ldd "$busybox" > /dev/null 2>&1; then
    unavailable "busybox is not static; type: sudo apt-get install busybox-static"
fi

fingerprint=$(cat "$here/build-base.sh" "$here/guest/init" "$busybox" | sha256sum)
if [ -s "$cache/kernel" ] && [ -s "$cache/base.cpio" ] &&
    [ "$(cat "$cache/fingerprint" 2> /dev/null)" = "$fingerprint" ]; then
    exit 0
fi

mkdir -p "$cache"
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Downloads the newest kernel package into $work. (The "cloud" flavour has no Bluetooth.)
fetch() {
    local name
    name=$(apt-cache depends linux-image-amd64 2> /dev/null | awk '$1 == "Depends:" { print $2; exit }')
    [ -n "$name" ] || return 1
    say "fetching $name (about 70 MB)"
    (cd "$work" && apt-get -q -o APT::Sandbox::User=root download "$name" > apt.log 2>&1)
}

package=
for file in "$cache"/linux-image-*.deb; do
    [ -f "$file" ] && package=$file
done
if [ -z "$package" ]; then
    fetch || {
        # Missing or old package lists are the usual cause.
        say "refreshing apt's lists"
        sudo=
        [ "$(id -u)" = 0 ] || sudo=sudo
        $sudo apt-get -q update > "$work/apt.log" 2>&1 || true
        fetch || {
            cat "$work/apt.log" >&2
            unavailable "linux-image-amd64 cannot be fetched; type: sudo apt-get update"
        }
    }
    downloaded=$(find "$work" -name 'linux-image-*.deb')
    package=$cache/${downloaded##*/}
    mv "$downloaded" "$package"
fi

say "unpacking ${package##*/}"
tree=$work/package
mkdir "$tree"
dpkg-deb --fsys-tarfile "$package" | tar -x -C "$tree" --wildcards './boot/vmlinuz-*' \
    '*/kernel/net/bluetooth/bluetooth.ko*' '*/kernel/drivers/bluetooth/hci_vhci.ko*' \
    '*/kernel/net/rfkill/*' '*/kernel/crypto/*' '*/kernel/lib/*' \
    '*/kernel/drivers/usb/common/*' '*/kernel/drivers/usb/core/*' '*/kernel/drivers/usb/host/xhci-*' \
    '*/kernel/drivers/usb/serial/usbserial.ko*' '*/kernel/drivers/usb/serial/ftdi_sio.ko*'

# The kernel in the package unpacks itself when it starts, which takes seconds on an emulated processor. QEMU can
# start what is inside directly. The places are those of Linux's Documentation/arch/x86/boot.rst: the number of
# setup sectors, payload_offset and payload_length.
image=$(find "$tree/boot" -name 'vmlinuz-*')
field() { od -An -t "u$2" -j "$1" -N "$2" "$image" | tr -d ' '; }
start=$((($(field 497 1) + 1) * 512 + $(field 584 4)))
tail -c +$((start + 1)) "$image" > "$work/payload"
if [ "$(od -An -t x1 -N 6 "$work/payload" | tr -d ' ')" = fd377a585a00 ] &&
    xz --decompress --stdout --format=xz --single-stream < "$work/payload" > "$work/kernel" &&
    [ "$(od -An -t x1 -N 4 "$work/kernel" | tr -d ' ')" = 7f454c46 ]; then
    say "unpacked the kernel"
else
    say "the kernel is not packed by xz: it will have to unpack itself, which is slower"
    cp "$image" "$work/kernel"
fi

# The root file system. Its directory must not keep the closed mode of mktemp.
root=$work/root
mkdir -p "$root"/{bin,dev,etc,lib64,modules,out,payload,proc,root,run,sys,tmp}
chmod 755 "$root" "$root"/*
cp "$busybox" "$root/bin/busybox"
for applet in $("$busybox" --list); do
    [ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
done
# The loader that dynamic programs name is brought by the payload.
ln -s /payload/lib/ld-linux-x86-64.so.2 "$root/lib64/ld-linux-x86-64.so.2"
echo 'root:x:0:0:root:/root:/bin/sh' > "$root/etc/passwd"
echo 'root:x:0:' > "$root/etc/group"
cp "$here/guest/init" "$root/init"
chmod 755 "$root/init"

number=10
for module in "${modules[@]}"; do
    target=$root/modules/$number-${module##*/}.ko
    found=$(find "$tree" -path "*/kernel/$module.ko*")
    case $found in
        *.ko) cp "$found" "$target" ;;
        *.ko.xz) xz --decompress --stdout "$found" > "$target" ;;
        '') ;;
        *) unavailable "cannot unpack ${found##*/}" ;;
    esac
    number=$((number + 1))
done
for needed in bluetooth hci_vhci ftdi_sio; do
    [ -n "$(find "$root/modules" -name "*-$needed.ko")" ] || unavailable "${package##*/} has no module $needed"
done

(cd "$root" && find . -print0 | sort -z | cpio --null -o -H newc --quiet -R 0:0) > "$work/base.cpio"

rm -f "$cache/fingerprint"
mv "$work/kernel" "$cache/kernel"
mv "$work/base.cpio" "$cache/base.cpio"
echo "$fingerprint" > "$work/fingerprint"
mv "$work/fingerprint" "$cache/fingerprint"
say "ready: $cache"

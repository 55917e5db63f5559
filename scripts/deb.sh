#!/bin/bash
# Builds the Debian packages beacon-gateway and beacon-matcher, with an SBOM beside each, in .build/packages.
#
#   deb.sh [--release] [--programs]
#
# --release gives the packages the version of the programs. Without, the time and name of the commit follow it, and such
# a version is greater: 0.2.0 < 0.2.0+git202612010910.1a2b3c4d. --programs builds the programs only, in .build/deb/release.
#
# The same sources are to give the same bytes: all times are that of the commit, and no path of the build is left.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

is_release= only_programs=
for argument; do
    case $argument in
        --release) is_release=yes ;;
        --programs) only_programs=yes ;;
        *)
            echo "error: unknown argument $argument" >&2
            echo "  what to do: $(sed -n '4s/^# *//p' scripts/deb.sh)" >&2
            exit 64
            ;;
    esac
done

programs=(beacon-gateway beacon-matcher)
scratch=.build/deb
built=$scratch/release
output=.build/packages
number=$(sed -n 's/.*number = "\(.*\)"$/\1/p' Sources/OperatorText/ProductVersion.swift)
commit=$(git rev-parse --short=8 HEAD)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
version=$number
[ -n "$is_release" ] || version=$number+git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M).$commit
# The programs say the commit that they were built from, and whether more than that was built.
BEACON_COMMIT=$(git describe --always --dirty --exclude '*')
export BEACON_COMMIT

# Programs

scripts/dependencies.py --resolve --scratch "$scratch"
scripts/icu-data.py "$scratch/icu"
export BEACON_ICU_DATA=$PWD/$scratch/icu/icu-data.h
here=$PWD
options=(
    -c release --scratch-path "$scratch" --static-swift-stdlib
    # No RUNPATH.
    --disable-local-rpath
    # Functions that nobody calls are left out, of libraries too, and relocations are packed. Nothing loads symbols of a
    # program.
    -Xswiftc -use-ld=lld
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
    -Xlinker --no-export-dynamic
    -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker now
    # No path of the build.
    -Xswiftc -file-prefix-map -Xswiftc "$here=." -Xcc "-ffile-prefix-map=$here=."
)
for program in "${programs[@]}"; do
    # A build id by content would have the paths of the debugging information in it.
    id=$(printf '%s\n' "$program" "$version" "$BEACON_COMMIT" "$(swift --version 2>/dev/null)" | sha1sum | cut -c1-40)
    swift build "${options[@]}" --product "$program" -Xlinker "--build-id=0x$id"
done
[ -z "$only_programs" ] || exit 0

# What goes into the packages

work=$output/work
rm -rf "$output"
mkdir -p "$work/debian" "$work/bin" "$work/completions/"{bash,zsh,fish} "$work/systemd" "$work/examples"
cp -r deploy/debian/. "$work/debian/"
rm -r "$work/debian/examples"
cat >"$work/debian/changelog" <<CHANGELOG
beacon-gateway ($version) unstable; urgency=medium

  * Version $number, commit $commit. The changes are in releases.md.

 -- $(sed -n 's/^Maintainer: //p' deploy/debian/control)  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG
for program in "${programs[@]}"; do
    install -m 755 "$built/$program" "$work/bin/$program"
    # Swift writes a hash of each module there, by which incremental builds are told apart: it differs between
    # directories, and nothing reads it at run time.
    size=$(objdump -h -j .swift_modhash "$work/bin/$program" | awk '$2 == ".swift_modhash" {print $3}')
    head -c $((16#$size)) /dev/zero >"$work/zeros"
    objcopy --update-section ".swift_modhash=$work/zeros" "$work/bin/$program"
    "$built/$program" --generate-completion-script bash | sed '1{/^#!/d}' >"$work/completions/bash/$program"
    "$built/$program" --generate-completion-script zsh >"$work/completions/zsh/_$program"
    "$built/$program" --generate-completion-script fish >"$work/completions/fish/$program.fish"
    mkdir -p "$work/licences/$program"
    scripts/sbom.py licences "$program" --scratch "$scratch" >"$work/licences/$program/third-party-licences.txt"
done
scripts/manual.py --programs "$built" "$work/man"
cp deploy/systemd/* "$work/systemd/"
for program in "${programs[@]}"; do cp "deploy/sysusers/$program.conf" "$work/debian/$program.sysusers"; done
cp deploy/udev/60-beacon-gateway.rules "$work/debian/beacon-gateway.udev"
cp deploy/debian/examples/*.toml "$work/examples/"
cp -r deploy/nats deploy/rabbitmq deploy/caddy deploy/nginx deploy/grafana "$work/examples/"
# `setup` adds users of mosquitto with these.
cp -r deploy/mosquitto "$work/mosquitto"
sed -i '1s|^#!/usr/bin/env python3$|#!/usr/bin/python3|' "$work/mosquitto/users.py"
rm -rf "$work/mosquitto/__pycache__"
find "$work/examples" -name __pycache__ -prune -exec rm -r {} +
mkdir "$work/texts"
cp README.md "$work/texts/"
# Under its own name it would be taken for that of the package.
cp CHANGELOG.md "$work/texts/releases.md"

# Packages

(
    cd "$work"
    # The number of threads changes the compressed bytes.
    export DPKG_DEB_THREADS_MAX=1 DEB_RULES_REQUIRES_ROOT=no
    debian/rules binary
)
architecture=$(dpkg --print-architecture)
for program in "${programs[@]}"; do
    package=$output/${program}_${version}_$architecture.deb
    scripts/sbom.py write "$program" --scratch "$scratch" --package "$package" --number "$number" \
        >"$output/${program}_${version}_$architecture.spdx.json"
done
rm -rf "$work"
(cd "$output" && sha256sum -- *.deb *.json >SHA256SUMS)
for package in "$output"/*.deb; do
    dpkg-deb --show --showformat \
        '${Package} ${Version}: ${Installed-Size} kB installed\n' "$package"
done

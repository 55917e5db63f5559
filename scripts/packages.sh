#!/bin/sh
# packages.sh PACKAGE...   Installs those Debian packages that aren't installed yet; says so.
set -eu
missing=
for package; do
    status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case $status in ii*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "error: needed Debian packages:$missing" >&2
    echo "  what to do: install their counterparts of this system, and build with \`swift build\`" >&2
    exit 69
fi
sudo=
if [ "$(id -u)" != 0 ]; then
    sudo=sudo
    echo "Installing with sudo:$missing"
else
    echo "Installing:$missing"
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $sudo apt-get update && $sudo apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "error: apt-get could not install:$missing" >&2
    exit 69
fi

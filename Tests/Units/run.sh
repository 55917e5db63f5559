#!/bin/bash
# run.sh [DIRECTORY]   Runs the programs in DIRECTORY (.build/debug) under their units, by a real systemd.
#
# systemd is process 1 of namespaces of its own: processes, mounts, network, cgroups. Its file system is this machine's
# with a layer above it that is thrown away. So the units run as they are, with every restriction, and nothing of this
# machine changes. The radio is simulated. Needs root, cgroup2 and the packages of `make test-packages`; elsewhere it is
# skipped (77).
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "skipped: $*"
    exit 77
}

# Inside, as process 1: mounts everything, and becomes systemd.
if [ "${1:-}" = --inside ]; then
    work=$2 programs=$3 root=$2/layer/root
    mount --make-rprivate /
    ip link set lo up
    mkdir "$work/layer"
    mount -t tmpfs tmpfs "$work/layer"
    mkdir "$work/layer/upper" "$work/layer/work" "$root"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$work/layer/upper,workdir=$work/layer/work" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for device in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    mount -t tmpfs tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    for place in run tmp; do mount -t tmpfs tmpfs "$root/$place"; done
    mkdir "$root/run/lock"
    # Nothing of this machine's own is started, and nothing that would change its kernel.
    rm -rf "$root"/etc/systemd/system/*.wants "$root"/etc/systemd/system/*.service.d
    for unit in systemd-udevd.service systemd-udevd-control.socket systemd-udevd-kernel.socket \
        systemd-udev-trigger.service systemd-sysctl.service systemd-modules-load.service systemd-binfmt.service \
        systemd-remount-fs.service systemd-logind.service getty.target console-getty.service mosquitto.service; do
        ln -sf /dev/null "$root/etc/systemd/system/$unit"
    done
    rm -rf "$root/etc/machine-id" "$root/var/log/journal"
    echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
    # As an installer does it: docs/guide/service.md.
    cp deploy/systemd/* "$root/etc/systemd/system/"
    mkdir -p "$root/etc/sysusers.d"
    cp deploy/sysusers/*.conf "$root/etc/sysusers.d/"
    for program in beacon-gateway beacon-matcher; do install "$programs/$program" "$root/usr/bin/"; done
    rm -rf "$root"/etc/beacon-* "$root"/var/lib/beacon-*
    cat >"$root/etc/systemd/system/broker.service" <<'UNIT'
[Service]
ExecStart=/usr/sbin/mosquitto
DynamicUser=yes
UNIT
    cd "$root"
    mkdir old
    pivot_root . old
    cd /
    umount -l /old
    mount --make-rshared /
    exec env -i container=units PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-level=warning \
        --log-target=console
fi

programs=$(realpath "${1:-.build/debug}")
[ "$(id -u)" = 0 ] || skip "this needs root"
for tool in /lib/systemd/systemd unshare nsenter ip git mosquitto python3; do
    command -v "$tool" >/dev/null || [ -x "/usr/sbin/$tool" ] || skip "there is no $tool"
done
cgroups=$(findmnt -n -o TARGET -t cgroup2 | head -1)
[ -n "$cgroups" ] || skip "there is no cgroup2"
unshare --cgroup --mount --pid --net true 2>/dev/null || skip "no namespaces can be created"

work=$(mktemp -d)
group=$cgroups/beacon-units-$$
mkdir "$group"
first=
end() {
    # With process 1 its namespace ends.
    [ -z "$first" ] || kill -KILL "$first" 2>/dev/null || true
    wait 2>/dev/null || true
    find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
(
    echo "$BASHPID" >"$group/cgroup.procs"
    exec unshare --cgroup --mount --pid --uts --ipc --net --fork "$PWD/Tests/Units/run.sh" --inside "$work" "$programs"
) >"$work/console" 2>&1 </dev/null &
outer=$!
for _ in $(seq 100); do
    first=$(pgrep -P "$outer" || true)
    if [ -n "$first" ] && grep -q '^systemd' "/proc/$first/comm" 2>/dev/null; then break; fi
    sleep 0.1
done

inside() { timeout 60 nsenter -t "$first" -m -p -u -i -n -C "$@"; }
property() { inside systemctl show "$1" -P "$2"; }

failures=0
# expect NAME ACTUAL PATTERN
expect() {
    # shellcheck disable=SC2053
    if [[ $2 == $3 ]]; then
        echo "✓ $1"
    else
        echo "✗ $1: found \"$2\", expected \"$3\""
        failures=$((failures + 1))
    fi
}
# soon COMMAND...: succeeds as soon as the command does, within 30 s.
soon() {
    for _ in $(seq 150); do
        if "$@"; then return 0; fi
        sleep 0.2
    done
    return 1
}
is() { [[ $(property "$1" "$2") == $3 ]]; }

has_booted() { inside systemctl is-active --quiet basic.target 2>/dev/null; }
soon has_booted || skip "systemd does not start here: $(tail -3 "$work/console")"
echo "$(inside systemctl --version | head -1), kernel $(uname -r)"

# Without a configuration.
inside systemctl start beacon-gateway beacon-matcher
expect "without a configuration nothing is started" "$(property beacon-gateway ConditionResult)" no
expect "and that is no failure" "$(property beacon-gateway ActiveState)" inactive

inside bash -euc '
systemctl start broker
install -d -m 750 -g beacon-gateway /etc/beacon-gateway
install -d -m 700 /etc/beacon-gateway/credentials
printf geheim >/etc/beacon-gateway/credentials/mqtt-password
chmod 600 /etc/beacon-gateway/credentials/mqtt-password
mkdir /etc/systemd/system/beacon-gateway.service.d
cat >/etc/systemd/system/beacon-gateway.service.d/radio.conf <<UNIT
[Service]
ExecStart=
ExecStart=/usr/bin/beacon-gateway run --config /etc/beacon-gateway/gateway.toml --simulated-reports 20 \$FAULT
UNIT
echo "[place]" >/etc/beacon-gateway/gateway.toml
systemctl daemon-reload'

# A wrong configuration.
inside systemctl start beacon-gateway 2>/dev/null || true
expect "a wrong configuration ends it with 78" "$(property beacon-gateway ExecMainStatus)" 78
expect "and it is not started again" \
    "$(property beacon-gateway ActiveState) $(property beacon-gateway NRestarts)" "failed 0"
expect "and the journal has the mistake as an error" \
    "$(inside journalctl -u beacon-gateway -p err -q -o cat _TRANSPORT=stdout)" "*place.site: is missing*"

inside bash -euc 'cat >/etc/beacon-gateway/gateway.toml <<TOML
[place]
site = "campus"
building = "main"
floor = "1"
gateway = "east"
[mqtt]
host = "127.0.0.1"
username = "east"
password-file = "credential:secret_mqtt-password"
[beacons]
uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
TOML'

# As it should be.
expect "the gateway starts" "$(inside systemctl start beacon-gateway && echo yes)" yes
expect "it is active" "$(property beacon-gateway ActiveState)" active
soon is beacon-gateway StatusText "receiving, storing, delivering" || true
expect "its status says what works" "$(property beacon-gateway StatusText)" "receiving, storing, delivering"
process=$(property beacon-gateway MainPID)
status=$(inside cat "/proc/$process/status")
expect "it has the two capabilities only" "$(awk '/^CapEff/ { print $2 }' <<<"$status")" 0000000000003000
expect "system calls are filtered" "$(awk '/^Seccomp:/ { print $2 }' <<<"$status")" 2
expect "/etc is read-only" "$(inside nsenter -t "$process" -m touch /etc/x 2>&1 || true)" "*Read-only file system*"
expect "it does not see /proc/sys" "$(inside nsenter -t "$process" -m ls /proc/sys 2>&1 || true)" "*No such file*"
expect "it knows this start of the machine" \
    "$(inside grep -c "$(cat /proc/sys/kernel/random/boot_id)" /var/lib/beacon-gateway/outbox.db.state || true)" "[1-9]*"
entry=$(inside journalctl -u beacon-gateway BEACON_EVENT=starting -o json -n 1)
expect "log lines are entries with priorities" "$entry" '*"PRIORITY":"6"*'
expect "and with fields" "$entry" '*"BEACON_TOPICS":"beacons/v1/campus/main/1/east/#"*'
expect "the clock's state is known over D-Bus" \
    "$(inside journalctl -u beacon-gateway BEACON_EVENT="clock state unknown, counts as unsynchronized" -q)" ""
expect "its user can ask it" "$(inside runuser -u beacon-gateway -- beacon-gateway status 2>&1 | tr "\n" " ")" "*campus/main/1/east*"
expect "its health can be asked for" "$(inside curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:9469/healthz)" 200
inside systemctl reload beacon-gateway
soon is beacon-gateway ActiveState active || true
expect "it reloads" "$(inside journalctl -u beacon-gateway BEACON_EVENT="configuration reloaded" -q -o cat)" \
    "configuration reloaded: *"
inside systemctl stop beacon-gateway
expect "it ends well" "$(property beacon-gateway Result) $(property beacon-gateway ExecMainStatus)" "success 0"
expect "Swift's runtime has complained of nothing" \
    "$(inside journalctl -u beacon-gateway -q -o cat _TRANSPORT=stdout | grep "Failed to" || true)" ""

# Configured from afar: a trial starts the program anew within the process that systemd knows.
inside bash -euc '
install -d -m 700 /root/fleet
cd /root/fleet
(umask 077; head -c 32 /dev/urandom >../commands.key)
(umask 077; beacon-gateway command-key --key-file ../commands.key campus/main/1/east \
    >/etc/beacon-gateway/credentials/commands-key)
printf "[commands]\nkey-file = \"credential:secret_commands-key\"\n" >>/etc/beacon-gateway/gateway.toml
mkdir -p campus/main/1
printf "key-file = \"/root/commands.key\"\n[apply]\ntrial = \"10s\"\n[broker]\nhost = \"127.0.0.1\"\n" >fleet.toml
printf "[beacons]\nuuids = [\"e2c56db5-dffb-48d2-b060-d0f5a71096e0\"]\n[interactions]\nsilence = \"40s\"\n" >common.toml
touch campus/main/1/east.toml
git init -q
git config user.name units
git config user.email units@example.org
git add .
git commit -qm first
systemctl start beacon-gateway'
soon is beacon-gateway StatusText "receiving, storing, delivering" || true
process=$(property beacon-gateway MainPID)
expect "it is configured from afar" "$(inside beacon-gateway fleet apply /root/fleet --yes 2>&1 || true)" \
    "*campus/main/1/east: keeps it*"
inside bash -euc '
cd /root/fleet
printf "[mqtt]\nport = 1\n" >campus/main/1/east.toml
git commit -qam "a broker that is not there"'
expect "a configuration without a broker is given up" "$(inside beacon-gateway fleet apply /root/fleet --yes 2>&1 || true)" \
    "*campus/main/1/east: returned to its former configuration*"
soon is beacon-gateway StatusText "receiving, storing, delivering" || true
expect "it works with the former one" "$(property beacon-gateway StatusText)" "receiving, storing, delivering"
expect "all in one process, without a restart by systemd" \
    "$(property beacon-gateway MainPID) $(property beacon-gateway NRestarts) $(property beacon-gateway ActiveState)" \
    "$process 0 active"
expect "which has its capabilities still" "$(inside awk '/^CapEff/ { print $2 }' "/proc/$process/status")" 0000000000003000
inside systemctl stop beacon-gateway
expect "it ends well after all this" "$(property beacon-gateway Result) $(property beacon-gateway ExecMainStatus)" "success 0"

# fault KIND: starts the gateway with a radio that fails after a second, and a short watchdog.
fault() {
    inside bash -euc 'cat >/etc/systemd/system/beacon-gateway.service.d/fault.conf <<UNIT
[Service]
WatchdogSec=1s
RestartSec=100ms
Environment="FAULT=--simulated-fault '"$1"'"
UNIT
systemctl daemon-reload
systemctl restart beacon-gateway'
}
fault not-answering
soon is beacon-gateway NRestarts 1 || true
expect "a radio that does not answer has it restarted" "$(property beacon-gateway NRestarts)" 1
soon inside bash -c 'journalctl -u beacon-gateway -q -o cat | grep -q "a restart within the last hour has not helped"' \
    || true
expect "once" "$(property beacon-gateway NRestarts) $(property beacon-gateway ActiveState)" "1 active"
expect "and the status says why" "$(property beacon-gateway StatusText)" "not receiving: hci0 does not answer*"
fault blocked
soon is beacon-gateway StatusText "not receiving*" || true
sleep 4
expect "a blocked radio does not have it restarted" "$(property beacon-gateway NRestarts)" 0
expect "and the status says what to do" "$(property beacon-gateway StatusText)" "*sudo rfkill unblock bluetooth*"
inside systemctl stop beacon-gateway

# The matcher.
inside bash -euc '
install -d -m 750 -g beacon-matcher /etc/beacon-matcher
printf "[mqtt]\nhost = \"127.0.0.1\"\nclient-id = \"units\"\n" >/etc/beacon-matcher/matcher.toml'
expect "the matcher starts" "$(inside systemctl start beacon-matcher && echo yes)" yes
soon is beacon-matcher StatusText "receiving, storing, delivering*" || true
expect "its status says what works" "$(property beacon-matcher StatusText)" "receiving, storing, delivering*"
process=$(property beacon-matcher MainPID)
status=$(inside cat "/proc/$process/status")
expect "it has no capabilities" "$(awk '/^CapBnd/ { print $2 }' <<<"$status")" 0000000000000000
expect "system calls are filtered" "$(awk '/^Seccomp:/ { print $2 }' <<<"$status")" 2
expect "its store is there" "$(inside stat -c '%U %a' /var/lib/beacon-matcher/store.sqlite || true)" "beacon-matcher 600"
expect "its health can be asked for" "$(inside curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:9470/healthz)" 200
inside systemctl reload beacon-matcher || true
inside systemctl stop beacon-matcher
expect "it ends well" "$(property beacon-matcher Result) $(property beacon-matcher ExecMainStatus)" "success 0"
expect "Swift's runtime has complained of nothing" \
    "$(inside journalctl -u beacon-matcher -q -o cat _TRANSPORT=stdout | grep "Failed to" || true)" ""

[ "$failures" = 0 ] || {
    inside journalctl -q --no-pager -n 40 || true
    exit 1
}

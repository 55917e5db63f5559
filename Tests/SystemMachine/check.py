#!/usr/bin/env python3
"""Installs the Debian packages in a virtual machine with systemd, and has them live through what happens in a facility.

    check.py [--keep] [--packages DIRECTORY]

The packages must be built (`make deb`), and so must the programs of the tests (`swift build`). Must be run as root. The
machine is emulated, without KVM and without a network; its radio is the virtual controller, its modules are emulated ones
behind USB serial adapters. Its disk is made by mmdebstrap once and kept in ${XDG_CACHE_HOME:-~/.cache}/beacon-gateway.
Logs are in .build/system-machine; --keep leaves the disk there, too. --packages takes others than .build/packages. Exit
status 77: the machine lacks what this needs.
"""

import contextlib
import glob
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import image as images
import search
from machine import Failure, Machine, share_of

ROOT = images.ROOT
PACKAGES = os.path.join(ROOT, ".build", "packages")
PROGRAMS = os.path.join(ROOT, ".build", "debug")
RESULTS = os.path.join(ROOT, ".build", "system-machine")
SKIPPED = 77
GATEWAY, MATCHER = "beacon-gateway", "beacon-matcher"
UNITS = f"{GATEWAY}.service", f"{MATCHER}.service"

# The place is that of PublisherProbe's records, so that the gateway's user at the broker may publish them.
PLACE = "proof/b/1/gw"
PROBE = "7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3"
RECORDS = 10_000
# What stands for a person: it is nowhere after a purge. The badge is on the air; the name and the address are in the register.
BADGE = "c4d10a9e-52b7-4f3e-8a66-91e07b3fd25c"
OWN = "d8f2b6a1-7e04-4c59-b3da-60c1f5e8742b"
NAME, CONTACT = "Zwölfkäfer", "anne.zwoelfkaefer@example.org"
# Of emulated USB serial adapters.
FIRST, SECOND = "A1", "A2"

problems = []
passed = 0
figures = []


def check(holds, what, found=""):
    """Notes whether something holds."""
    global passed  # pylint: disable=global-statement
    if holds:
        passed += 1
        print(f"  ✓ {what}", flush=True)
    else:
        problems.append(what)
        print(f"  ✗ {what}{': found ' + str(found).strip()[-1500:] if found != '' else ''}", flush=True)
    return holds


def figure(name, value):
    figures.append((name, value))


@contextlib.contextmanager
def step(name):
    """Says what is done, and how long it took."""
    print(f"{name} ...", flush=True)
    began = time.monotonic()
    yield
    print(f"  {time.monotonic() - began:.0f} s", flush=True)


def packaging():
    """The helpers of the packages' own check."""
    spec = importlib.util.spec_from_file_location("packaging", os.path.join(ROOT, "Tests", "Packages", "check.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# MARK: What is outside of the machine


class Modules:
    """The emulated modules, and what they have on the air."""

    def __init__(self, place):
        self.place = place
        os.mkdir(place)
        for name in ("line.in", "line.out"):
            os.mkfifo(os.path.join(place, name))
        # Each pipe is opened for both directions: that waits for nobody, and the end of the machine is no end of it.
        links = f"--link usb-{FIRST} --link usb-{SECOND}"
        script = f'cd "$1" && exec "$0" emulate rs9116 {links} 0<> line.out 1<> line.in 2> emulator.log'
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            ["sh", "-c", script, os.path.join(PROGRAMS, GATEWAY), place], stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not os.path.exists(os.path.join(place, f"usb-{SECOND}")):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure("the modules' emulator does not start")
            time.sleep(0.1)

    def end(self):
        self.process.terminate()
        self.process.wait()


def certificates(place):
    """An authority, and the broker's certificate of it."""
    def openssl(*arguments):
        images.run("openssl", *arguments, cwd=place)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=authority", "-days", "3650")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    images.write(f"{place}/names", "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl(
        "x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-out", "server.crt",
        "-days", "3650", "-extfile", "names")
    texts = {}
    for name in ("ca.crt", "server.crt", "server.key"):
        with open(f"{place}/{name}", encoding="utf-8") as file:
            texts[name] = file.read()
    return texts


def badge():
    """The scenario: a badge that is on the air for hours."""
    data = "0201061AFF4C000215" + BADGE.replace("-", "").upper() + "00010001C5"
    return f"0 C0:11:22:33:44:01 1 3 -55~4 {data} 20000 500\n"


# The radio, and a consumer that is there from the start of the machine. Its session stays while the broker is away.
RADIO_UNIT = """\
[Unit]
Description=The virtual controller
RequiresMountsFor=/mnt/host
[Service]
RuntimeDirectory=radio
Environment=LD_LIBRARY_PATH=/mnt/host/bin/lib
ExecStartPre=stty -F /dev/ttyS1 raw -echo
ExecStartPre=mkfifo /run/radio/control
ExecStart=/mnt/host/bin/VirtualController --air /dev/ttyS1 --scenario /mnt/host/badge.txt --control /run/radio/control
[Install]
WantedBy=multi-user.target
"""
LISTENER_UNIT = """\
[Unit]
Description=A consumer of records
After=mosquitto.service
StartLimitIntervalSec=0
[Service]
ExecStart=sh -c 'exec mosquitto_sub -h 127.0.0.1 -p 1883 -u consumer_listener -P listener-password -i listener-5e7d -c -q 1 \
-t beacons/v1/# -F "%%U %%r %%t %%p" >> /run/listener.log'
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
"""


# First without TLS, with a user that setup creates; then with it.
ANSWERS = f"""\
[place]
site = "proof"
building = "b"
floor = "1"
gateway = "gw"

[mqtt]
host = "localhost"
port = 1883
tls = false
create-user = true

[modules]
uuid = "{OWN}"
major = 1

[beacons]
uuids = ["{BADGE}", "{PROBE}"]
"""
TLS_ANSWERS = """\
[mqtt]
port = 8883
tls = true
ca-file = "/etc/ssl/certs/facility.pem"
"""


MATCHER_ANSWERS = """\
keep-anyway = ["store"]

[mqtt]
host = "127.0.0.1"
port = 1883
tls = false
create-user = true
places = ["proof"]

[site]
time-zone = "UTC"

[store]
location = "postgresql:///beacons?host=/var/run/postgresql&user=beacon-matcher"

[page]
on = false
"""


# MARK: What happens in the machine


class Facility:
    """What is asked of the machine again and again."""

    def __init__(self, machine):
        self.machine = machine

    def install(self, package):
        self.machine.must("apt-get", "install", "--yes", "--no-install-recommends", f"/mnt/host/{package}", timeout=600)

    def is_active(self, unit=GATEWAY):
        return self.machine.property(unit, "ActiveState") == "active"

    def status(self, unit=GATEWAY):
        return self.machine.property(unit, "StatusText")

    def works(self):
        """Whether the gateway says that everything works."""
        return self.status().startswith("receiving, storing, delivering")

    def listen(self):
        """Has the consumer begin with an empty list."""
        self.machine.shell(": > /run/listener.log")

    def first_record(self):
        """When the first record of the badge came that the running gateway has made, in seconds since the machine's start.

        Older ones come first when the consumer is back; each says of which start of the gateway it is."""
        script = rf"""
            start=$(journalctl -b -u {GATEWAY} BEACON_EVENT=starting -q -o cat | sed -n '$s/.*boot=\([0-9]*\).*/\1/p')
            offset=$(python3 -c 'import time; print(time.time() - time.monotonic())')
            [ -z "$start" ] || grep -a -F '/beacon/{BADGE}/1/1/interaction ' /run/listener.log |
                grep -a -m 1 -F '"boot":'$start, |
                awk -v o="$offset" '{{ printf "%.1f", $1 - o }}'"""
        output = self.machine.call("bash", "-c", script)[1].strip()
        return float(output) if output else None

    def synthetic(self):
        """How many of the probe's records have come, each counted once."""
        script = f"grep -a -F '/beacon/{PROBE}/' /run/listener.log | grep -a -o '\"sequence\":[0-9]*' | sort -u | wc -l"
        return int(self.machine.call("bash", "-c", script)[1].strip() or 0)

    def module_state(self):
        """The state in the last message about the module, of which there is one."""
        script = r"""
            grep -a '/module/[^ ]*/state ' /run/listener.log | tail -n 1 |
                sed -n 's/.*"state":"\([a-z-]*\)".*/\1/p'"""
        return self.machine.call("bash", "-c", script)[1].strip()

    def tell_radio(self, word):
        self.machine.shell(f"echo {word} > /run/radio/control")

    def seconds(self, unit, name):
        """A time of a unit, since the machine's start."""
        return int(self.machine.property(unit, name)) / 1e6


def prepare(machine, facility):
    """What is in the machine before the gateway is: a radio, a broker with a certificate, a clock that is right."""
    machine.shell("""
        install -d /etc/mosquitto/certs
        install -m 644 /mnt/host/ca.crt /mnt/host/server.crt /etc/mosquitto/certs/
        install -m 640 -g mosquitto /mnt/host/server.key /etc/mosquitto/certs/
        install -m 644 /mnt/host/ca.crt /etc/ssl/certs/facility.pem
        for unit in radio listener; do install -m 644 /mnt/host/$unit.service /etc/systemd/system/; done
        systemctl daemon-reload
        systemctl enable --now radio""")
    check(
        machine.until(60, lambda: machine.call("test", "-e", "/sys/class/bluetooth/hci0")[0] == 0), "the machine has a radio")
    facility.machine.plug(FIRST)
    check(
        machine.until(30, lambda: machine.call("test", "-c", "/dev/ttyUSB0")[0] == 0),
        "and a USB serial adapter with a module, for which the kernel has a driver")


def install(machine, facility, package, version):
    facility.install(package)
    check(
        machine.must("dpkg-query", "-W", "-f", "${Version}", GATEWAY) == version, f"{GATEWAY} {version} is installed by apt")
    check(
        (machine.property(GATEWAY, "UnitFileState"), machine.property(GATEWAY, "ActiveState")) == ("enabled", "inactive"),
        "its unit is enabled, and not started without a configuration")


def look_at_port(machine, name, port):
    """What udev has made of a port."""
    rows = machine.must("udevadm", "info", "--query=property", f"--name={port}")
    check(
        machine.call("readlink", "-f", f"/dev/beacon/{name}")[1].strip() == port, f"/dev/beacon/{name} is {port}",
        machine.call("ls", "-l", "/dev/beacon")[1])
    check(machine.must("stat", "-c", "%G %a", port).strip() == "dialout 660", "the port belongs to the group dialout")
    check("ID_MM_DEVICE_IGNORE=1" in rows and "ID_MM_PORT_IGNORE=1" in rows, "ModemManager is told to keep off")
    check(
        ":systemd:" in rows and machine.property(f"dev-beacon-{name}.device", "ActiveState") == "active", "it is a device unit")


def look_at_ports(machine):
    """The port was there before the rules were."""
    machine.shell("udevadm settle")
    machine.until(30, lambda: machine.call("test", "-e", f"/dev/beacon/{FIRST}")[0] == 0)
    look_at_port(machine, FIRST, "/dev/ttyUSB0")


def set_up(machine, facility):
    # The clock is the host's. Nobody here says so to the kernel, as chrony or systemd-timesyncd would: it takes this for an
    # hour or two.
    machine.must("python3", "/mnt/host/guest/synchronize.py")
    status, output = machine.call(GATEWAY, "setup", "--answers", "/mnt/host/answers.toml", timeout=400)
    check(status == 0, "setup --answers ends with 0: the gateway works", f"{status}: {output}")
    check(facility.is_active(), "the service runs")
    machine.shell("""
        printf 'listener-password\\n' > /run/password
        /usr/share/beacon-gateway/mosquitto/users.py add matcher consumer_listener --password-file /run/password
        systemctl restart mosquitto
        systemctl enable --now listener""")
    check(machine.until(90, facility.works), "its status is: receiving, storing, delivering", facility.status())
    check(
        machine.until(120, lambda: facility.module_state() == "advertising", pause=2),
        "the module that was plugged in is configured and heard", facility.module_state())


def set_up_again(machine, facility):
    status, output = machine.call(GATEWAY, "setup", "--answers", "/mnt/host/tls-answers.toml", timeout=400)
    check(status == 0, "setup with other answers about the broker ends with 0", f"{status}: {output}")
    check(machine.until(90, facility.works), "its status is: receiving, storing, delivering", facility.status())
    check(
        machine.call("bash", "-c", "ss -tnp state established '( dport = :8883 )' | grep -q beacon-gateway")[0] == 0,
        "it is connected to the broker by TLS", machine.call("ss", "-tnp")[1])


def restart(machine, facility):
    """The machine is started again, and everything starts by itself."""
    seconds = machine.reboot()
    figure("the machine's start, until its driver answers", f"{seconds:.0f} s")
    check(machine.until(120, facility.is_active), "the gateway is started by itself")
    record = machine.until(120, facility.first_record)
    check(record, "records of the badge on the air arrive at the broker")
    check(
        machine.until(120, lambda: facility.module_state() == "advertising", pause=2), "the module on the air is heard",
        facility.module_state())
    check(machine.until(60, facility.works), "its status is: receiving, storing, delivering", facility.status())
    started = facility.seconds(GATEWAY, "ExecMainStartTimestampMonotonic")
    ready = facility.seconds(GATEWAY, "ActiveEnterTimestampMonotonic")
    figure("start of the kernel until the gateway is started", f"{started:.1f} s")
    figure("start of the kernel until the gateway is READY", f"{ready:.1f} s")
    figure("start of the gateway until READY", f"{ready - started:.1f} s")
    if record:
        figure("start of the gateway until the first record is at a consumer", f"{record - started:.1f} s")


def hot_plug(machine, facility):
    """The module is pulled, and a second adapter is plugged in; then the module is back, in another place."""
    facility.listen()
    machine.unplug(FIRST)
    check(
        machine.until(30, lambda: machine.call("test", "-e", f"/dev/beacon/{FIRST}")[0] != 0),
        "the name of a pulled adapter is gone")
    check(machine.until(60, lambda: facility.module_state() == "absent"), "the gateway says that its module is absent")
    machine.plug(SECOND)
    machine.until(30, lambda: machine.call("test", "-e", f"/dev/beacon/{SECOND}")[0] == 0)
    look_at_port(machine, SECOND, "/dev/ttyUSB0")
    machine.plug(FIRST)
    machine.until(30, lambda: machine.call("test", "-e", f"/dev/beacon/{FIRST}")[0] == 0)
    look_at_port(machine, FIRST, "/dev/ttyUSB1")
    check(
        machine.until(120, lambda: facility.module_state() == "advertising", pause=2),
        "the running gateway opens the port by itself, and the module is heard again", facility.module_state())
    machine.unplug(SECOND)


def outbox(machine):
    """How many records wait."""
    output = machine.must(
        "runuser", "-u", GATEWAY, "--", GATEWAY, "outbox", "status", "--json", "--config", "/etc/beacon-gateway/gateway.toml")
    return int(re.search(r'"records":(\d+)', output)[1])


def upgrade(machine, facility, package, version):
    """The package is upgraded while the broker is away and records wait."""
    facility.listen()
    machine.must("systemctl", "stop", "mosquitto")
    machine.must("systemctl", "stop", GATEWAY)
    machine.shell(f"""
        runuser -u {GATEWAY} -- env LD_LIBRARY_PATH=/mnt/host/bin/lib /mnt/host/bin/PublisherProbe --port 1 \
            --outbox /var/lib/beacon-gateway/outbox.db --count {RECORDS} --batch 100 --patience 0""", timeout=600)
    machine.must("systemctl", "start", GATEWAY, timeout=180)
    process = machine.property(GATEWAY, "MainPID")
    waiting = outbox(machine)
    check(waiting >= RECORDS, f"{RECORDS} records and those of the badge wait in the outbox", waiting)
    check(
        machine.until(60, lambda: "not delivering" in facility.status() or "not connected" in facility.status()),
        "the status says that the broker is away", facility.status())
    facility.install(package)
    check(
        machine.must("dpkg-query", "-W", "-f", "${Version}", GATEWAY) == version, f"{GATEWAY} is upgraded to {version} by apt")
    check(
        facility.is_active() and machine.property(GATEWAY, "MainPID") != process, "it was restarted by the upgrade")
    after = outbox(machine)
    check(after >= waiting, "no record is missing after the upgrade", after)
    machine.must("systemctl", "start", "mosquitto")
    began = time.monotonic()
    machine.until(600, lambda: facility.synthetic() == RECORDS, pause=5)
    found = facility.synthetic()
    check(found == RECORDS, f"all {RECORDS} records arrive when the broker is back", found)
    figure(f"{RECORDS} waiting records delivered after", f"{time.monotonic() - began:.0f} s")
    check(machine.until(120, lambda: outbox(machine) == 0, pause=5), "the outbox is empty", outbox(machine))


def wedge(machine, facility):
    """The controller stops answering; then the program itself stands still."""
    machine.must("systemctl", "restart", GATEWAY, timeout=180)
    machine.until(60, facility.works)

    def restarts():
        return int(machine.property(GATEWAY, "NRestarts"))

    facility.tell_radio("hang")
    began = time.monotonic()
    check(
        machine.until(120, lambda: facility.status().startswith("not receiving: hci0 ")),
        "the status says that the radio does not answer", facility.status())
    figure("the controller hangs until the status says so", f"{time.monotonic() - began:.0f} s")
    check(machine.until(400, lambda: restarts() == 1, pause=3), "the watchdog has the unit restarted", facility.status())
    figure("the controller hangs until the watchdog restarts the unit", f"{time.monotonic() - began:.0f} s")
    facility.tell_radio("recover")
    check(machine.until(180, facility.works, pause=2), "it receives again when the radio answers again", facility.status())
    facility.listen()
    check(machine.until(60, facility.first_record), "and records arrive again")
    before = restarts()
    machine.shell("kill -STOP $(systemctl show beacon-gateway -P MainPID)")
    began = time.monotonic()
    check(machine.until(120, lambda: restarts() == before + 1), "a program that stands still is restarted", restarts())
    figure("the program stands still until it is restarted", f"{time.monotonic() - began:.0f} s")
    check(machine.until(120, facility.works, pause=2), "and works again", facility.status())


def add_matcher(machine, facility, package):
    """beacon-matcher with PostgreSQL, which knows it by its user alone."""
    facility.install(package)
    machine.shell("""
        runuser -u postgres -- createuser beacon-matcher
        runuser -u postgres -- createdb --owner beacon-matcher beacons""")
    # PostgreSQL lets the service in by its user, and not root, as which setup runs.
    status, output = machine.call(MATCHER, "setup", "--answers", "/mnt/host/matcher-answers.toml", timeout=300)
    check(
        status == 69 and "beacon-matcher runs: the store is open" in output, "setup --answers starts it", f"{status}: {output}")
    check(
        machine.until(120, lambda: facility.status(MATCHER).startswith("receiving, storing, delivering")),
        "its status is: receiving, storing, delivering", facility.status(MATCHER))
    machine.shell(f"""
        umask 077
        printf 'number,name,contact,subject\\n1001,{NAME},{CONTACT},badge:{BADGE}/1/1\\n' > /run/people.csv
        chown beacon-matcher /run/people.csv
        runuser -u beacon-matcher -- beacon-matcher people import /run/people.csv --config /etc/beacon-matcher/matcher.toml""")
    count = f"select count(*) from interaction i join subject s on s.id = i.subject where s.name = '{BADGE}/1/1'"

    def stored():
        output = machine.call("runuser", "-u", "postgres", "--", "psql", "-At", "beacons", "-c", count)[1].strip()
        return int(output) if output.isdigit() else 0

    check(machine.until(180, stored, pause=3), "what the gateway heard of the badge is in PostgreSQL", stored())
    check(
        machine.property(MATCHER, "NRestarts") == "0" and facility.is_active(MATCHER), "it was not restarted meanwhile")


def measure(machine, facility):
    """What the units take, and how confined they are."""
    for unit, name in zip(UNITS, (GATEWAY, MATCHER)):
        output = machine.must("systemd-analyze", "security", "--no-pager", unit)
        exposure = re.search(r"Overall exposure level.*?: ([\d.]+)", output)
        figure(f"systemd-analyze security {unit}", exposure[1] if exposure else output[-200:])
        current = int(machine.property(unit, "MemoryCurrent"))
        peak = int(machine.must("cat", f"/sys/fs/cgroup/system.slice/{unit}/memory.peak"))
        figure(f"memory of {name}, now and at most", f"{current / 1e6:.0f} MB, {peak / 1e6:.0f} MB")
        process = machine.property(unit, "MainPID")
        rows = machine.must("cat", f"/proc/{process}/status")
        resident = int(re.search(r"VmRSS:\s+(\d+)", rows)[1])
        figure(f"resident memory of {name}'s process", f"{resident / 1e3:.0f} MB")
        capabilities = re.search(r"CapEff:\s+(\w+)", rows)[1]
        check(
            capabilities == ("0000000000003000" if name == GATEWAY else "0000000000000000"),
            f"{name} has no capabilities but those of its unit", capabilities)
        check(re.search(r"Seccomp:\s+2", rows), "its system calls are filtered")
    complaints = machine.call(
        "bash", "-c", "journalctl -u beacon-gateway -u beacon-matcher -q -o cat _TRANSPORT=stdout | grep 'Failed to'")[1]
    check(complaints == "", "Swift's runtime has complained of nothing", complaints)


NEEDLES = search.forms([NAME, CONTACT], [BADGE, PROBE, OWN])


def remove(machine):
    machine.must("apt-get", "remove", "--yes", GATEWAY, MATCHER, timeout=300)
    check(
        machine.call("bash", "-c", "pgrep -f /usr/bin/beacon-")[0] == 1, "after the removal nothing of them runs")
    check(
        machine.call("bash", "-c", "test -e /etc/beacon-gateway/gateway.toml -a -e /var/lib/beacon-gateway/outbox.db")[0] == 0,
        "configuration and outbox stay")


def owner(path):
    """Whose a file is that may have identifiers after a purge; None: nobody's."""
    owners = {
        search.FREE: "deleted data in free blocks", "/var/log/journal/": "the journal", "/var/lib/postgresql/": "PostgreSQL",
        "/var/lib/mosquitto/": "mosquitto"}
    return next((name for start, name in owners.items() if path.startswith(start)), None)


def purge(machine):
    """After a purge the disk is searched, as it is and after everything is cleared that is not the packages'."""
    machine.must("apt-get", "purge", "--yes", GATEWAY, MATCHER, timeout=300)
    # They are the test's, not the facility's.
    machine.shell("systemctl stop listener radio; rm -f /etc/systemd/system/listener.service /etc/systemd/system/radio.service")
    machine.must("sync")
    found = search.holders(machine.disk, NEEDLES)
    strangers = sorted(path for path in found if owner(path) is None)
    check(not strangers, "after the purge no file has an identifier but those of others", strangers)
    kept = {}
    for path, count in found.items():
        kept[owner(path) or path] = kept.get(owner(path) or path, 0) + count
    # By these it is known that the search finds something.
    check({"PostgreSQL", "the journal"} <= set(kept), "the search finds what the journal and PostgreSQL keep", kept)
    for name, count in sorted(kept.items()):
        figure(f"places with identifiers after the purge: {name}", count)
    names = machine.must(
        "find", "/", "-xdev", "-regextype", "egrep", "-regex", ".*beacon-(gateway|matcher|ocr).*", "-not", "-path",
        "/var/lib/dpkg/*", "-not", "-path", "/var/log/*")
    check(names == "", "no file has the packages' names", names)
    # The journal's new file reserves blocks, whatever was in them: they are given back before, and the others afterwards.
    machine.shell("""
        pg_dropcluster --stop 15 main
        systemctl stop mosquitto
        rm -f /var/lib/mosquitto/mosquitto.db /etc/mosquitto/beacons-users.json
        sync
        fstrim /
        journalctl --rotate --quiet
        journalctl --vacuum-size=1 --quiet
        sync""", timeout=300)
    machine.power_off()
    search.discard_free_blocks(machine.disk)
    found = search.holders(machine.disk, NEEDLES)
    check(
        not found,
        "without database, broker's state and journal, and with freed blocks given back, no byte of the disk has one",
        dict(found))


def run_all(machine, packages, versions):
    facility = Facility(machine)
    print("starting the machine ...", flush=True)
    figure("the new disk's first start, until its driver answers", f"{machine.boot():.0f} s")
    machine.call("systemctl", "is-system-running", "--wait", timeout=300)
    # Each needs what came before it, so a failure ends the run; a check that does not hold does not.
    with step("preparing the machine"):
        prepare(machine, facility)
    with step("installing"):
        install(machine, facility, packages["old"], versions["old"])
        look_at_ports(machine)
    with step("setting up"):
        set_up(machine, facility)
    with step("setting up again, with TLS"):
        set_up_again(machine, facility)
    with step("restarting the machine"):
        restart(machine, facility)
    with step("pulling and plugging in"):
        hot_plug(machine, facility)
    with step("upgrading"):
        upgrade(machine, facility, packages[GATEWAY], versions[GATEWAY])
    with step("wedging the radio"):
        wedge(machine, facility)
    with step("adding a matcher with PostgreSQL"):
        add_matcher(machine, facility, packages[MATCHER])
    with step("measuring"):
        measure(machine, facility)
    with step("removing"):
        remove(machine)
    with step("purging"):
        purge(machine)


def table():
    width = max(len(name) for name, _ in figures)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in figures)


def main(arguments):
    lacking = images.missing()
    if lacking:
        print(f"skipped: {lacking}")
        return SKIPPED
    directory = arguments[arguments.index("--packages") + 1] if "--packages" in arguments else PACKAGES
    found = {name: sorted(glob.glob(os.path.join(directory, f"{name}_*.deb"))) for name in (GATEWAY, MATCHER)}
    if any(len(paths) != 1 for paths in found.values()):
        print(f"error: there are no packages in {directory}\n  what to do: make deb", file=sys.stderr)
        return 69
    # What was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    helpers = packaging()
    shutil.rmtree(RESULTS, ignore_errors=True)
    os.makedirs(RESULTS)
    modules = machine = None
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        try:
            try:
                base = images.Image(helpers.libraries([paths[0] for paths in found.values()]))
            except images.Unavailable as reason:
                print(f"skipped: {reason}")
                return SKIPPED
            base.make()
            old = helpers.older(found[GATEWAY][0], place)
            new = [paths[0] for paths in found.values()]
            share = share_of(
                place, [os.path.join(PROGRAMS, name) for name in ("PublisherProbe", "VirtualController")], [old, *new], {
                    **certificates(place), "badge.txt": badge(), "radio.service": RADIO_UNIT,
                    "listener.service": LISTENER_UNIT, "answers.toml": ANSWERS, "tls-answers.toml": TLS_ANSWERS,
                    "matcher-answers.toml": MATCHER_ANSWERS})
            modules = Modules(os.path.join(place, "modules"))
            machine = Machine(base, RESULTS, share, modules.place)
            run_all(
                machine, {"old": os.path.basename(old), **{name: os.path.basename(paths[0]) for name, paths in found.items()}},
                {"old": "0.0.1", **{name: helpers.field(paths[0], "Version") for name, paths in found.items()}})
        except Failure as failure:
            check(False, "the machine works", failure)
        finally:
            if machine:
                with contextlib.suppress(Failure):
                    machine.leave()
                machine.end()
                if "--keep" not in arguments and os.path.exists(machine.disk):
                    os.remove(machine.disk)
            if modules:
                modules.end()
                shutil.copy(os.path.join(modules.place, "emulator.log"), RESULTS)
    print()
    print(table())
    sums = f"{passed} passed, {len(problems)} failed, {time.monotonic() - began:.0f} s"
    print(f"\n{sums}; logs in {os.path.relpath(RESULTS, ROOT)}")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

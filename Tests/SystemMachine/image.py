"""The disk of the machine: a Debian 12 with systemd, and the kernel that starts it. Both are made once and kept."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "beacon-gateway")
# Where Tests/VirtualRadio/build-base.sh keeps Debian's kernel: the package, and what is packed in its image.
RADIO = os.path.join(CACHE, "virtual-radio")

# Beside what the packages depend on: the machine, and what a facility has on it.
EXTRA = (
    "adduser", "bluez", "bubblewrap", "ca-certificates", "dbus", "init-system-helpers", "iproute2", "kmod", "mosquitto",
    "mosquitto-clients", "openssl", "postgresql", "procps", "python3", "rfkill", "systemd", "systemd-sysv", "udev")
# Drivers of things that no such machine has: four fifths of all modules.
LEFT_OUT = ("drivers/gpu", "drivers/media", "drivers/net", "drivers/scsi", "drivers/infiniband", "drivers/staging",
            "drivers/iio", "drivers/hwmon", "drivers/edac", "drivers/isdn", "drivers/ata", "drivers/md", "sound")
# What it takes to have a disk, and the host's directory.
EARLY = ("virtio_pci", "virtio_blk", "ext4", "crc32c_generic")
MEGABYTES = 3072

FSTAB = """\
/dev/vda / ext4 defaults,noatime 0 1
host /mnt/host 9p trans=virtio,version=9p2000.L,msize=262144,access=any 0 0
"""
# What the host asks for is done by a script of the host's.
UNIT = """\
[Unit]
Description=What the host asks for
RequiresMountsFor=/mnt/host
After=dbus.service
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/bin/python3 /mnt/host/guest/driver.py
Restart=always
RestartSec=1
# Programs that it has started stay.
KillMode=process
OOMScoreAdjust=-900

[Install]
WantedBy=multi-user.target
"""


class Unavailable(Exception):
    """This machine lacks something."""


def run(*command, **options):
    """What a command printed; it must succeed."""
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=1800, **options)
    if result.returncode != 0:
        raise SystemExit(f"error: `{' '.join(command)}` ended with status {result.returncode}:\n{result.stdout}")
    return result.stdout


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def missing():
    """What this machine lacks; None if nothing."""
    if os.getuid() != 0:
        return "this needs root"
    for name in ("qemu-system-x86_64", "mmdebstrap", "mke2fs", "e2fsck", "debugfs", "cpio", "depmod", "busybox", "xz", "openssl"):
        if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            return f"there is no {name}"
    return None


class Image:
    """The disk, kernel and initial file system."""

    def __init__(self, depends):
        """depends: names of the packages that ours depend on."""
        result = subprocess.run(
            [os.path.join(ROOT, "Tests", "VirtualRadio", "build-base.sh")], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False)
        if result.returncode != 0:
            raise Unavailable(result.stdout.strip())
        self.kernel = os.path.join(RADIO, "kernel")
        self.package = sorted(glob.glob(os.path.join(RADIO, "linux-image-*.deb")))[-1]
        self.include = sorted({*depends, *EXTRA})
        digest = hashlib.sha256()
        for path in (__file__, os.path.join(HERE, "guest", "init")):
            with open(path, "rb") as file:
                digest.update(file.read())
        digest.update(" ".join([os.path.basename(self.package), *self.include]).encode())
        name = os.path.join(CACHE, f"system-machine-{digest.hexdigest()[:12]}")
        self.disk, self.initrd = f"{name}.img", f"{name}.cpio"

    def make(self):
        """Makes the disk, unless it is there. After a month Debian has had a point release."""
        if os.path.exists(self.disk) and os.path.exists(self.initrd) and \
                time.time() - os.path.getmtime(self.disk) < 30 * 86400:
            return
        print("making the machine's disk, once ...", flush=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as place:
            tree = os.path.join(place, "root")
            # A tar, because mmdebstrap refuses a directory that it could not clean up.
            archive = os.path.join(place, "root.tar")
            run("mmdebstrap", "--variant=minbase", f"--include={','.join(self.include)}", "bookworm", archive)
            os.mkdir(tree, 0o755)
            run("tar", "--extract", "--file", archive, "--directory", tree)
            os.remove(archive)
            version = self.unpack_modules(tree)
            self.furnish(tree)
            self.make_initrd(tree, version, os.path.join(place, "initrd"))
            disk = os.path.join(place, "disk")
            run("mke2fs", "-q", "-t", "ext4", "-d", tree, "-E", "root_owner=0:0,lazy_itable_init=1", disk, f"{MEGABYTES}M")
            os.replace(os.path.join(place, "initrd"), self.initrd)
            os.replace(disk, self.disk)

    def unpack_modules(self, tree):
        """Puts the kernel's modules into the tree; returns the kernel's version."""
        options = [f"--exclude=./lib/modules/*/kernel/{name}" for name in LEFT_OUT]
        # /lib is a link.
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", self.package], stdout=subprocess.PIPE) as source:
            run(
                "tar", "--extract", "--keep-directory-symlink", "--directory", tree, *options, "./lib/modules",
                stdin=source.stdout)
        version = os.listdir(os.path.join(tree, "lib", "modules"))[0]
        run("depmod", "--basedir", tree, version)
        return version

    @staticmethod
    def furnish(tree):
        """What distinguishes the machine from any other."""
        write(f"{tree}/etc/fstab", FSTAB)
        write(f"{tree}/etc/hostname", "facility\n")
        write(f"{tree}/etc/hosts", "127.0.0.1 localhost facility\n")
        write(f"{tree}/etc/systemd/system/driver.service", UNIT)
        wanted = f"{tree}/etc/systemd/system/multi-user.target.wants"
        os.makedirs(wanted, exist_ok=True)
        os.symlink("../driver.service", f"{wanted}/driver.service")
        os.makedirs(f"{tree}/mnt/host", exist_ok=True)
        # The identity is that of this disk, so the machine isn't new each time. Nobody fetches anything here.
        write(f"{tree}/etc/machine-id", "b08dfa6083e7567a1921a715000001fb\n", 0o444)
        for name in ("apt-daily.timer", "apt-daily-upgrade.timer", "e2scrub_all.timer", "getty@tty1.service"):
            path = f"{tree}/etc/systemd/system/{name}"
            if not os.path.lexists(path):
                os.symlink("/dev/null", path)
        for path in glob.glob(f"{tree}/var/cache/apt/archives/*.deb"):
            os.remove(path)

    @staticmethod
    def make_initrd(tree, version, output):
        """An initial file system that has nothing but BusyBox and the disk's drivers: Debian's takes 20 s to unpack."""
        with tempfile.TemporaryDirectory() as place:
            os.chmod(place, 0o755)
            for name in ("bin", "dev", "proc", "sys", "root", "modules"):
                os.mkdir(f"{place}/{name}")
            shutil.copy(shutil.which("busybox"), f"{place}/bin/busybox")
            shutil.copy(os.path.join(HERE, "guest", "init"), f"{place}/init")
            os.chmod(f"{place}/init", 0o755)
            listed = run("modprobe", "--dirname", tree, "--set-version", version, "--show-depends", "--all", *EARLY)
            paths = dict.fromkeys(re.findall(r"^insmod (\S+)", listed, re.MULTILINE))
            for number, path in enumerate(paths):
                target = f"{place}/modules/{number:02}-{os.path.basename(path)}"
                if path.endswith(".xz"):
                    with open(target[:-3], "wb") as file:
                        subprocess.run(["xz", "--decompress", "--stdout", path], check=True, stdout=file)
                else:
                    shutil.copy(path, target)
            names = run("find", ".", "-print0", cwd=place)
            with open(output, "wb") as file:
                subprocess.run(
                    ["cpio", "--null", "-o", "-H", "newc", "--quiet", "-R", "0:0"], cwd=place, input=names.encode(),
                    stdout=file, check=True)

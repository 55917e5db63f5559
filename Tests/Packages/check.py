#!/usr/bin/env python3
"""Installs, upgrades, removes and purges the Debian packages in a root of its own, and looks at what is there each time.

    check.py [--no-demo]

The packages must be built: `make deb`; with them the probe that fills an outbox: `swift build`. Must be run as root, for
chroot. The root is made by mmdebstrap once and kept in ${XDG_CACHE_HOME:-~/.cache}/beacon-gateway. --no-demo leaves out
the demonstration with the installed programs, which takes a minute. Exit status 77: the machine lacks what this needs.
"""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = os.path.join(ROOT, ".build", "packages")
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "beacon-gateway")
PROBE = os.path.join(ROOT, ".build", "debug", "PublisherProbe")
NAMES = ("beacon-gateway", "beacon-matcher")
# The largest size in MB that each may have installed: docs/guide/packages.md says what it is.
LARGEST = {"beacon-gateway": 50, "beacon-matcher": 60}
RECORDS = 1000
# What stands for personal data: nothing of it is left after a purge.
MARKERS = ("Zwölfkäfer", "7f3b9a52-61d8-4c0e-a94b-d2c5e8f01b37")
SUBJECT = f"badge:{MARKERS[1]}/1/2"
# What the packages' tests need in the root beside the packages' own dependencies.
EXTRA = ("init-system-helpers", "systemd", "udev")
SKIPPED = 77

problems = []
passed = 0


def check(holds, what):
    """Notes whether something holds."""
    global passed  # pylint: disable=global-statement
    if holds:
        passed += 1
    else:
        problems.append(what)
        print(f"error: {what}", file=sys.stderr, flush=True)


def run(*command, **options):
    """What a command printed; it must succeed."""
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=600, **options)
    if result.returncode != 0:
        raise SystemExit(f"error: `{' '.join(command)}` ended with status {result.returncode}:\n{result.stdout}")
    return result.stdout


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


# MARK: The root


def libraries(packages):
    """The names of the packages that ours depend on."""
    names = set()
    for package in packages:
        for alternative in field(package, "Depends").split(","):
            names.add(re.match(r"\s*([a-z0-9.+-]+)", alternative)[1])
    return sorted({*names, *EXTRA} - set(NAMES))


def base(packages):
    """The archive of a Debian with everything that the packages depend on."""
    include = ",".join(libraries(packages))
    key = hashlib.sha256(include.encode()).hexdigest()[:12]
    path = os.path.join(CACHE, f"packages-root-{key}.tar")
    # After a month Debian has had a point release.
    if os.path.exists(path) and time.time() - os.path.getmtime(path) < 30 * 86400:
        return path
    os.makedirs(CACHE, exist_ok=True)
    print("making the root, once ...", flush=True)
    own = f"{path}.{os.getpid()}.tar"
    run("mmdebstrap", "--variant=minbase", f"--include={include}", "bookworm", own)
    os.replace(own, path)
    return path


class Root:
    """A Debian in a directory, entered with chroot."""

    def __init__(self, path, archive):
        self.path = path
        run("tar", "--extract", "--file", archive, "--directory", path)
        # No service starts here, and apt needs no network: everything is there.
        self.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", 0o755)

    def at(self, path):
        return self.path + path

    def write(self, path, text, mode=0o644):
        os.makedirs(os.path.dirname(self.at(path)), exist_ok=True)
        with open(self.at(path), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.at(path), mode)

    def read(self, path):
        with open(self.at(path), encoding="utf-8") as file:
            return file.read()

    def call(self, *command, user=None):
        """The status and output of a command in the root, in namespaces of its own with /proc and /dev."""
        inner = ["chroot"] + ([f"--userspec={user}"] if user else []) + [self.path, *command]
        script = f"mount -t proc proc {self.path}/proc && mount --rbind /dev {self.path}/dev && exec \"$@\""
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive", "HOME": "/nonexistent"}
        result = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", *inner],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300, env=environment)
        return result.returncode, result.stdout

    def must(self, *command, user=None):
        status, output = self.call(*command, user=user)
        if status != 0:
            raise SystemExit(f"error: `{' '.join(command)}` in the root ended with status {status}:\n{output}")
        return output

    def install(self, *packages):
        names = []
        for package in packages:
            shutil.copy(package, self.at("/root/"))
            names.append("/root/" + os.path.basename(package))
        output = self.must(
            "apt-get", "install", "--yes", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confdef", *names)
        for name in names:
            os.remove(self.at(name))
        return output

    def names(self):
        """Every path of the root, without what the kernel shows."""
        output = run("find", self.path, "-xdev", "-printf", "/%P\n")
        return {path for path in output.split("\n") if path}

    def holding(self, markers):
        """The files of the root that have one of these texts in them."""
        options = [option for marker in markers for option in ("-e", marker)]
        result = subprocess.run(
            ["grep", "--recursive", "--binary-files=text", "--files-with-matches", "--fixed-strings", *options, "--devices=skip",
             self.path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        return [path[len(self.path):] for path in result.stdout.split("\n") if path]


def older(package, place):
    """The same package with a lower version, uncompressed: an upgrade from it is one."""
    tree = os.path.join(place, "tree")
    run("dpkg-deb", "--raw-extract", package, tree)
    path = os.path.join(tree, "DEBIAN", "control")
    with open(path, encoding="utf-8") as file:
        control = re.sub(r"(?m)^Version: .*$", "Version: 0.0.1", file.read())
    with open(path, "w", encoding="utf-8") as file:
        file.write(control)
    output = os.path.join(place, f"{field(package, 'Package')}_0.0.1.deb")
    run("dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, output)
    shutil.rmtree(tree)
    return output


# MARK: What is looked at


def look_at_files(root, name, number):
    """What a package has installed: programs, units, pages, completions, modes and owners."""
    check(root.must(f"/usr/bin/{name}", "--version").startswith(number), f"{name} --version is not of {number}")
    unit = f"/lib/systemd/system/{name}.service"
    check(f"ExecStart=/usr/bin/{name} " in root.read(unit), f"{unit} does not start /usr/bin/{name}")
    check(
        os.path.islink(root.at(f"/etc/systemd/system/multi-user.target.wants/{name}.service")), f"{name}.service is not enabled")
    check(
        f"ConditionPathExists=/etc/{name}/" in root.read(unit), f"{unit} does not wait for a configuration")
    check(os.listdir(root.at(f"/etc/{name}")) == [], f"/etc/{name} has files after the installation")
    user = root.must("getent", "passwd", name).strip().split(":")
    check(int(user[2]) < 1000 and user[6].endswith("/nologin"), f"the user {name} is no system user: {user}")
    state = os.stat(root.at(f"/etc/{name}"))
    check(
        (state.st_mode & 0o7777, state.st_uid, state.st_gid) == (0o750, 0, int(user[3])),
        f"/etc/{name} has mode {state.st_mode & 0o7777:o}, owner {state.st_uid}, group {state.st_gid}")
    files = [path for path in root.must("dpkg", "--listfiles", name).split("\n") if path and path != "/."]
    for path in files:
        state = os.lstat(root.at(path))
        if path.startswith(f"/etc/{name}") or os.path.islink(root.at(path)):
            continue
        check((state.st_uid, state.st_gid) == (0, 0) and not state.st_mode & 0o6022, f"{path} has mode {state.st_mode:o}")
    for path in (
            f"/usr/share/man/man1/{name}.1.gz", f"/usr/share/man/man5/{name}.toml.5.gz", f"/usr/share/doc/{name}/copyright",
            f"/usr/share/doc/{name}/changelog.gz", f"/usr/share/doc/{name}/third-party-licences.txt.gz",
            f"/usr/share/bash-completion/completions/{name}", f"/usr/share/zsh/vendor-completions/_{name}",
            f"/usr/share/fish/vendor_completions.d/{name}.fish", f"/usr/share/{name}/mosquitto/users.py"):
        check(path in files, f"{name} has no {path}")
    run("bash", "-n", root.at(f"/usr/share/bash-completion/completions/{name}"))
    size = int(root.must("dpkg-query", "-W", "-f", "${Installed-Size}", name)) / 1000
    print(f"  {name}: {size:.1f} MB installed", flush=True)
    check(size <= LARGEST[name], f"{name} takes {size:.1f} MB. Expected at most {LARGEST[name]}.")
    linked = run("readelf", "--dynamic", "--wide", root.at(f"/usr/bin/{name}"))
    check("RUNPATH" not in linked and "RPATH" not in linked, f"{name} has a path for libraries")
    # None of the build's own directories, and no symbols.
    with open(root.at(f"/usr/bin/{name}"), "rb") as file:
        content = file.read()
    check(os.fsencode(ROOT) + b"/" not in content, f"{name} has the directory of its build in it")


def look_at_gateway(root):
    """What only the gateway's package has."""
    check(root.read("/lib/udev/rules.d/60-beacon-gateway.rules").count("\n") > 10, "the gateway has no rules for udev")
    check("beacon-gateway" in root.must("getent", "group", "dialout"), "beacon-gateway is not in the group dialout")


def look_at_units(root):
    units = sorted(glob.glob(root.at("/lib/systemd/system/beacon-*")))
    output = root.call("systemd-analyze", "verify", "--man=no", *(path[len(root.path):] for path in units if "@" not in path))[1]
    about = [line for line in output.split("\n") if "beacon-" in line]
    check(not about, "systemd-analyze verify: " + "; ".join(about))


def look_at_programs(root):
    """The programs run, with the packages' libraries only."""
    for name, file, said in (
            ("beacon-gateway", "gateway.toml", "is valid: publishes below beacons/v1/campus/main/1/east/"),
            ("beacon-matcher", "matcher.toml", "is valid: stores beacons/v1/# in /var/lib/beacon-matcher/store.sqlite")):
        example = f"/usr/share/doc/{name}/examples/{file}"
        check(said in root.must(f"/usr/bin/{name}", "run", "--check", "--config", example, user=name), f"{example} is not valid")
    status, output = root.call(
        "/usr/bin/beacon-gateway", "doctor", "--no-measure", "--config", "/usr/share/doc/beacon-gateway/examples/gateway.toml")
    check(status in (0, 69) and "adapter" in output, f"doctor ended with status {status}: {output[:400]}")


def fill(root):
    """Configurations and state of both programs, with the markers in them."""
    for name, file in (("beacon-gateway", "gateway.toml"), ("beacon-matcher", "matcher.toml")):
        example = root.read(f"/usr/share/doc/{name}/examples/{file}")
        root.write(f"/etc/{name}/{file}", f"{example}\n# {MARKERS[0]}\n", 0o640)
        root.must("chown", f"root:{name}", f"/etc/{name}/{file}")
        # What systemd does for StateDirectory.
        root.must("install", "-d", "-m", "700", "-o", name, "-g", name, f"/var/lib/{name}", f"/var/cache/{name}")
        root.write(f"/var/cache/{name}/kept", MARKERS[1])
    outbox = root.at("/var/lib/beacon-gateway/outbox.db")
    run(PROBE, "--port", "1", "--outbox", outbox, "--count", str(RECORDS), "--batch", "100", "--patience", "0")
    root.must("chown", "-R", "beacon-gateway:beacon-gateway", "/var/lib/beacon-gateway")
    root.write("/tmp/people.csv", f"number,name,contact,subject\n1001,Änne {MARKERS[0]},anne@example.org,{SUBJECT}\n")
    matcher("people", "import", "/tmp/people.csv", root=root)
    os.remove(root.at("/tmp/people.csv"))


def matcher(*arguments, root):
    return root.must(
        "/usr/bin/beacon-matcher", *arguments, "--config", "/etc/beacon-matcher/matcher.toml", user="beacon-matcher")


def look_at_state(root, moment):
    """Configuration, outbox and store are as they were filled."""
    for name, file in (("beacon-gateway", "gateway.toml"), ("beacon-matcher", "matcher.toml")):
        check(MARKERS[0] in root.read(f"/etc/{name}/{file}"), f"/etc/{name}/{file} has lost its changes {moment}")
        user = root.must("getent", "passwd", name).strip().split(":")
        check(os.stat(root.at(f"/var/lib/{name}")).st_uid == int(user[2]), f"/var/lib/{name} is not of {name} {moment}")
    check(os.path.exists(root.at("/var/lib/beacon-gateway/outbox.db")), f"there is no outbox {moment}")
    if not os.path.exists(root.at("/usr/bin/beacon-gateway")):
        return
    output = root.must(
        "/usr/bin/beacon-gateway", "outbox", "status", "--json", "--config", "/etc/beacon-gateway/gateway.toml",
        user="beacon-gateway")
    check(f'"records":{RECORDS}' in output, f"the outbox has other records {moment}: {output}")
    # A name with marks of its letters is found without them, whatever of ICU's data is there.
    for text in (MARKERS[0], "zwolfkafer", "anne zwö", "1001"):
        output = matcher("people", "list", text, root=root)
        check(MARKERS[0] in output, f"{text} does not find the person {moment}: {output}")


def look_at_rest(root, before):
    """Nothing of the packages, and no personal data, is left."""
    left = sorted(path for path in root.names() - before if not re.match(
        # What dpkg, apt and adduser write whatever is installed, and the users, which stay without files.
        r"/(tmp|root|proc|dev|run/(systemd|lock)|var/cache/(apt|debconf|ldconfig)|var/lib/(apt|dpkg|systemd|ucf)|var/log|etc/(passwd|group|shadow|gshadow)-?)(/|$)"
        r"|/var/cache/man|/usr/share/(man|doc|fish|zsh|bash-completion|lintian)/?[\w.]*$|/etc/ld.so.cache", path))
    check(not left, f"left after the purge: {', '.join(left)}")
    holding = root.holding(MARKERS)
    check(not holding, f"personal data is left after the purge: {', '.join(holding)}")
    own = sorted(path for path in root.names() if re.search(r"beacon-(gateway|matcher|ocr)", path))
    check(not own, f"names are left after the purge: {', '.join(own)}")


def demonstrate(root):
    """The page, a report and its exposures with the installed programs; the libraries are this machine's."""
    environment = {**os.environ, "DEMO_SECONDS": "60", "DEMO_PROGRAMS": root.at("/usr/bin")}
    result = subprocess.run(
        [os.path.join(ROOT, "scripts", "demo.sh")], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False, timeout=600)
    check(result.returncode == 0, f"the demonstration with the installed programs failed:\n{result.stdout[-2000:]}")


def main(arguments):
    found = {name: sorted(glob.glob(os.path.join(PACKAGES, f"{name}_*.deb"))) for name in NAMES}
    if any(len(paths) != 1 for paths in found.values()):
        print(f"error: there are no packages in {PACKAGES}\n  what to do: make deb", file=sys.stderr)
        return 69
    if os.getuid() != 0 or not shutil.which("mmdebstrap"):
        print("skipped: this needs root, and mmdebstrap")
        return SKIPPED
    packages = [found[name][0] for name in NAMES]
    for package in packages:
        sbom = re.sub(r"\.deb$", ".spdx.json", package)
        result = subprocess.run([os.path.join(ROOT, "scripts", "sbom.py"), "check", sbom, package], check=False)
        check(result.returncode == 0, f"{sbom} is not a good SBOM")
    said = subprocess.run(
        ["lintian", "--profile", "debian", "--fail-on", "error,warning", *packages], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})
    check(said.returncode == 0, f"lintian:\n{said.stdout}")
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "root")
        os.mkdir(path)
        root = Root(path, base(packages))
        before = root.names()
        print("installing ...", flush=True)
        root.install(*(older(package, place) for package in packages))
        for name, package in zip(NAMES, packages):
            look_at_files(root, name, re.match(r"\d+\.\d+\.\d+", field(package, "Version"))[0])
        look_at_gateway(root)
        look_at_units(root)
        look_at_programs(root)
        fill(root)
        look_at_state(root, "before the upgrade")
        print("upgrading ...", flush=True)
        root.install(*packages)
        for name, package in zip(NAMES, packages):
            version = root.must("dpkg-query", "-W", "-f", "${Version}", name)
            check(version == field(package, "Version"), f"{name} has version {version} after the upgrade")
        look_at_state(root, "after the upgrade")
        if "--no-demo" not in arguments:
            print("demonstrating ...", flush=True)
            demonstrate(root)
        print("removing ...", flush=True)
        root.must("apt-get", "remove", "--yes", *NAMES)
        for name in NAMES:
            check(not os.path.exists(root.at(f"/usr/bin/{name}")), f"{name} is there after its removal")
        look_at_state(root, "after the removal")
        print("purging ...", flush=True)
        root.must("apt-get", "purge", "--yes", *NAMES)
        look_at_rest(root, before)
    print(f"{passed} passed, {len(problems)} failed")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Checks deploy/container without an engine for containers: everything that its files name exists, and fits together.

    check-container.py                        the files among each other and with the package
    check-container.py --programs DIRECTORY   and that the program accepts the configuration of the container

Whether the images build and run isn't checked: no engine runs where this does.
"""

import argparse
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: there is no python3-yaml")
    sys.exit(77)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = os.path.join(ROOT, "deploy", "container")
USAGE = 64
# What the operator makes: docs/guide/packages.md.
MADE = ("./secrets/", "./certs")
# What the images of others listen on, read and write. Of their documentation.
IMAGES = {
    "docker.io/library/eclipse-mosquitto:2.0": {
        "environment": set(), "directories": {"/mosquitto/config", "/mosquitto/certs", "/mosquitto/data"}},
    "docker.io/library/postgres:15": {
        "environment": {"POSTGRES_DB", "POSTGRES_USER", "POSTGRES_PASSWORD_FILE"},
        "directories": {"/var/lib/postgresql/data", "/var/run/postgresql"}},
}
problems = []


def check(holds, what):
    if not holds:
        problems.append(what)


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def instructions(text):
    """The instructions of a Containerfile: name and arguments."""
    text = re.sub(r"(?m)^\s*#.*\n", "", text).replace("\\\n", " ")
    return [(line.split(None, 1)[0], re.sub(r"\s+", " ", line.split(None, 1)[1])) for line in text.split("\n") if line.strip()]


def value_of(toml, table, key):
    """A value of a table of TOML in our own files."""
    match = re.search(rf"(?ms)^\[{table}\]\n((?!\[).)*?^{key} = \"?([^\"\n#]*)", toml)
    return match[2].strip() if match else None


def containerfile(matcher):
    """What is wrong with the Containerfile."""
    found = instructions(text_of("deploy", "container", "Containerfile"))
    known = {"FROM", "RUN", "COPY", "USER", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    check(not {name for name, _ in found} - known, f"Containerfile: unknown instructions {({name for name, _ in found} - known)}")
    by_name = {name: value for name, value in found if name != "RUN"}
    check(by_name.get("FROM") == "debian:12-slim", "Containerfile: FROM is not debian:12-slim, for which the package is built")
    names = [f"beacon-matcher_{version}_{architecture}.deb" for version in ("0.2.0", "0.2.0+git1.a") for architecture in ("amd64", "arm64")]
    for name, value in found:
        if name == "COPY":
            pattern = os.path.basename(value.split(" ")[0])
            check(value.startswith(".build/packages/"), f"Containerfile: COPY {value}: scripts/deb.sh writes .build/packages")
            check(all(fnmatch.fnmatch(each, pattern) for each in names), f"Containerfile: {pattern} is not what scripts/deb.sh writes")
            check(not fnmatch.fnmatch("beacon-matcher-dbgsym_0.2.0_amd64.deb", pattern), f"Containerfile: {pattern} takes symbols too")
        if name == "RUN" and "apt-get install" in value:
            for wanted in ("apt-get update", "--yes", "--no-install-recommends", "rm -rf", "/var/lib/apt/lists/*"):
                check(wanted in value, f"Containerfile: apt-get install without {wanted}")
        check(name != "RUN" or "sudo" not in value, "Containerfile: RUN with sudo")
    user = by_name.get("USER", "")
    check(f"\nu {user} - " in text_of("deploy/sysusers/beacon-matcher.conf"), f"Containerfile: USER {user} is not the package's user")
    check("useradd --system --uid 900 --gid 900" in " ".join(value for name, value in found if name == "RUN"),
          "Containerfile: the user has no fixed number")
    program = json.loads(by_name["ENTRYPOINT"])[0]
    installed = [f"/{target}/{os.path.basename(source)}" for source, target in (
        line.split() for line in text_of("deploy/debian/beacon-matcher.install").split("\n") if line)]
    check(program in installed, f"Containerfile: the package does not install {program}")
    listen = value_of(matcher, "api", "listen") or ""
    check(by_name.get("EXPOSE") == listen.rpartition(":")[2], f"Containerfile: EXPOSE is not the port of api.listen, {listen}")
    check(by_name.get("VOLUME") == "/var/lib/beacon-matcher", "Containerfile: VOLUME is not the state directory")
    check(json.loads(by_name["CMD"])[:2] == ["run", "--config"], "Containerfile: CMD is not `run --config`")
    return by_name


def health_address():
    """Where the matcher says whether it works: the default of metrics.listen."""
    match = re.search(
        r"(?ms)^## `\[metrics\]`$(?:(?!^## ).)*?^\| `listen` \| `([^`]+)` \|", text_of("docs/guide/matcher/configuration.md"))
    return f"http://{match[1]}/healthz" if match else None


def compose(matcher, image):
    """What is wrong with compose.yaml."""
    with open(os.path.join(PLACE, "compose.yaml"), encoding="utf-8") as file:
        document = yaml.safe_load(file)
    services = document["services"]
    used = {"secrets": set(), "volumes": set()}
    for name, service in services.items():
        where = f"compose.yaml: {name}"
        check(("image" in service) != ("build" in service), f"{where}: either image or build is needed")
        known = IMAGES.get(service.get("image"))
        check("build" in service or known, f"{where}: an image of which this check knows nothing: {service.get('image')}")
        check(service.get("restart") == "unless-stopped" and "healthcheck" in service, f"{where}: without restart or healthcheck")
        environment = set(service.get("environment", {}))
        check(environment <= (known["environment"] if known else set()), f"{where}: unknown environment {environment}")
        for volume in service.get("volumes", []):
            source, target = volume.split(":")[:2]
            if source.startswith("./"):
                there = os.path.exists(os.path.join(PLACE, source)) or source.startswith(MADE)
                check(there, f"{where}: there is no {source}")
                check(volume.endswith(":ro"), f"{where}: {source} can be written")
            else:
                used["volumes"].add(source)
            if known:
                check({target, os.path.dirname(target)} & known["directories"], f"{where}: the image does not use {target}")
        used["secrets"] |= set(service.get("secrets", []))
        for other in service.get("depends_on", {}):
            check(other in services, f"{where}: depends on {other}, which isn't there")
    for kind, names in used.items():
        declared = set(document.get(kind) or {})
        check(declared == names, f"compose.yaml: {kind} that are declared and used differ: {sorted(declared ^ names)}")
    for name, secret in document["secrets"].items():
        check(secret == {"file": f"./secrets/{name}"}, f"compose.yaml: the secret {name} is not ./secrets/{name}")
    service = services["matcher"]
    check(os.path.normpath(os.path.join(PLACE, service["build"]["context"])) == ROOT, "compose.yaml: the context isn't the repository")
    check(os.path.exists(os.path.join(ROOT, service["build"]["dockerfile"])), "compose.yaml: there is no such Containerfile")
    config = json.loads(image["CMD"])[2]
    check(f"./matcher.toml:{config}:ro" in service["volumes"], f"compose.yaml: {config} is not mounted")
    port = (value_of(matcher, "api", "listen") or "").rpartition(":")[2]
    check(service["ports"] == [f"127.0.0.1:{port}:{port}"], f"compose.yaml: the API's port {port} is not published on loopback only")
    secrets = set(re.findall(r'"/run/secrets/([^"]+)"', matcher))
    check(secrets == set(service["secrets"]), f"matcher.toml and compose.yaml name other secrets: {sorted(secrets ^ set(service['secrets']))}")
    check(value_of(matcher, "mqtt", "host") in services, "matcher.toml: mqtt.host is no service")
    said = json.loads(image["HEALTHCHECK"].split("CMD ", 1)[1])
    check(service["healthcheck"]["test"] == ["CMD", *said], "the health checks of Containerfile and compose.yaml differ")
    address = health_address()
    check(address == said[-1], f"the health check asks {said[-1]}; the matcher answers at {address}")


def mosquitto():
    """What mosquitto.conf names, and how it differs from the one that is tested."""
    own, tested = text_of("deploy/container/mosquitto.conf"), text_of("deploy/mosquitto/beacons.conf")

    def settings(text):
        return {line for line in text.split("\n") if line and not line.startswith("#")}

    places = re.compile(r"^(plugin|plugin_opt_config_file|persistence_location|listener|cafile|certfile|keyfile) ")
    different = {line for line in settings(own) - settings(tested) if not places.match(line)}
    check(not different, f"mosquitto.conf has settings that deploy/mosquitto/beacons.conf hasn't: {sorted(different)}")
    lost = {line for line in settings(tested) - settings(own) if not places.match(line) and line != "max_connections 300"}
    check(not lost, f"mosquitto.conf lacks settings of deploy/mosquitto/beacons.conf: {sorted(lost)}")
    with open(os.path.join(PLACE, "compose.yaml"), encoding="utf-8") as file:
        broker = yaml.safe_load(file)["services"]["broker"]
    listeners = re.findall(r"(?m)^listener (\d+)$", own)
    check(broker["ports"] == ["8883:8883"] and "8883" in listeners, "compose.yaml publishes other ports than TLS of the broker")
    for secret in re.findall(r"/run/secrets/(\S+)", own):
        check(secret in broker["secrets"], f"mosquitto.conf names the secret {secret}, which the broker hasn't")


def configuration(programs, matcher):
    """Whether the program accepts the configuration, with secrets of this check."""
    with tempfile.TemporaryDirectory() as place:
        for name, text in (
                ("mqtt-password", "secret"), ("store", "postgresql:///beacons?host=/var/run/postgresql&user=matcher&password=x")):
            path = os.path.join(place, name)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
                file.write(text + "\n")
        path = os.path.join(place, "matcher.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(matcher.replace("/run/secrets/", place + "/"))
        result = subprocess.run(
            [os.path.join(programs, "beacon-matcher"), "run", "--check", "--config", path], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False, timeout=60)
    check(result.returncode == 0 and "matcher.toml is valid" in result.stdout, f"beacon-matcher refuses matcher.toml:\n{result.stdout}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", metavar="DIRECTORY")
    options = parser.parse_args()
    matcher = text_of("deploy", "container", "matcher.toml")
    if options.programs:
        configuration(options.programs, matcher)
    else:
        compose(matcher, containerfile(matcher))
        mosquitto()
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SystemExit as end:
        sys.exit(USAGE if end.code == 2 else end.code)

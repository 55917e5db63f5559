#!/usr/bin/env python3
"""Says what a built program is made of: the Swift packages and the runtime inside it, and the Debian libraries beside it.

    sbom.py write PROGRAM --package FILE.deb --number VERSION    prints an SBOM in SPDX 2.3 (JSON) of a Debian package
    sbom.py licences PROGRAM                                     prints the licences of what is linked into the program
    sbom.py check FILE.spdx.json FILE.deb                        checks an SBOM against its package

--scratch names the build directory (default: .build/deb). What is linked is read from the build, not from Package.swift:
a package of which nothing is linked isn't in the list. The same build gives the same bytes.
"""

import argparse
import datetime
import glob
import hashlib
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import dependencies  # noqa: E402  pylint: disable=wrong-import-position

ROOT = dependencies.ROOT
FAILED, USAGE, UNAVAILABLE = 1, 64, 69
Failure = dependencies.Failure
# Sources of others inside packages, by the module that has them: name, licence, who says so.
VENDORED = {
    "CCryptoBoringSSL": ("BoringSSL", "Apache-2.0 AND ISC AND MIT AND OpenSSL"),
    "CNIOBoringSSL": ("BoringSSL", "Apache-2.0 AND ISC AND MIT AND OpenSSL"),
    "CNIOLLHTTP": ("llhttp", "MIT"),
    "CXKCP": ("XKCP", "CC0-1.0"),
}
SWIFT = "Apache-2.0 WITH Swift-exception"


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Failure(
            f"`{' '.join(command)}` failed: {result.stderr.strip()}", "correct what it says, and run this again",
            UNAVAILABLE)
    return result.stdout.strip()


# MARK: What is linked


def modules_of(scratch, program):
    """The names of the modules of a program, with the directory of their objects."""
    path = os.path.join(scratch, "release", f"{program}.product", "Objects.LinkFileList")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}", "build the programs: `make deb`", UNAVAILABLE) from error
    found = re.findall(r"""(?m)^['"]?(.*/([^/\n]+)\.build)/""", text)
    return {module: directory for directory, module in found}


def checkout_of(directory):
    """The name of the checkout that a module's sources are in; none for this project's own."""
    maps = glob.glob(os.path.join(directory, "output-file-map.json"))
    for path in maps or sorted(glob.glob(os.path.join(directory, "**", "*.d"), recursive=True))[:1]:
        with open(path, encoding="utf-8") as file:
            match = re.search(r"/checkouts/([^/]+)/", file.read())
        return match[1] if match else None
    return None


def linked(scratch, program):
    """The packages that a program has modules of, with those modules."""
    by_checkout = {}
    for module, directory in sorted(modules_of(scratch, program).items()):
        checkout = checkout_of(directory)
        if checkout:
            by_checkout.setdefault(checkout, []).append(module)
    known = {each["checkout"]: each for each in dependencies.resolved(scratch).values()}
    missing = sorted(set(by_checkout) - set(known))
    if missing:
        raise Failure(
            f"the build has sources of {', '.join(missing)}, of which SwiftPM doesn't say the version",
            f"delete {scratch} and build again", UNAVAILABLE)
    return [{**known[checkout], "modules": modules} for checkout, modules in sorted(by_checkout.items())]


def licence_files(directory):
    return sorted(path for path in glob.glob(os.path.join(directory, "*"))
                  if re.match(r"(?i)(licen[cs]e|notice|copying)", os.path.basename(path)) and os.path.isfile(path))


def licence_of(directory):
    """The SPDX expression of a package's licence, by its text."""
    text = ""
    for path in licence_files(directory):
        if not os.path.basename(path).lower().startswith("notice"):
            with open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()
    if "Apache License" in text:
        return SWIFT if "Runtime Library Exception" in text else "Apache-2.0"
    return "MIT" if "Permission is hereby granted, free of charge" in text else "NOASSERTION"


def toolchain():
    """The version of the toolchain, and its licence's file."""
    version = re.search(r"Swift version (\S+)", run("swift", "--version"))[1]
    swift = os.path.realpath(run("sh", "-c", "command -v swift"))
    return version, os.path.join(os.path.dirname(os.path.dirname(swift)), "share", "swift", "LICENSE.txt")


# MARK: SPDX


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(kind, name, version, licence, **more):
    return {
        "SPDXID": identifier(kind, name), "name": name, "versionInfo": version,
        "downloadLocation": more.pop("location", "NOASSERTION"), "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def reference(category, kind, locator):
    return {"referenceCategory": category, "referenceType": kind, "referenceLocator": locator}


def swift_package(each, scratch):
    address = each["address"].removesuffix(".git")
    return package(
        "Swift", each["name"], each["version"], licence_of(os.path.join(scratch, "checkouts", each["checkout"])),
        location=f"git+{address}.git@{each['version']}",
        comment=f"Linked statically: {', '.join(each['modules'])}.",
        externalRefs=[
            reference(
                "PACKAGE-MANAGER", "purl", f"pkg:swift/{address.removeprefix('https://')}@{each['version']}"),
            # Of all files, as git counts them: the same in every copy of the repository.
            reference("PERSISTENT-ID", "swh", f"swh:1:dir:{each['tree']}"),
        ])


def dependencies_of(text):
    """The packages of a Depends field; of alternatives the first that is installed here."""
    for alternatives in text.split(","):
        names = [re.match(r"\s*([a-z0-9.+-]+)", alternative)[1] for alternative in alternatives.split("|")]
        yield next((name for name in names if subprocess.run(
            ["dpkg-query", "-W", name], capture_output=True, check=False).returncode == 0), names[0])


def debian_package(name, architecture):
    version, source = run("dpkg-query", "-W", "-f", "${Version} ${source:Package}", name).split(" ")
    return package(
        "Debian", name, version, "NOASSERTION", sourceInfo=f"source package {source}",
        comment="The version with which the package was built.",
        externalRefs=[reference("PACKAGE-MANAGER", "purl", f"pkg:deb/debian/{name}@{version}?arch={architecture}")])


def written(options):
    fields = dict(zip(("Package", "Version", "Architecture", "Depends"), run(
        "dpkg-deb", "--show", "--showformat", "${Package}\n${Version}\n${Architecture}\n${Depends}", options.package
    ).split("\n")))
    with open(options.package, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    name, architecture = fields["Package"], fields["Architecture"]
    root = package(
        "Package", name, fields["Version"], "Apache-2.0", packageFileName=os.path.basename(options.package),
        supplier="NOASSERTION", checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
        externalRefs=[reference(
            "PACKAGE-MANAGER", "purl", f"pkg:deb/{name}@{fields['Version']}?arch={architecture}".replace("+", "%2B"))])
    swift_version, _ = toolchain()
    parts = [package(
        "Swift", "swift-runtime", swift_version, SWIFT, location=f"git+https://github.com/swiftlang/swift.git@swift-{swift_version}-RELEASE",
        comment="Standard library, Concurrency, Dispatch, Foundation and its ICU, linked statically; of ICU's data only a part."),
        *(swift_package(each, options.scratch) for each in linked(options.scratch, name))]
    vendored = {VENDORED[module][0]: package(
        "Vendored", VENDORED[module][0], "NOASSERTION", VENDORED[module][1], comment=f"Inside {each['name']} {each['version']}.")
        for each in linked(options.scratch, name) for module in each["modules"] if module in VENDORED}
    libraries = [debian_package(library, architecture) for library in sorted(set(dependencies_of(fields["Depends"])))]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", root["SPDXID"])]
    relations += [(root["SPDXID"], "STATIC_LINK", part["SPDXID"]) for part in [*parts, *vendored.values()]]
    relations += [(root["SPDXID"], "DEPENDS_ON", library["SPDXID"]) for library in libraries]
    moment = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": os.path.basename(options.package),
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{options.number}-{digest}",
        "creationInfo": {
            "created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: beacon-gateway-sbom.py"]},
        "documentDescribes": [root["SPDXID"]],
        "packages": [root, *parts, *vendored.values(), *libraries],
        "relationships": [
            {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": other}
            for element, kind, other in relations],
    }


# MARK: Check


REQUIRED = ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "relationships")
REQUIRED_OF_PACKAGES = ("SPDXID", "name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared")


def problems_of(document, deb):
    """What an SBOM lacks of SPDX 2.3's required fields and of NTIA's minimum elements, and where it isn't of the package."""
    problems = [f"there is no {name}" for name in REQUIRED if not document.get(name)]
    if problems:
        return problems
    if document["spdxVersion"] != "SPDX-2.3" or document["dataLicense"] != "CC0-1.0":
        problems.append("spdxVersion is not SPDX-2.3, or dataLicense is not CC0-1.0")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"].get("created", "")):
        problems.append("creationInfo.created is not a time")
    identifiers = [each.get("SPDXID", "") for each in document["packages"]]
    problems += [f"{each} is there twice" for each in sorted({each for each in identifiers if identifiers.count(each) > 1})]
    for each in document["packages"]:
        name = each.get("name", "?")
        problems += [f"the package {name} has no {key}" for key in REQUIRED_OF_PACKAGES if not each.get(key)]
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each.get("SPDXID", "")):
            problems.append(f"the package {name} has an SPDXID of other characters")
        kind = each.get("SPDXID", "").split("-")[1:2]
        if kind in (["Swift"], ["Debian"]) and not re.match(r"\d", each.get("versionInfo", "")):
            problems.append(f"the package {name} has no version")
    related = {relation["relatedSpdxElement"] for relation in document["relationships"]}
    known = {*identifiers, "SPDXRef-DOCUMENT"}
    problems += [f"there is a relationship with {each}, which isn't there" for each in sorted(related - known)]
    problems += [f"nothing has a relationship with {each}" for each in sorted(set(identifiers) - related)]
    root = document["packages"][0]
    with open(deb, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    if root.get("checksums") != [{"algorithm": "SHA256", "checksumValue": digest}]:
        problems.append(f"the checksum isn't that of {deb}")
    names = {each["name"] for each in document["packages"]}
    wanted = dependencies_of(run("dpkg-deb", "--field", deb, "Depends"))
    problems += [f"there is no {name}, on which the package depends" for name in wanted if name not in names]
    problems += [f"there is no {name}" for name in ("swift-runtime", "swift-argument-parser", "grdb.swift") if name not in names]
    return problems


def check(options):
    try:
        with open(options.sbom, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError) as error:
        raise Failure(f"cannot read {options.sbom}: {error}", "build the packages again: `make deb`", UNAVAILABLE) from error
    problems = problems_of(document, options.package)
    for problem in problems:
        print(f"error: {options.sbom}: {problem}", file=sys.stderr)
    return FAILED if problems else 0


def write(options):
    json.dump(written(options), sys.stdout, indent=2, sort_keys=True)
    print()
    return 0


def licences(options):
    version, path = toolchain()
    parts = [(f"Swift {version}, runtime and Foundation", [path])]
    for each in linked(options.scratch, options.program):
        parts.append((f"{each['name']} {each['version']}", licence_files(os.path.join(options.scratch, "checkouts", each["checkout"]))))
    print(f"Licences of what is linked into {options.program}, beside its own.")
    for name, paths in parts:
        if not paths:
            raise Failure(f"{name} has no file with a licence", "look at its repository, and adapt sbom.py", UNAVAILABLE)
        print(f"\n\n{'=' * 78}\n{name}\n{'=' * 78}")
        for path in paths:
            with open(path, encoding="utf-8", errors="replace") as file:
                print("\n" + file.read().rstrip())
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    for name, action in (("write", write), ("licences", licences)):
        one = actions.add_parser(name)
        one.add_argument("program", metavar="PROGRAM")
        one.add_argument("--scratch", metavar="DIRECTORY", default=os.path.join(ROOT, ".build", "deb"))
        one.set_defaults(action=action)
        if name == "write":
            one.add_argument("--package", metavar="FILE", required=True)
            one.add_argument("--number", metavar="VERSION", required=True)
    one = actions.add_parser("check")
    one.add_argument("sbom", metavar="SBOM")
    one.add_argument("package", metavar="PACKAGE")
    one.set_defaults(action=check)
    options = parser.parse_args()
    return options.action(options)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(failure.status)
    except SystemExit as end:
        sys.exit(USAGE if end.code == 2 else end.code)

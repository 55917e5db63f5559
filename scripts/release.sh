#!/bin/bash
# Makes a release: changelog, version, tests, artefacts, commit and tag. It pushes nothing.
#
#   release.sh [--dry-run] X.Y.Z
#
# --dry-run shows what would change, and changes nothing. A version that the last commit states already, in the changelog and
# in the programs, is built and tagged as it is: so `make test-all` can check exactly what is released. When a step before
# the tag fails, everything is as before. Exit status: 0 success, 1 the release is refused or a step failed, 64 wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."

# The file that says the version, once, as `number = "X.Y.Z"`.
version_file=Sources/OperatorText/ProductVersion.swift
programs=(beacon-gateway beacon-matcher)
packages=.build/packages
changelog=CHANGELOG.md
artefacts=.build/artefacts

# fail STATUS ERROR REMEDY
fail() {
    printf 'error: %s\n  what to do: %s\n' "$2" "$3" >&2
    exit "$1"
}

usage() {
    sed -n '4s/^# *//p' scripts/release.sh
}

pattern='(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)'
version=
is_dry=
for argument; do
    case $argument in
        --dry-run) is_dry=yes ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            [ -z "$version" ] || fail 64 "more than one version: $version and $argument" "give one: $(usage)"
            [[ $argument =~ ^$pattern$ ]] || fail 64 "$argument is not a version. Expected X.Y.Z, such as 1.2.0." "$(usage)"
            version=$argument
            ;;
    esac
done
[ -n "$version" ] || fail 64 "the version is missing" "$(usage)"
tag=v$version

# What the release is made from

branch=$(git symbolic-ref --quiet --short HEAD) ||
    fail 1 "no branch is checked out" "check out the branch to release from, for example \`git switch main\`"
changes=$(git status --porcelain)
[ -z "$changes" ] || fail 1 "the working tree has changes:
$changes" "commit, stash or remove them, and run this again"

# Tags of another form, such as release candidates, are not compared.
last=$(git tag --list 'v*' | sed -nE "s/^v($pattern)\$/\\1/p" | sort -V | tail -n 1)
if [ -n "$last" ]; then
    highest=$(printf '%s\n' "$last" "$version" | sort -V | tail -n 1)
    { [ "$version" != "$last" ] && [ "$highest" = "$version" ]; } ||
        fail 1 "version $version is not greater than the last tag, v$last" "choose a version greater than $last"
fi

declaration="(\\bnumber = )\"$pattern\""
[ -f "$version_file" ] || fail 1 "there is no $version_file" "correct version_file at the top of scripts/release.sh"
count=$(grep -cE "$declaration" "$version_file" || true)
[ "$count" = 1 ] || fail 1 "$version_file has $count lines that say a version. Expected one." \
    "correct version_file at the top of scripts/release.sh"

grep -qx '## \[Unreleased\]' "$changelog" ||
    fail 1 "$changelog has no section [Unreleased]" "add the line '## [Unreleased]' with the changes below it"
# Headings alone are not changes.
has_changes() {
    awk -v heading="## [$1]" 'index($0, "## ") == 1 {inside = index($0, heading) == 1; next} inside && NF && !/^#/ {found = 1}
        END {exit !found}' "$changelog"
}
is_prepared=
if grep -qF "## [$version]" "$changelog"; then
    grep -qF "number = \"$version\"" "$version_file" ||
        fail 1 "$changelog has a section [$version] already, but $version_file states another version" \
            "choose another version, or correct $changelog"
    has_changes "$version" || fail 1 "the section [$version] of $changelog is empty" "write down what has changed, and commit it"
    has_changes Unreleased &&
        fail 1 "$changelog has a section [$version] already, and changes that are not in it" \
            "choose another version, or move the changes into the section [$version], and commit it"
    is_prepared=yes
else
    has_changes Unreleased ||
        fail 1 "the section [Unreleased] of $changelog is empty" "write down what has changed, and commit it"
fi

# Changes

changed=("$changelog" "$version_file")
[ -z "$is_prepared" ] || changed=()
work=$(mktemp -d)
before=
finish() {
    status=$?
    trap - EXIT
    rm -rf "$work"
    if [ -n "$before" ]; then
        # The working tree was clean.
        git reset --quiet --hard "$before"
        echo "Nothing was released; $changelog and $version_file are as before." >&2
    fi
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

today=$(date -u +%F)
for file in "${changed[@]}"; do
    mkdir -p "$work/$(dirname "$file")"
    if [ "$file" = "$changelog" ]; then
        sed "s/^## \\[Unreleased\\]\$/&\\n\\n## [$version] - $today/" "$file"
    else
        sed -E "s/$declaration/\\1\"$version\"/" "$file"
    fi >"$work/$file"
done

sign=(--annotate)
kind="an annotated tag; user.signingkey is not set"
if git config user.signingkey >/dev/null; then
    sign=(--sign)
    kind="a signed tag"
fi
# SHA256SUMS gets a signature by the same key; git can sign by ssh and X.509, too, which gpg cannot.
signing_key=
[ "${sign[0]}" != --sign ] || [ "$(git config gpg.format || echo openpgp)" != openpgp ] || signing_key=$(git config user.signingkey)
if [ -n "$is_dry" ]; then
    echo "Release $version, after ${last:-no release}, from the branch $branch. Nothing is changed."
    echo
    for file in "${changed[@]}"; do
        diff -u --label "$file" --label "$file" "$file" "$work/$file" || true
    done
    echo
    commit="commit \"Release $version\" with sign-off"
    [ -z "$is_prepared" ] || commit="no commit, as $(git rev-parse --short HEAD) states this version"
    echo "Then: make test; $commit; build ${programs[*]} and their Debian"
    echo "packages into $artefacts, with SBOMs and SHA256SUMS${signing_key:+, signed by $signing_key}; tag $tag ($kind)."
    exit 0
fi

before=$(git rev-parse HEAD)
for file in "${changed[@]}"; do
    # Keeps the permissions of the file.
    cat "$work/$file" >"$file"
done

make test || fail 1 "the tests failed" "correct what failed, commit it, and run this again"

# The programs say the commit that they were built from.
[ -n "$is_prepared" ] || git commit --quiet --signoff --message "Release $version" -- "${changed[@]}"
BEACON_COMMIT=$(git rev-parse --short HEAD)
export BEACON_COMMIT

make deb DEB_OPTIONS=--release || fail 1 "the packages do not build" "correct the build, commit it, and run this again"
# 77: it needs root, and mmdebstrap, which make has installed.
Tests/Packages/check.py || [ $? = 77 ] ||
    fail 1 "the packages do not install" "correct what failed, commit it, and run this again"
rm -rf "$artefacts"
mkdir -p "$artefacts"
cp "$packages"/*.deb "$packages"/*.spdx.json "$artefacts/"
for program in "${programs[@]}"; do
    built=.build/deb/release/$program
    said=$("$built" --version)
    [ "$said" = "$version ($BEACON_COMMIT)" ] ||
        fail 1 "$built says that it is version $said. Expected $version ($BEACON_COMMIT)." \
            "correct version_file at the top of scripts/release.sh"
    [ -e "$artefacts/${program}_${version}_$(dpkg --print-architecture).deb" ] ||
        fail 1 "there is no package of $program $version in $packages" "correct scripts/deb.sh"
    name=$program-$version-linux-$(uname -m)
    mkdir "$work/$name"
    install -m 755 "$built" "$work/$name/$program"
    strip "$work/$name/$program"
    install -m 644 LICENSE "$changelog" "$work/$name/"
    tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$today 00:00Z" "$name" |
        gzip -n9 >"$artefacts/$name.tar.gz"
done
(cd "$artefacts" && sha256sum -- *.deb *.spdx.json *.tar.gz >SHA256SUMS)
[ -z "$signing_key" ] || gpg --batch --yes --local-user "$signing_key" --armor --detach-sign "$artefacts/SHA256SUMS" ||
    fail 1 "gpg cannot sign SHA256SUMS by $signing_key" "correct user.signingkey, and run this again"

git tag "${sign[@]}" --message "Beacon Gateway $version" "$tag" ||
    fail 1 "the tag $tag cannot be made" "correct user.signingkey or remove the tag of that name, and run this again"
before=

remote=$(git config "branch.$branch.remote" || echo origin)
echo
echo "Release $version is committed and tagged ($kind). Artefacts in $artefacts:"
sed 's/^/  /' "$artefacts/SHA256SUMS"
echo "To publish it:"
echo "  git push --atomic $remote $branch $tag"
echo "and attach the files in $artefacts to the release."

#!/bin/bash
# Makes a release: changelog, version, tests, artefacts, commit and tag. It pushes nothing.
#
#   release.sh [--dry-run] X.Y.Z
#
# --dry-run shows what would change, and changes nothing. When a step before the commit fails, the changed files are
# restored. Exit status: 0 success, 1 the release is refused or a step failed, 64 wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."

# The files that say the version, once each, as `version = "X.Y.Z"` or `version: "X.Y.Z"`.
version_files=(Sources/Gateway/Daemon/Daemon.swift Sources/Matcher/Commands/BeaconMatcher.swift)
programs=(beacon-gateway beacon-matcher)
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

grep -qx '## \[Unreleased\]' "$changelog" ||
    fail 1 "$changelog has no section [Unreleased]" "add the line '## [Unreleased]' with the changes below it"
# Headings alone are not changes.
awk '/^## /{inside = $0 == "## [Unreleased]"; next} inside && NF && !/^#/ {found = 1} END {exit !found}' "$changelog" ||
    fail 1 "the section [Unreleased] of $changelog is empty" "write down what has changed, and commit it"
grep -qF "## [$version]" "$changelog" &&
    fail 1 "$changelog has a section [$version] already" "choose another version, or correct $changelog"

declaration="(\\bversion(:| =) )\"$pattern\""
for file in "${version_files[@]}"; do
    [ -f "$file" ] || fail 1 "there is no $file" "correct version_files at the top of scripts/release.sh"
    count=$(grep -cE "$declaration" "$file" || true)
    [ "$count" = 1 ] || fail 1 "$file has $count lines that say a version. Expected one." \
        "correct version_files at the top of scripts/release.sh"
done

# Changes

changed=("$changelog" "${version_files[@]}")
work=$(mktemp -d)
is_committed=yes
finish() {
    status=$?
    trap - EXIT
    rm -rf "$work"
    if [ -z "$is_committed" ]; then
        git restore --staged --worktree -- "${changed[@]}"
        echo "Nothing was released; ${changed[*]} are as before." >&2
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
if [ -n "$is_dry" ]; then
    echo "Release $version, after ${last:-no release}, from the branch $branch. Nothing is changed."
    echo
    for file in "${changed[@]}"; do
        diff -u --label "$file" --label "$file" "$file" "$work/$file" || true
    done
    echo
    echo "Then: make test; build ${programs[*]} into $artefacts; commit \"Release $version\" with sign-off;"
    echo "tag $tag ($kind)."
    exit 0
fi

is_committed=
for file in "${changed[@]}"; do
    # Keeps the permissions of the file.
    cat "$work/$file" >"$file"
done

make test || fail 1 "the tests failed" "correct what failed, commit it, and run this again"

# Before the commit, so that a build that fails leaves nothing to take back.
rm -rf "$artefacts"
mkdir -p "$artefacts"
for program in "${programs[@]}"; do
    swift build -c release --product "$program" --static-swift-stdlib ||
        fail 1 "$program does not build" "correct the build, commit it, and run this again"
    built=$(swift build -c release --show-bin-path)/$program
    said=$("$built" --version)
    [ "$said" = "$version" ] || fail 1 "$built says that it is version $said. Expected $version." \
        "correct version_files at the top of scripts/release.sh"
    name=$program-$version-linux-$(uname -m)
    mkdir "$work/$name"
    install -m 755 "$built" "$work/$name/$program"
    strip "$work/$name/$program"
    install -m 644 LICENSE "$changelog" "$work/$name/"
    tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$today 00:00Z" "$name" |
        gzip -n9 >"$artefacts/$name.tar.gz"
done
(cd "$artefacts" && sha256sum -- *.tar.gz >SHA256SUMS)

git commit --quiet --signoff --message "Release $version" -- "${changed[@]}"
is_committed=yes
git tag "${sign[@]}" --message "Beacon Gateway $version" "$tag" ||
    fail 1 "the commit \"Release $version\" is made, its tag is not" \
        "tag it with \`git tag ${sign[*]} --message 'Beacon Gateway $version' $tag\`, or take the commit back with \`git reset --keep HEAD^\`"

remote=$(git config "branch.$branch.remote" || echo origin)
echo
echo "Release $version is committed and tagged ($kind). Artefacts in $artefacts:"
sed 's/^/  /' "$artefacts/SHA256SUMS"
echo "To publish it:"
echo "  git push --atomic $remote $branch $tag"
echo "and attach the files in $artefacts to the release."

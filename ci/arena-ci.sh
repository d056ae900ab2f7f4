#!/bin/sh
# For continuous integration: checks a bot, grades it, or tests whether it is stronger than at the last tag.
#
#     sh arena-ci.sh check BOT [OPTION...]
#     sh arena-ci.sh grade BOT --suite SUITE [OPTION...]
#     sh arena-ci.sh sprt BOT [OPTION...]
#
# BOT is a file or a folder of the repository; the options are those of the arena's command. Writes summary.md, junit.xml,
# output.txt and the folder of the run into arena-report, and exits like the arena: 0 passed, 1 not passed, 2 usage or
# input, 3 the bot could not be used or has problems, 4 the arena or the machine failed.
#
# Variables of the environment, with their defaults:
#     ARENA_REPORT    the folder for these files [arena-report]
#     ARENA_BUILD     a command that builds the bot; for sprt it also builds the base [none]
#     ARENA_BASE      for sprt: the tag, branch or commit to compare with [the last tag before this commit]
#     ARENA_RELEASES  the address of releases of this version, used if no arena is installed [none]
set -eu

fail() {
    printf 'error: %s\n' "$1" >&2
    exit "${2:-2}"
}

# Prints the path of the arena: the one beside this script, the one in the PATH, or the one of a release.
find_arena() {
    top=$(dirname "$0")/..
    if [ -f "$top/arena" ]; then
        printf '%s\n' "$top/arena"
    elif ! command -v arena; then
        [ -n "${ARENA_RELEASES:-}" ] || fail "there is no arena here: add its folder to the PATH, or set ARENA_RELEASES"
        download_arena "v$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/Cargo.toml")" >&2
        echo "$scratch"/arena-*/arena
    fi
}

download_arena() {
    case $(uname -s)-$(uname -m) in
        Linux-x86_64) system=x86_64-unknown-linux-musl.tar.gz ;;
        Darwin-arm64) system=aarch64-apple-darwin.tar.gz ;;
        Darwin-x86_64) system=x86_64-apple-darwin.tar.gz ;;
        MINGW*-x86_64 | MSYS*-x86_64) system=x86_64-pc-windows-gnu.zip ;;
        *) fail "there is no release for $(uname -sm): build arena from its sources, and add its folder to the PATH" ;;
    esac
    for file in "arena-${1#v}-$system" SHA256SUMS; do
        curl -fsSL --retry 3 -o "$scratch/$file" "$ARENA_RELEASES/$1/$file" ||
            fail "cannot download $ARENA_RELEASES/$1/$file" 4
    done
    (
        cd "$scratch"
        sum=$(command -v sha256sum || echo shasum -a 256)
        grep " arena-${1#v}-$system\$" SHA256SUMS | $sum -c - || fail "arena-${1#v}-$system is damaged: download it again" 4
        case $system in
            *.zip) unzip -q arena-*.zip ;;
            *) tar xzf arena-*.tar.gz ;;
        esac
    )
}

build() {
    [ -z "${ARENA_BUILD:-}" ] || (cd "$1" && sh -ec "$ARENA_BUILD") || fail "ARENA_BUILD failed in $1" 3
}

# Prints the tag, branch or commit to compare with.
find_base() {
    base=${ARENA_BASE:-}
    if [ -z "$base" ]; then
        for tag in $(git tag --points-at HEAD); do
            set -- "$@" "--exclude=$tag"
        done
        base=$(git describe --tags --abbrev=0 "$@" 2>/dev/null) || {
            [ "$(git rev-parse --is-shallow-repository)" != true ] ||
                fail "no tag to compare with: this clone lacks the history. Fetch all of it (GitHub: fetch-depth: 0 for actions/checkout; GitLab: GIT_DEPTH: 0)"
            fail "no tag before this commit to compare with: tag a version (git tag v1, git push --tags), or set ARENA_BASE"
        }
    fi
    git rev-parse -q --verify "$base^{commit}" >/dev/null ||
        fail "this clone has no tag, branch or commit $base: fetch it, or choose another in ARENA_BASE"
    printf '%s\n' "$base"
}

# Compares the bot $1 with itself at an earlier commit.
compare() {
    bot=$1
    shift
    case $bot in
        *:*) protocol=${bot%%:*}: ;;
        *) protocol= ;;
    esac
    path=${bot#"$protocol"}
    [ -e "$path" ] || fail "$path is no file or folder of this repository, so it has no earlier version"
    base=$(find_base)
    old=$scratch/base/$(git rev-parse --show-prefix)
    mkdir "$scratch/base"
    git -C "$(git rev-parse --show-toplevel)" archive --format=tar -o "$scratch/base.tar" "$base"
    tar xf "$scratch/base.tar" -C "$scratch/base"
    build "$old"
    [ -e "$old$path" ] || fail "$base has no $path: compare with a later commit (ARENA_BASE)"
    name=$(printf '%s' "$base" | tr -c 'A-Za-z0-9._-' '-')
    "$arena" sprt --new "$bot" --base "$name=$protocol$old$path" --out "$report/run" "$@"
}

run() {
    arena=$(find_arena)
    build .
    case $command in
        check) "$arena" check "$@" ;;
        grade) "$arena" grade "$@" --out "$report/run" ;;
        sprt) compare "$@" ;;
    esac
}

# Makes text safe for XML and HTML.
escaped() {
    LC_ALL=C tr -d '\000-\010\013-\037\177' | iconv -c -f UTF-8 -t UTF-8 |
        sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'
}

# Writes summary.md and junit.xml about the exit status $1, unless the arena has written them.
describe() {
    kind=error mark=⚠️
    case $1 in
        0) kind=system-out mark=✅ said="passed" ;;
        1) kind=failure mark=❌ said="not passed" ;;
        2) said="the command or its input is wrong" ;;
        3) kind=failure mark=❌ said="the bot could not be used, or has problems" ;;
        130) said="interrupted" ;;
        *) said="the arena or the machine failed: this is no result" ;;
    esac
    title=$(printf '%s' "$bot" | escaped)
    text=$(tail -n 300 "$report/output.txt" | escaped)
    [ -f "$report/summary.md" ] ||
        printf '## %s arena %s %s: %s\n\n<pre>\n%s\n</pre>\n' "$mark" "$command" "$title" "$said" "$text" >"$report/summary.md"
    [ ! -f "$report/junit.xml" ] || return 0
    counts="tests=\"1\" failures=\"$([ $kind = failure ] && echo 1 || echo 0)\" errors=\"$([ $kind = error ] && echo 1 || echo 0)\""
    [ $kind = system-out ] && message= || message=" message=\"$said\""
    cat >"$report/junit.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<testsuites $counts>
<testsuite name="arena $command" $counts>
<testcase name="$title" classname="arena.$command">
<$kind$message>$text</$kind>
</testcase>
</testsuite>
</testsuites>
XML
}

command=${1:-} bot=${2:-}
case $command,$bot in
    check,?* | grade,?* | sprt,?*) ;;
    *) fail "usage: sh arena-ci.sh check|grade|sprt BOT [OPTION...]" ;;
esac
shift
report=${ARENA_REPORT:-arena-report}
# The arena would add the summary of a grade, and no other.
job_summary=${GITHUB_STEP_SUMMARY:-}
unset GITHUB_STEP_SUMMARY
mkdir -p "$report"
rm -rf "$report/run" "$report/summary.md" "$report/junit.xml"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# A pipe has the status of its last command, so the arena's goes through a file.
{
    set +e
    (set -e; run "$@")
    echo $? >"$scratch/status"
} 2>&1 | tee "$report/output.txt"
status=$(cat "$scratch/status")
for file in summary.md junit.xml; do
    [ ! -f "$report/run/$file" ] || cp "$report/run/$file" "$report/$file"
done
describe "$status"
[ -z "$job_summary" ] || cat "$report/summary.md" >>"$job_summary"
exit "$status"

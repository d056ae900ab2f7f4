#!/bin/sh
# For continuous integration: checks a bot, grades it, or tests whether it is stronger than at the last tag.
#
#     sh arena-ci.sh check BOT [OPTION...]
#     sh arena-ci.sh grade BOT --suite SUITE [OPTION...]
#     sh arena-ci.sh sprt BOT [OPTION...]
#
# BOT is a file or folder of the repository, OPTION an option of the arena's command. The exit status is the arena's:
# 0 passed, 1 not passed, 2 usage or input, 3 the bot is unusable or has problems, 4 the arena or the machine failed.
#
# Variables of the environment, with their defaults:
#     ARENA_REPORT    the folder for summary.md, junit.xml, output.txt and the run [arena-report]
#     ARENA_BUILD     a command that builds the bot; for sprt it also builds the base [none]
#     ARENA_BASE      for sprt: the tag, branch or commit to compare with [the last tag before this commit]
#     ARENA_RELEASES  the web address of the folder of all releases, used if no arena is installed [none]
set -eu

fail() {
    printf 'error: %s\n' "$1" >&2
    exit "${2:-2}"
}

# Finds arena above this script's folder, in the PATH, or in a release that it downloads, and prints its path.
find_arena() {
    top=$(dirname "$0")/..
    if [ -f "$top/arena" ]; then
        printf '%s\n' "$top/arena"
    elif ! command -v arena; then
        [ -n "${ARENA_RELEASES:-}" ] || fail "there is no arena here: add its folder to the PATH, or set ARENA_RELEASES"
        version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/Cargo.toml")
        case $(uname -sm) in
            "Linux x86_64") name=arena-$version-x86_64-unknown-linux-musl ;;
            "Darwin arm64") name=arena-$version-aarch64-apple-darwin ;;
            "Darwin x86_64") name=arena-$version-x86_64-apple-darwin ;;
            *) fail "there is no release for $(uname -sm): build arena from its sources, and add its folder to the PATH" ;;
        esac
        cd "$scratch"
        for file in "$name.tar.gz" SHA256SUMS; do
            address=$ARENA_RELEASES/v$version/$file
            curl -fsSL --retry 3 -o "$file" "$address" || fail "cannot download $address" 4
        done
        sum=$(command -v sha256sum || echo shasum -a 256)
        grep " $name.tar.gz\$" SHA256SUMS | $sum -c - >&2 || fail "$name.tar.gz is damaged: download it again" 4
        tar xzf "$name.tar.gz"
        echo "$scratch/$name/arena"
    fi
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
                fail "this clone has no history with a tag: fetch all of it (fetch-depth: 0 for actions/checkout, GIT_DEPTH: 0 in GitLab)"
            fail "no tag before this commit: tag an earlier one (git tag v1 COMMIT; git push --tags), or set ARENA_BASE"
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

# Writes the exit status $1 into summary.md, and into junit.xml as its only test, as the arena does for a grade.
describe() {
    kind=error failures=0 errors=0 mark=⚠️
    case $1 in
        0) kind=system-out mark=✅ outcome="passed" ;;
        1) kind=failure mark=❌ outcome="not passed" ;;
        2) outcome="the command or its input is wrong" ;;
        3) kind=failure mark=❌ outcome="the bot could not be used, or has problems" ;;
        *) outcome="interrupted, or the arena or the machine failed: there is no result" ;;
    esac
    title=$(printf '%s' "$bot" | escaped)
    text=$(tail -n 300 "$report/output.txt" | escaped)
    printf '## %s arena %s %s: %s\n\n<pre>\n%s\n</pre>\n' "$mark" "$command" "$title" "$outcome" "$text" >"$report/summary.md"
    case $kind in
        failure) failures=1 text="<failure message=\"$outcome\">$text</failure>" ;;
        error) errors=1 text="<error message=\"$outcome\">$text</error>" ;;
        *) text="<system-out>$text</system-out>" ;;
    esac
    counts="tests=\"1\" failures=\"$failures\" errors=\"$errors\""
    cat >"$report/junit.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<testsuites $counts><testsuite name="arena $command" $counts>
<testcase name="$title" classname="arena.$command">$text</testcase>
</testsuite></testsuites>
XML
}

command=${1:-} bot=${2:-}
case $command,$bot in
    check,?* | grade,?* | sprt,?*) shift ;;
    *) fail "usage: sh arena-ci.sh check|grade|sprt BOT [OPTION...]" ;;
esac
report=${ARENA_REPORT:-arena-report}
# The arena itself would add a job summary only for a grade. The script adds one for every command instead.
job_summary=${GITHUB_STEP_SUMMARY:-}
unset GITHUB_STEP_SUMMARY
mkdir -p "$report" && rm -rf "$report/run" && : >"$report/output.txt" ||
    fail "cannot write into $report: choose another folder in ARENA_REPORT"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# A pipe has the status of its last command, so the arena's status goes through a file.
{
    set +e
    (set -e; run "$@")
    echo $? >"$scratch/status"
} 2>&1 | tee "$report/output.txt"
status=$(cat "$scratch/status")
describe "$status"
# If the arena has written these files, they contain more than the script's files and replace them.
for file in summary.md junit.xml; do
    [ ! -f "$report/run/$file" ] || cp "$report/run/$file" "$report"
done
[ -z "$job_summary" ] || cat "$report/summary.md" >>"$job_summary"
exit "$status"

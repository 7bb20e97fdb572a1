#!/usr/bin/env bash
# Commands and programs of README, CONTRIBUTING and docs/ run as they are printed, in an empty folder, and print what is shown there.
set -euo pipefail
cd "$TORSOR_SOURCE_DIR"
pages=tests/commands/pages.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf '%s\n' "$@" >&2 && exit 1; }

# the runner finds what is not so: a wrong number, a line too many, a tag that says nothing, a program that does not compile
page() { printf '%s\n' "${@:2}" >"$work/$1.md"; }
page good '```console' '$ echo 1.25 a; echo b' '1.26 a' 'b' '$ (exit 3)' '$ echo $?' '3' '$ seq 9' '1' '...' '8' '9' '```'
page number '```console' '$ echo 1.25' '1.27' '```'
page lines '```console' '$ seq 3' '1' '2' '```'
page elided '```console' '$ seq 9' '1' '...' '7' '9' '```'
page tag '```' 'some text' '```'
page program '```c' 'int main(void) { return nothing; }' '```'
python3 "$pages" "$work/good.md" >"$work/said" || fail "a sound page is refused:" "$(<"$work/said")"
for name in number lines elided tag program; do
  ! python3 "$pages" "$work/$name.md" >"$work/said" || fail "the runner passes over: $name"
  grep -q "$name.md:" "$work/said" || fail "the runner does not name the page: $(<"$work/said")"
done
python3 "$pages" --write "$work/lines.md" && grep -qx 3 "$work/lines.md" || fail "the runner does not write what is printed"

# numbers and programs of the pages are those of the release
grep -qx 'CMAKE_BUILD_TYPE:[A-Z]*=Release' "$TORSOR_BUILD_DIR/CMakeCache.txt" || exit 0
python3 "$pages" README.md CONTRIBUTING.md docs/*.md docs/tutorials/*.md ||
  fail "Pages and program differ; where the program is right: TORSOR_CLI=build/release/bin/torsor $pages --write PAGE"

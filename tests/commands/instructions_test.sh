#!/usr/bin/env bash
# tools/instructions: what rose is named and fails, what fell or comes from another compiler does not
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=$TORSOR_SOURCE_DIR/tools/instructions

fail() { printf '%s\n' "$*" "$said" >&2 && exit 1; }
# counts COMPILER INVERSE MASS: a file like bench/instructions.txt
counts() { printf '# Instructions\n# counted with %s, avx2, glibc 2.36\narm  | inverse |  %s\narm  | mass matrix | %s\n' "$@"; }
# expect CODE: what the tool is to return beside the file that is committed
expect() {
  local code=0
  said=$(python3 "$tool" --counted "$work/now" --beside "$work/before" 2>&1) || code=$?
  ((code == $1)) || fail "it returns $code, not $1"
}

counts "g++ 12.2.0" 1000.0 500.0 >"$work/before"
counts "g++ 12.2.0" 1000.0 500.0 >"$work/now"
expect 0
[[ $said == "2 kernels counted with g++ 12.2.0, avx2, glibc 2.36; 0 rose by more than 2 %" ]] || fail "equal counts differ"

counts "g++ 12.2.0" 1019.0 500.0 >"$work/now"
expect 0
counts "g++ 12.2.0" 1021.0 500.0 >"$work/now"
expect 1
[[ $said == *"MORE   arm: inverse: 1000.0 -> 1021.0 instructions per call (+2.1 %)"* ]] || fail "it does not name the kernel"
[[ $said != *"mass matrix"* ]] || fail "it names another one"

counts "g++ 12.2.0" 1000.0 450.0 >"$work/now"
expect 0
[[ $said == *"fewer  arm: mass matrix: 500.0 -> 450.0 instructions per call (-10.0 %)"* ]] || fail "it does not say what fell"

# a kernel that is in one list alone
counts "g++ 12.2.0" 1000.0 500.0 | grep -v "mass matrix" >"$work/now"
expect 1
[[ $said == *"arm: mass matrix: not counted any more"* ]] || fail "it does not miss a kernel"
cp "$work/before" "$work/whole" && cp "$work/now" "$work/before" && cp "$work/whole" "$work/now"
expect 1
[[ $said == *"arm: mass matrix: not in the file"* ]] || fail "it does not see a new kernel"

# another compiler
counts "g++ 14.1.0" 2000.0 500.0 >"$work/now"
expect 0
[[ $said == "nothing is compared: counted with g++ 14.1.0, avx2, glibc 2.36 here, with g++ 12.2.0, avx2, glibc 2.36 in before" ]] || fail "it compares with another compiler"

# what was written is read again
counts "g++ 12.2.0" 1021.0 500.0 >"$work/now"
python3 "$tool" --counted "$work/now" --beside "$work/before" --write
expect 0

#!/usr/bin/env bash
# bench/peers says what it leaves out and goes on, and takes away programs that no longer build
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree" "$work/fake"
cp -r "$TORSOR_SOURCE_DIR/bench" "$TORSOR_SOURCE_DIR/tools" "$work/tree"
for compiler in clang++ g++ c++; do
  printf '#!/bin/sh\necho "no compiler today"\nexit 1\n' >"$work/fake/$compiler"
  chmod +x "$work/fake/$compiler"
done
mkdir -p "$work/tree/build/peers/bin" "$work/tree/build/peers/venv/lib/python3.0/site-packages/mujoco"
touch "$work/tree/build/peers/venv/lib/python3.0/site-packages/mujoco/libmujoco.so.0"
printf '#!/bin/sh\n' >"$work/tree/build/peers/bin/mujoco"
chmod +x "$work/tree/build/peers/bin/mujoco"
touch -d '2000-01-01' "$work/tree/build/peers/bin/mujoco"

fail() { printf '%s\n' "$*" "$said" >&2 && exit 1; }
said=$(PATH=$work/fake:$PATH "$work/tree/bench/peers" --no-install 2>&1) || fail "it fails"
[[ $said == *"left out: Pinocchio: it is not installed"* ]] || fail "it does not say that Pinocchio is missing"
[[ $said == *"left out: mujoco: it does not build"* ]] || fail "it does not say that a program does not build"
[[ $said == *"no compiler today"* ]] || fail "it does not say why"
[[ ! -e $work/tree/build/peers/bin/mujoco ]] || fail "an old program stays"

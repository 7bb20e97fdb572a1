#!/usr/bin/env bash
# Every fuzz target takes its seeds, and each of them cut short, without a crash: a target that nobody compiles rots.
set -euo pipefail
here=$TORSOR_SOURCE_DIR/tests/fuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for source in "$here"/*.cpp; do
  name=$(basename "$source" .cpp)
  "$here/seeds" "$name" "$work/$name"
  "$TORSOR_BUILD_DIR/tests/replay_seeds" "$name" "$work/$name"/*
  count=$((count + 1))
done
((count >= 10))

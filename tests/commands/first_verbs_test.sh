#!/usr/bin/env bash
# The part of the command that ./run builds first answers as the whole command does, and says of the other verbs where they are.
set -euo pipefail
first=$(dirname "$TORSOR_CLI")/torsor-first
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { printf 'FAILED: %s\n' "$*" >&2 && exit 1; }

# one command for each first verb, by its name, so that a new verb in the list asks for a line here. Torques and accelerations to the
# digits of the screen: the part has the kernels that every machine has, the whole those of this one, which round otherwise
declare -A commands=(
  [demo]="demo" [example]="example" [show]="show puma560" [check]="check ur5 --json" [fk]="fk panda --q zero --json"
  [id]="id puma560 --q zero --qd 1,0,0,0,0,0 --formulation kane --json" [fd]="fd two_link --q zero --tau 1,0")
mapfile -t names <"$TORSOR_SOURCE_DIR/cli/first_verbs"
((${#names[@]} == ${#commands[@]} && ${#names[@]} > 3)) || fail "cli/first_verbs and this test name different verbs"
for name in "${names[@]}"; do
  [[ -n ${commands[$name]:-} ]] || fail "no command is tried for $name"
  "$TORSOR_CLI" ${commands[$name]} >whole 2>&1 || fail "torsor ${commands[$name]}"
  "$first" ${commands[$name]} >part 2>&1 || fail "torsor-first ${commands[$name]}: $(<part)"
  [[ -s whole ]] && cmp whole part || fail "${commands[$name]} answers otherwise"
done
cmp <("$TORSOR_CLI" --help) <("$first" --help) || fail "the help differs"

# a verb that is not there names the command that builds it
status=0
said=$("$first" mechanism check four_bar 2>&1) || status=$?
[[ $status == 3 && $said == *"[verb-unbuilt]"*"./run mechanism"* ]] || fail "mechanism: exit $status, $said"

#!/usr/bin/env bash
# The prose of the documentation uses the terms of docs/glossary.md: no word of its last table, "Words left behind", is in use.
set -euo pipefail
top=${TORSOR_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows of the table: a regular expression in backticks, the words to use
table() { sed -n '/^## Words left behind$/,$p' "$top/docs/glossary.md" | sed -n 's/^| `\([^`]*\)` | \(.*\) |$/\1\t\2/p'; }

# the same lines without what is not prose: fenced code, inline code, targets of links, comments, the table itself
prose() {
  sed -e '/^ *```/,/^ *```/s/.*//' -e '/^<!-- given:/,/-->$/s/.*//' -e 's/`[^`]*`/ /g' -e 's/\](\([^)]*\))/]/g' -e 's/\[[a-z_0-9]*\.[hc]pp\]/ /g' -e 's/<!--.*-->//' \
    -e '/^## Words left behind$/,$s/^|.*//' "$1"
}

# prints FILE:LINE, what is found there and what to write instead, of all files of a folder
left_behind() {
  local pattern use
  while IFS=$'\t' read -r pattern use; do
    (cd "$1" && grep -rnoiP -- "$pattern" . || true) | sed "s|^\./||; s|\$| -> ${use//[|&\\]/\\&}|"
  done < <(table)
}

fail() { printf '%s\n' "$@" >&2 && exit 1; }
(($(table | wc -l) >= 20)) || fail "the table of docs/glossary.md is not read"
while IFS=$'\t' read -r pattern use; do
  grep -qP -- "$pattern" <<<"" || [[ $? == 1 ]] || fail "no regular expression: $pattern"
done < <(table)

# it finds words in prose, and passes over code, links and the proper uses
mkdir "$work/sample" "$work/docs"
printf '%s\n' 'The hand turns.' 'Written by hand.' 'See `hand` and [it](x.md#the-hand).' '```' 'the hand' '```' 'An effort limit.' >"$work/sample.md"
prose "$work/sample.md" >"$work/sample/sample.md"
found=$(left_behind "$work/sample")
[[ $found == "sample.md:1:hand -> "* && $(wc -l <<<"$found") == 1 ]] || fail "the sample is judged wrongly:" "$found"

cd "$top"
for page in README.md CONTRIBUTING.md docs/*.md docs/tutorials/*.md; do
  mkdir -p "$work/docs/$(dirname "$page")"
  prose "$page" >"$work/docs/$page"
done
found=$(left_behind "$work/docs" | sort -t: -k1,1 -k2,2n)
[[ -z $found ]] || fail "$found" "Words that were left behind (docs/glossary.md): use those after the arrow."

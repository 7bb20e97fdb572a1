#!/usr/bin/env bash
# The prose of the documentation, and what the command and the Python package say (string literals of torsor/, cli/ and python/), use the
# terms of docs/glossary.md: no word of its last table, "Words left behind", is in use.
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

# likewise in string literals, and passes over keys, names in quotes and comments
mkdir "$work/sources" "$work/messages"
printf '%s\n' 'say("the hand turns");' 'field("hand");' 'say("frame \"hand\" turns");' '// the hand' >"$work/sources/a.cpp"
printf '%s\n' '"""The hand turns.' '' '>>> "the hand"' 'the hand' '"""' '# the hand' >"$work/sources/b.py"
"$top/tests/commands/messages.py" "$work/sources" | cut -d: -f3- >"$work/messages/all"
found=$(left_behind "$work/messages")
[[ $(grep -c 'hand -> ' <<<"$found") == 2 && $(wc -l <<<"$found") == 2 ]] || fail "the sample of messages is judged wrongly:" "$found"

cd "$top"
./tests/commands/messages.py torsor cli python >"$work/places"
cut -d: -f3- "$work/places" >"$work/messages/all"
(($(wc -l <"$work/places") >= 2000)) || fail "the messages are not found"
found=$(left_behind "$work/messages" | sed 's/^all:\([0-9]*\):/\1 /' | while read -r line rest; do
  echo "$(sed -n "${line}p" "$work/places" | cut -c1-140): $rest"
done)
[[ -z $found ]] || fail "$found" "Words that were left behind (docs/glossary.md) in messages: use those after the arrow."

for page in README.md CONTRIBUTING.md docs/*.md docs/tutorials/*.md; do
  mkdir -p "$work/docs/$(dirname "$page")"
  prose "$page" >"$work/docs/$page"
done
found=$(left_behind "$work/docs" | sort -t: -k1,1 -k2,2n)
[[ -z $found ]] || fail "$found" "Words that were left behind (docs/glossary.md): use those after the arrow."

#!/usr/bin/env bash
# No link of the documentation is dead: files and headings are there.
set -euo pipefail
cd "$TORSOR_SOURCE_DIR"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf '%s\n' "$@" >&2 && exit 1; }

printf '# A *b* `c`\n\n[x](#a-b-c) [y](page.md) [w](https://nowhere)\n```text\n[z](nothing)\n```\n' >"$work/page.md"
python3 tests/commands/links.py "$work/page.md" || fail "sound links are called dead"
for link in '[x](other.md)' '[x](#b)' '[x](page.md#c)' '<img src="x.png">'; do
  printf '%s\n' "$link" >"$work/dead.md"
  ! python3 tests/commands/links.py "$work/dead.md" >/dev/null || fail "not found: $link"
done

mapfile -t pages < <(git ls-files '*.md' 2>/dev/null || find . -name '*.md' -not -path './build/*')
((${#pages[@]} > 30)) || fail "the pages are not found"
python3 tests/commands/links.py "${pages[@]}"

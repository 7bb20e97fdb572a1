#!/usr/bin/env bash
# The release command lies at addresses of the loader's choice, has its tables read-only once loaded, no stack that runs, and
# guards in what reads files.
set -euo pipefail
grep -q "CMAKE_BUILD_TYPE:STRING=Release" "$TORSOR_BUILD_DIR/CMakeCache.txt" || exit 0
headers=$(readelf --wide --file-header --program-headers --dynamic "$TORSOR_CLI")
want() { grep -Eq "$1" <<<"$headers" || { echo "$TORSOR_CLI: $2" >&2 && exit 1; }; }
want 'Type:[[:space:]]+DYN' "it is no position-independent executable"
want 'GNU_RELRO' "its tables stay writable"
want 'BIND_NOW|FLAGS_1.*NOW' "its functions are bound late"
grep -Eq 'GNU_STACK.*RWE' <<<"$headers" && echo "$TORSOR_CLI: its stack can run" >&2 && exit 1
symbols=$(readelf --wide --dyn-syms "$TORSOR_CLI")
grep -q '__stack_chk_fail' <<<"$symbols" || { echo "$TORSOR_CLI: no guard of the stack" >&2 && exit 1; }
grep -Eq '__(memcpy|memmove|snprintf|fprintf|vsnprintf|read|realpath)_chk' <<<"$symbols" || { echo "$TORSOR_CLI: no checked copy" >&2 && exit 1; }

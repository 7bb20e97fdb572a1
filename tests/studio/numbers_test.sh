#!/usr/bin/env bash
# What the Studio's engine answers is what the command prints.
set -euo pipefail
exec python3 "$TORSOR_SOURCE_DIR/tests/studio/numbers.py" "$TORSOR_CLI"

#!/usr/bin/env bash
# The native engine of the Studio refuses whoever is not the page it served.
set -euo pipefail
exec python3 "$TORSOR_SOURCE_DIR/tests/studio/safety.py" "$TORSOR_CLI"

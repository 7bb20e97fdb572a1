#!/usr/bin/env bash
# The main paths of the Studio in a real browser, on the engine of this machine; all of it with TORSOR_FULL=1.
# TORSOR_STUDIO_PICTURES: a folder for screenshots.
set -euo pipefail
top=$TORSOR_SOURCE_DIR
source "$top/tools/setup.sh"
studio_browser
studio_page
exec node "$top/tests/studio/browser.mjs" "$TORSOR_CLI" "$top/build/studio" ${TORSOR_STUDIO_PICTURES:+"$TORSOR_STUDIO_PICTURES"}

#!/usr/bin/env bash
# The Studio in a real browser. TORSOR_STUDIO_PICTURES: a folder for screenshots.
set -euo pipefail
top=$TORSOR_SOURCE_DIR
source "$top/tools/setup.sh"
install_packages "${browser_packages[@]}"
studio_page
# strict types, besides
(cd "$top/studio" && node node_modules/typescript/bin/tsc --noEmit)
exec node "$top/tests/studio/browser.mjs" "$TORSOR_CLI" "$top/build/studio" ${TORSOR_STUDIO_PICTURES:+"$TORSOR_STUDIO_PICTURES"}

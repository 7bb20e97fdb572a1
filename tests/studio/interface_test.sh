#!/usr/bin/env bash
# The Studio's TypeScript is sound, and its types of answers are those of the engine.
set -euo pipefail
top=$TORSOR_SOURCE_DIR
source "$top/tools/setup.sh"
studio_modules
(cd "$top/studio" && node node_modules/typescript/bin/tsc --noEmit)
exec python3 "$top/tests/studio/interface.py" "$TORSOR_CLI" "$top/studio"

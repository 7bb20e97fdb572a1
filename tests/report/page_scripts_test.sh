# The scripts of the pages, as far as they need no browser: decoding, projection, the frame of a time, ticks, CSV, on a page that
# the command has just written. Without Node.js there is nothing to run them with, and the other tests of pages have to do.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v node >/dev/null; then
  echo "node is not installed: the scripts were not run"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$TORSOR_CLI" demo -o demo >/dev/null
"$TORSOR_CLI" mechanism inverse four_bar -o efforts.csv --html four_bar.html >/dev/null
node "$here/page_scripts.js" "$TORSOR_SOURCE_DIR/torsor/report" demo/puma560-torques.html demo/puma560-torques.csv four_bar.html

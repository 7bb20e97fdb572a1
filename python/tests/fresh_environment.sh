#!/usr/bin/env bash
# The wheel in a fresh environment away from the sources: what a user has after `pip install`.
#
#   fresh_environment.sh make        packs the wheel from what the build made, and installs it
#   fresh_environment.sh run FILE    runs a file of tests there
#   fresh_environment.sh peers       runs the tests beside Pinocchio and MuJoCo; PEERS is the interpreter that has them
#   fresh_environment.sh remove
#
# PYTHON is the interpreter of the environment with the tools (build/python/venv): NumPy and pytest are seen from there,
# torsor is not in it. Nothing is fetched. TORSOR_BUILD_DIR and TORSOR_SOURCE_DIR are the build and its sources.
set -euo pipefail
# of this build alone: where containers share /tmp, two builds may have one path
fresh=${TMPDIR:-/tmp}/torsor-python-$(stat -c '%d-%i' "$TORSOR_BUILD_DIR")

make_environment() {
  local wheels=$TORSOR_BUILD_DIR/python/wheel plain=$TORSOR_BUILD_DIR/python/plain
  rm -rf "$wheels" "$plain" "$fresh"
  "$PYTHON" -m pip --quiet --disable-pip-version-check wheel --no-build-isolation --no-deps --no-index \
    --wheel-dir "$plain" --config-settings build-dir="$TORSOR_BUILD_DIR/python/pack" \
    --config-settings cmake.define.TORSOR_PYTHON_BUILT="$TORSOR_BUILD_DIR/python/torsor" "$TORSOR_SOURCE_DIR"
  # the name of the oldest systems it runs on; nothing is to be grafted in, and the tests look
  PATH=$(dirname "$PYTHON"):$PATH "$PYTHON" -m auditwheel repair --wheel-dir "$wheels" "$plain"/torsor-*.whl >"$plain/log" 2>&1 ||
    { cat "$plain/log" && return 1; }
  rm -r "$plain"
  ls -sh "$wheels"
  "$PYTHON" -m venv --without-pip "$fresh"
  "$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
    >"$("$fresh/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tools.pth"
  "$PYTHON" -m pip --quiet --disable-pip-version-check --python "$fresh/bin/python" install --no-deps --no-index \
    "$wheels"/torsor-*.whl
  cp -r "$TORSOR_SOURCE_DIR/python/tests" "$fresh/tests"
}

case $1 in
  make) make_environment ;;
  run) cd "$fresh/tests" && exec ../bin/python -m pytest -q -p no:cacheprovider "$2" ;;
  peers)
    site=$("$fresh/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    cd "$fresh/tests/peers" && PYTHONPATH=$site exec "$PEERS" -m pytest -q -p no:cacheprovider .
    ;;
  remove) rm -rf "$fresh" ;;
esac

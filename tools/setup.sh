# What ./run and ./test share: the packages they need, and how a preset is configured and built.
# To be sourced, with `top` set to the top folder of the project. Everything is said on stderr.

# one place for the names of packages
build_packages=(cmake ninja-build g++ libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libpugixml-dev libcli11-dev
  doctest-dev)
full_packages=(clang clang-tidy libclang-rt-14-dev valgrind)
python_packages=(python3-dev python3-venv)
# what pip installs stands in tools/requirements, every version with its hashes: python.txt to build the Python package and
# to test it, peers.txt for those beside which it is compared, site.txt for the site of the documentation, worker.txt and worker_sources.txt for the Studio's page without
# a server

say() { printf '%s\n' "$*" >&2; }

# those of the given packages that are not installed
missing_packages() {
  local installed package
  # dpkg-query also fails when it merely does not know one of them
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || printf '%s ' "$package"
  done
}

# installs the given packages where they are missing; silent and quick where they are not
install_packages() {
  local missing as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "This is not a Debian system: make sure that the equivalents of these packages are installed: $*"
    return 0
  fi
  read -ra missing <<<"$(missing_packages "$@")"
  ((${#missing[@]})) || return 0

  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "Missing packages: ${missing[*]}"
      say "Installing them needs root: run this command as root, or install sudo, or ask an administrator to run"
      say "  apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing with apt: ${missing[*]}"
  local log apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --yes -o DPkg::Lock::Timeout=300)
  local install=("${apt[@]}" install --no-install-recommends "${missing[@]}")
  log=$(mktemp)
  # the lists of packages may be absent or out of date, so a failure earns one refresh
  if ! { "${install[@]}" || { "${apt[@]}" update && "${install[@]}"; }; } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm "$log"
    say "apt could not install: ${missing[*]}"
    return 1
  fi
  rm "$log"
}

# configures a preset where that was not done, or was done for another place or other presets
configure() {
  local dir=$top/build/$1
  if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$top" "$dir/CMakeCache.txt"; then
    (cd "$top" && cmake --preset "$1" --fresh)
  elif [[ ! -e $dir/build.ninja || $top/CMakePresets.json -nt $dir/build.ninja ]]; then
    (cd "$top" && cmake --preset "$1")
  fi
}

# configures and builds a preset: build PRESET [--target TARGET]
build() {
  configure "$1" && cmake --build "$top/build/$1" --parallel "$(nproc)" "${@:2}"
}

# makes a virtual environment where it is not there or was made for other requirements: virtual_environment FOLDER FILE, a
# file of tools/requirements
virtual_environment() {
  local venv=$top/$1 wanted=$top/tools/requirements/$2 log
  [[ -x $venv/bin/python ]] && cmp -s "$wanted" "$venv/requirements" && return 0
  say "Installing with pip, into $1: what tools/requirements/$2 lists"
  log=$(mktemp)
  if ! { rm -rf "$venv" && python3 -m venv "$venv" &&
    "$venv/bin/python" -m pip --disable-pip-version-check install --require-hashes -r "$wanted"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm "$log"
    say "pip could not install what tools/requirements/$2 lists"
    return 1
  fi
  rm "$log"
  cp "$wanted" "$venv/requirements"
}

# the environment of the Python package
python_environment() { virtual_environment build/python/venv python.txt; }

# configures a preset so that it has the Python package in it
with_python() {
  configure "$1" && python_environment || return 1
  grep -qsx "TORSOR_PYTHON:BOOL=ON" "$top/build/$1/CMakeCache.txt" ||
    cmake -DTORSOR_PYTHON=ON -DPython_EXECUTABLE="$top/build/python/venv/bin/python" "$top/build/$1" >/dev/null
}

# builds a preset with the Python package in it; the environment is made while the library compiles
build_with_python() {
  local dir=$top/build/$1 pid
  if configure "$1" && grep -qsx "TORSOR_PYTHON:BOOL=ON" "$dir/CMakeCache.txt"; then
    python_environment && build "$1"
    return
  fi
  python_environment &
  pid=$!
  build "$1" && wait "$pid" && with_python "$1" && build "$1"
}

# what is not there as a command, installed: on some machines Node is there without being a package of Debian's
install_commands() {
  local command missing=()
  for command in "$@"; do command -v "${command%%=*}" >/dev/null || missing+=("${command#*=}"); done
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# what npm installs for the Studio, studio/package-lock.json, in studio/node_modules
studio_modules() {
  local modules=$top/studio/node_modules log
  install_commands node=nodejs npm=npm || return 1
  # tests that run side by side do not install it twice
  mkdir -p "$top/build"
  (
    flock 8
    if ! cmp -s "$top/studio/package-lock.json" "$modules/lock"; then
      say "Installing with npm, into studio/node_modules: what studio/package-lock.json lists"
      log=$(mktemp)
      # no script of a package is run
      if ! (cd "$top/studio" && npm ci --ignore-scripts --no-audit --no-fund) </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        rm "$log"
        say "npm could not install what studio/package-lock.json lists"
        exit 1
      fi
      rm "$log"
      cp "$top/studio/package-lock.json" "$modules/lock"
    fi
  ) 8>"$top/build/studio_modules.lock"
}

# the page of the Studio in build/studio, where it is not there or older than its sources
studio_page() {
  local page=$top/build/studio modules=$top/studio/node_modules
  studio_modules || return 1
  if [[ ! -e $page/index.html || -n $(find "$top/studio" -path "$modules" -prune -o -name '.answers-*' -prune -o -type f -newer "$page/index.html" -print -quit) ]]; then
    (cd "$top/studio" && node build.mjs "$page") >&2 || return 1
    touch "$page/index.html"
  fi
}

# a browser to drive it with
studio_browser() { install_commands chromium=chromium && install_packages fonts-dejavu-core; }

# the engine of the Studio's page without a server, build/worker/wasm/torsor.wasm: the library and some verbs as WebAssembly
worker_engine() {
  local folder=$top/build/worker zig name log
  virtual_environment build/worker/venv worker.txt || return 1
  zig=$("$folder/venv/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))') || return 1
  log=$(mktemp)
  if [[ ! -e $folder/pugixml/pugixml.cpp ]]; then
    if ! { mkdir -p "$folder/pugixml" "$folder/download" && "$folder/venv/bin/python" -m pip --disable-pip-version-check download \
      --no-deps --no-binary pugixml --require-hashes -r "$top/tools/requirements/worker_sources.txt" -d "$folder/download" &&
      tar xzf "$folder"/download/pugixml-*.tar.gz -C "$folder/pugixml" --strip-components=5 --wildcards '*/third_party/pugixml/src/*'; } >"$log" 2>&1; then
      cat "$log" >&2
      rm "$log"
      say "pip could not fetch what tools/requirements/worker_sources.txt lists"
      return 1
    fi
  fi
  # headers of these packages without those of the C library that stands beside them
  mkdir -p "$folder/headers"
  for name in fmt toml++ CLI; do ln -sfn "/usr/include/$name" "$folder/headers/$name"; done
  if ! { cmake -G Ninja -S "$top" -B "$folder/wasm" -DCMAKE_TOOLCHAIN_FILE="$top/cmake/wasi.toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DTORSOR_ZIG="$zig" -DTORSOR_PUGIXML="$folder/pugixml" -DTORSOR_WORKER_HEADERS="$folder/headers" -DTORSOR_COMPILE_BY_ROOM=ON &&
    cmake --build "$folder/wasm" --parallel "$(nproc)"; } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm "$log"
    say "The engine could not be compiled to WebAssembly"
    return 1
  fi
  rm "$log"
}

# the Studio as a folder for any host of files: studio_static FOLDER
studio_static() {
  install_packages "${build_packages[@]}" "${python_packages[@]}" && studio_page || return 1
  [[ -e $top/build/worker/wasm/torsor.wasm ]] || say "Compiling the library to WebAssembly (the first time takes some minutes) ..."
  worker_engine && (cd "$top/studio" && node build.mjs "$1" "$top/build/worker/wasm/torsor.wasm") >&2
}

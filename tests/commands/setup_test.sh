# The shared part of ./run and ./test, against a made-up machine: its own dpkg-query, apt-get and sudo.
set -euo pipefail
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
fail() { echo "FAILED: $*" && exit 1; }

# a package is installed if it has a file here; apt-get needs its lists refreshed before it knows any package
mkdir "$machine/bin" "$machine/packages"
cat >"$machine/bin/dpkg-query" <<'END'
status=0
for package in "${@:4}"; do
  if [[ -e $MACHINE/packages/$package ]]; then echo "installed $package"; else status=1; fi
done
exit $status
END
cat >"$machine/bin/apt-get" <<'END'
echo "apt-get chatter" && echo "$*" >>"$MACHINE/calls"
case "$*" in
  *update*) touch "$MACHINE/lists" ;;
  *install*no-such*) exit 100 ;;
  *install*) [[ -e $MACHINE/lists ]] || exit 100
    for package in "$@"; do [[ $package == lib* ]] && touch "$MACHINE/packages/$package"; done ;;
esac
exit 0
END
echo '"$@"' >"$machine/bin/sudo"
for command in "$machine"/bin/*; do
  sed -i '1i #!/usr/bin/env bash' "$command"
  chmod +x "$command"
done
export MACHINE=$machine PATH=$machine/bin:$PATH
source "$TORSOR_SOURCE_DIR/tools/setup.sh"

touch "$machine"/packages/{libhere,libhere-too}
missing_packages libgone >/dev/null || fail "a missing package counts as an error"
[[ $(missing_packages libhere libhere-too) == "" ]] || fail "an installed package is called missing"
[[ $(missing_packages libher libhere libgone) == "libher libgone " ]] || fail "missing packages are not recognised"

install_packages libhere libhere-too
[[ ! -e $machine/calls ]] || fail "apt is called though nothing is missing"

# standard output stays clean, the chatter of apt stays away, the refresh happens by itself
said=$(install_packages libhere libone libtwo 2>"$machine/errors")
[[ $said == "" ]] || fail "something on standard output: $said"
[[ $(<"$machine/errors") == "Installing with apt: libone libtwo" ]] || fail "wrong words: $(<"$machine/errors")"
[[ -e $machine/packages/libone && -e $machine/packages/libtwo ]] || fail "packages were not installed"

# with fresh lists there is no second refresh
install_packages libthree 2>/dev/null
[[ $(grep -c update "$machine/calls") == 1 ]] || fail "the lists are refreshed without need"

# failure is told, with what apt said
if install_packages no-such-package 2>"$machine/errors"; then fail "failure is not reported"; fi
grep -q "apt-get chatter" "$machine/errors" || fail "apt's own words are not shown"
grep -q "could not install: no-such-package" "$machine/errors" || fail "the package is not named"

# what pip installs is pinned: every requirement has a version and hashes, and nothing is installed without them
for file in python peers site worker worker_sources; do
  requirements=$TORSOR_SOURCE_DIR/tools/requirements/$file.txt
  loose=$(sed -e 's/ *\\$//' "$requirements" | grep -vE '^(#.*|[A-Za-z0-9._-]+==[^ ]+( ; .*)?| +--hash=sha256:[0-9a-f]{64})$' || true)
  [[ $loose == "" ]] || fail "$file.txt: not pinned: $loose"
  unhashed=$(grep -A1 '==' "$requirements" | grep -v -- '^--$' | grep -cv -e '==' -e '--hash=sha256:' || true)
  [[ $unhashed == 0 ]] || fail "$file.txt: a requirement has no hash"
  while read -r name; do
    grep -qiE "^$name==" "$requirements" || fail "$file.txt does not have $name of $file.in"
  done < <(grep -v '^#' "$TORSOR_SOURCE_DIR/tools/requirements/$file.in")
done
cat >"$machine/bin/python3" <<'END'
#!/usr/bin/env bash
# python3 -m venv FOLDER: an environment whose pip notes what it is asked for
mkdir -p "$3/bin" && printf '#!/usr/bin/env bash\necho "$*" >>"$MACHINE/pip"\n' >"$3/bin/python" && chmod +x "$3/bin/python"
END
chmod +x "$machine/bin/python3"
mkdir -p "$machine/top/tools/requirements"
top=$machine/top
cp "$TORSOR_SOURCE_DIR"/tools/requirements/*.txt "$top/tools/requirements"
python_environment 2>/dev/null
grep -q -- "--require-hashes -r $top/tools/requirements/python.txt" "$machine/pip" || fail "pip installs without hashes: $(<"$machine/pip")"
python_environment 2>/dev/null
[[ $(wc -l <"$machine/pip") == 1 ]] || fail "the environment is made again though nothing changed"
echo "another==1 --hash=sha256:0" >>"$top/tools/requirements/python.txt"
python_environment 2>/dev/null
[[ $(wc -l <"$machine/pip") == 2 ]] || fail "the environment is kept though the requirements changed"

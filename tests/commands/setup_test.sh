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

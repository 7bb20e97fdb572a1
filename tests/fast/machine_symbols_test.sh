#!/bin/bash
# A unit compiled for wide registers must not lend its code to others: the linker takes any one copy of a function that
# several units have, and a machine without those registers would stop at it. So whatever a unit of fast/ could share, the
# weak symbols it defines, must bear the name of its machine.
set -u
objects=$(find "$TORSOR_BUILD_DIR" -path '*torsor*.dir*' \( -name 'machine_avx2.cpp.o' -o -name 'machine_avx512.cpp.o' -o -name 'machine_avx2_limbs.cpp.o' -o -name 'machine_avx*_products.cpp.o' -o -name 'machine_avx*_terms.cpp.o' -o -name 'machine_avx*_varied.cpp.o' \))
[ -n "$objects" ] || { echo "no units for wide registers on this machine"; exit 0; }
# checks and sanitizers of a debug build bring functions of their own
grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$TORSOR_BUILD_DIR/CMakeCache.txt" || { echo "not a release build"; exit 0; }
faults=0
for object in $objects; do
  machine=$(basename "$object" .cpp.o); machine=${machine#machine_}; machine=${machine%%_*}
  shared=$(nm -C --defined-only "$object" | grep -E ' [WVu] ' | grep -vE "torsor::$machine::|DW\.ref\.__gxx_personality_v0")
  [ -n "$shared" ] && { echo "$object could lend:"; echo "$shared"; faults=1; }
done
exit $faults

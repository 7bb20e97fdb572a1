// Vectors, motions, forces, inertias and poses as entries of arrays in generated code: inputs and outputs of a step.
#pragma once

#include <array>

#include "torsor/codegen/joint_class.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {

inline std::array<Trace*, 3> entries_of(Vec3<Trace>& v) { return {&v.x, &v.y, &v.z}; }
inline std::array<Trace*, 6> entries_of(Motion<Trace>& m) { return {&m.w.x, &m.w.y, &m.w.z, &m.v.x, &m.v.y, &m.v.z}; }
inline std::array<Trace*, 6> entries_of(Force<Trace>& f) { return {&f.n.x, &f.n.y, &f.n.z, &f.f.x, &f.f.y, &f.f.z}; }
inline std::array<Trace*, 9> entries_of(Mat3<Trace>& R) {
  return {&R.x.x, &R.y.x, &R.z.x, &R.x.y, &R.y.y, &R.z.y, &R.x.z, &R.y.z, &R.z.z};  // rows
}
inline std::array<Trace*, 10> entries_of(Inertia<Trace>& J) {
  return {&J.m, &J.h.x, &J.h.y, &J.h.z, &J.I.xx, &J.I.yy, &J.I.zz, &J.I.xy, &J.I.xz, &J.I.yz};
}
/// Rows of the rotation, then the place.
inline std::array<Trace*, 12> entries_of(Transform<Trace>& X) {
  auto& [R, p] = X;
  return {&R.x.x, &R.y.x, &R.z.x, &R.x.y, &R.y.y, &R.z.y, &R.x.z, &R.y.z, &R.z.z, &p.x, &p.y, &p.z};
}

inline std::string entry_name(const std::string& array, int index) { return array + "[" + std::to_string(index) + "]"; }

/// A thing whose entries are those of the array from `first` on, `stride` apart.
template <class Thing>
Thing named(NamedInputs& input, const std::string& array, int first = 0, int stride = 1) {
  Thing out;
  for (Trace* entry : entries_of(out)) {
    *entry = input(entry_name(array, first));
    first += stride;
  }
  return out;
}

/// Makes outputs of its entries, likewise.
template <class Thing>
void keep(Tape& tape, const std::string& array, Thing thing, int first = 0, int stride = 1) {
  for (const Trace* entry : entries_of(thing)) {
    tape.output(*entry, entry_name(array, first));
    first += stride;
  }
}

}  // namespace torsor

// Pickles of the names of branches, which several answers have in them.
#pragma once

#include "python/bindings/pickles.hpp"
#include "torsor/closed_form_ik/ik_answer.hpp"

namespace torsor::python {

template <>
struct Parts<BranchLabel> {
  static void each(auto& take, auto& l) { take(l.shoulder, l.elbow, l.wrist, l.root, l.determinant); }
};

}  // namespace torsor::python

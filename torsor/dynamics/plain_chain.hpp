// A plain chain: every body hangs on the one before it by a joint of one degree of freedom with a coordinate of its own.
#pragma once

#include <iterator>

#include "torsor/model/model.hpp"

namespace torsor {

/// Whether a model is such a chain: body, column of S and coordinate are one number then.
template <class T>
bool is_plain_chain(const Tree<T>& model) {
  if (model.size() != model.nv || std::ssize(model.S) != model.nv || model.nv == 0) return false;
  for (int i = 0; i < model.size(); ++i)
    if (model[i].nv != 1 || model[i].parent != i - 1 || model[i].v != i) return false;
  return true;
}

}  // namespace torsor

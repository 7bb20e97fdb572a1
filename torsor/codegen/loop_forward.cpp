// Forward dynamics as loops: the mass matrix and the bias of their own functions, then L^T D L.
#include <fmt/format.h>

#include "torsor/codegen/loop_writer.hpp"

namespace torsor {

std::string LoopWriter::forward() {
  const int n = model_.nv;
  count_.multiplications += (n - 1) * n * (n + 1) / 6 + n * (n - 1) + n * (n - 1) / 2 + n;
  count_.additions += (n - 1) * n * (n + 1) / 6 + n * (n - 1) + n;
  count_.divisions += n;
  return fmt::format(R"(  {0} M[{2}], h[{1}], one_over[{1}];
  {3}_bias(q, qd, h);
  {3}_mass(q, M);
  /* M = L^T D L in place, from the last joint on: rows less multiples of rows */
  for (int k = {4}; k >= 0; --k) {{
    {0} *row = M + k*{1};
    one_over[k] = 1/row[k];
    for (int i = 0; i < k; ++i) {{
      {0} *to = M + i*{1};
      const {0} share = row[i]*one_over[k];
      for (int j = 0; j <= i; ++j) to[j] -= share*row[j];
    }}
    for (int i = 0; i < k; ++i) row[i] *= one_over[k];
  }}
  for (int i = 0; i < {1}; ++i) qdd[i] = tau[i] - h[i];
  for (int k = {4}; k >= 0; --k)
    for (int i = 0; i < k; ++i) qdd[i] -= M[k*{1} + i]*qdd[k];
  for (int k = 0; k < {1}; ++k) {{
    qdd[k] *= one_over[k];
    for (int i = 0; i < k; ++i) qdd[k] -= M[k*{1} + i]*qdd[i];
  }}
)",
                     real_.type, n, n * n, name_, n - 1);
}

}  // namespace torsor

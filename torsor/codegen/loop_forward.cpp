// Forward dynamics as loops: the mass matrix and the bias of their own functions, then L^T D L.
#include <fmt/format.h>

#include "torsor/codegen/code_function.hpp"
#include "torsor/codegen/loop_writer.hpp"
#include "torsor/codegen/robot_functions.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {

Tape LoopWriter::unrolled(CodeFunction function) const {
  Tape tape;
  const Recording recording(tape);
  const auto nq = static_cast<std::size_t>(model_.nq), n = static_cast<std::size_t>(model_.nv);
  std::vector<Trace> arguments, results;
  for (const CodeArgument& a : code_arguments(function, model_.nq, model_.nv))
    for (int k = 0; k < a.size(); ++k)
      if (a.is_result)
        results.emplace_back();
      else
        arguments.push_back(tape.input(std::string(a.name)));
  if (function != CodeFunction::mass && function != CodeFunction::fd) {
    run_robot(model_, tool_, function, arguments, results);
    for (const Trace& result : results) tape.output(result, "");
    return tape;
  }
  // M by the recursion of derivatives
  std::vector<Trace> still(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(nq)), slopes(3 * n * n);
  still.resize(nq + 2 * n);
  run_robot(model_, tool_, CodeFunction::derivatives, still, slopes);
  const std::span<const Trace> M = std::span(slopes).subspan(2 * n * n);
  if (function == CodeFunction::mass) {
    for (const Trace& entry : M) tape.output(entry, "");
    return tape;
  }
  // L^T D L is L D L^T with the joints backwards
  std::vector<Trace> bias(n), backwards(n * n);
  run_robot(model_, tool_, CodeFunction::bias, std::span(arguments).first(nq + n), bias);
  for (std::size_t i = 0; i < n; ++i) {
    results[n - 1 - i] = arguments[nq + n + i] - bias[i];
    for (std::size_t j = 0; j < n; ++j) backwards[(n - 1 - i) * n + n - 1 - j] = M[i * n + j];
  }
  ldlt_factor<Trace>(backwards, model_.nv);
  ldlt_solve<Trace>(backwards, model_.nv, results);
  for (std::size_t i = 0; i < n; ++i) tape.output(results[n - 1 - i], "");
  return tape;
}

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

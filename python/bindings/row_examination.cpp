// Which states of a call mean something and have an answer, and what is said of the others.
#include <algorithm>
#include <cmath>

#include "python/bindings/errors.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/numpy_array.hpp"
#include "python/bindings/row_call.hpp"

namespace torsor::python {
namespace {

template <class Real>
bool all_finite(const Real* row, int n) {
  return std::all_of(row, row + n, [](Real x) { return std::isfinite(x); });
}

/// A quick look at many numbers: x - x is zero unless x is none, and sums of that are zero or none.
template <class Real>
bool sum_is_finite(const Real* x, std::int64_t n) {
  constexpr std::int64_t width = 64 / sizeof(Real);  // several registers: additions do not wait for each other
  Real sum[width]{};
  std::int64_t k = 0;
  for (; k + width <= n; k += width)
    for (std::int64_t j = 0; j < width; ++j) sum[j] += x[k + j] - x[k + j];
  for (; k < n; ++k) sum[k % width] += x[k] - x[k];
  for (std::int64_t half = width / 2; half > 0; half /= 2)
    for (std::int64_t j = 0; j < half; ++j) sum[j] += sum[j + half];
  return sum[0] == 0;
}

/// The same of rows of that many columns, repeated where they have no stride.
template <class Real>
bool sum_is_finite(StateRows<Real> rows, std::int64_t first, std::int64_t count, int columns) {
  if (rows.stride == 0) return sum_is_finite(rows.row(0), columns);
  if (rows.stride == columns) return sum_is_finite(rows.row(first), count * columns);
  for (std::int64_t k = first; k < first + count; ++k)
    if (!sum_is_finite(rows.row(k), columns)) return false;
  return true;
}

}  // namespace

void RowCall::refuse_not_finite() const {
  for (int k = 0; k < taken_; ++k) {
    const Input& input = inputs_[k];
    if (!input.data) continue;
    if (floats_ ? sum_is_finite(in<float>(k), 0, states_, input.columns)
                : sum_is_finite(in<double>(k), 0, states_, input.columns))
      continue;
    for (std::int64_t s = 0; s < (input.stride == 0 ? 1 : states_); ++s)
      for (int c = 0; c < input.columns; ++c) {
        const double x =
            floats_ ? static_cast<double>(in<float>(k).row(s)[c]) : in<double>(k).row(s)[c];
        if (std::isfinite(x)) continue;
        std::string place = std::string(input.name) + (input.row_axes == 1 ? "[" + std::to_string(c) + "]" : "");
        if (!single() && input.stride != 0) place += " of state " + std::to_string(s);
        refuse(function_, place + " is " +
                              (std::isnan(x) ? "nan"
                               : x > 0       ? "inf"
                                             : "-inf") +
                              "; expected finite numbers");
      }
  }
}

void RowCall::expect_states_of(const Robot& robot, Telling telling, Answers answers) {
  robot_ = &robot;
  expect_states_of(&robot.coordinates(), telling, answers);
}

void RowCall::expect_states_of(const Model<double>* model, Telling telling, Answers answers) {
  examined_ = true;
  model_ = model;
  telling_ = telling;
  answers_ = answers;
  if (model && model->nq != model->nv)
    for (const Body<double>& b : model->bodies)
      if (torsor::row(b.kind).nq >= 4) quaternions_.push_back(b.q);
  if (!single()) return may_leave_out();
  if (telling == Telling::asked) return;
  refuse_not_finite();
  if (!quaternions_.empty() && joint_without_direction(*this, *model, 0) >= 0)
    raise({meaningless_fault(*this, model, 0)});
}

std::vector<double> RowCall::numbers_of(int k, std::int64_t state) const {
  const std::size_t columns = static_cast<std::size_t>(inputs_[k].columns);
  if (!inputs_[k].data) return {};
  std::vector<double> out(columns);
  if (floats_)
    std::copy_n(in<float>(k).row(state), columns, out.begin());
  else
    std::copy_n(in<double>(k).row(state), columns, out.begin());
  return out;
}

bool RowCall::finite(std::int64_t state) const {
  for (int k = 0; k < taken_; ++k) {
    const int n = inputs_[k].columns;
    if (!inputs_[k].data) continue;
    if (!(floats_ ? all_finite(in<float>(k).row(state), n) : all_finite(in<double>(k).row(state), n))) return false;
  }
  return true;
}

void RowCall::leave_out(std::int64_t state) const {
  if (left_out_.empty()) may_leave_out();
  left_out_[static_cast<std::size_t>(state)] = 1;
  for (int k = 0; k < given_; ++k) {
    const std::ptrdiff_t columns = outputs_[k].columns;
    if (floats_)
      std::fill_n(out<float>(k).row(state), columns, std::nanf(""));
    else
      std::fill_n(out<double>(k).row(state), columns, std::nan(""));
  }
}

void RowCall::examine(std::int64_t first, std::int64_t count) const {
  if (!examined_) return;
  const bool refused_before = single() && telling_ != Telling::asked;
  // holds(rows, columns) of every argument and every answer that is to be finite
  const auto of_all = [this, refused_before](const auto& holds) {
    const auto all = [&](auto real) {
      using Real = decltype(real);
      for (int k = 0; k < taken_ && !refused_before; ++k)
        if (inputs_[k].data && !holds(in<Real>(k), inputs_[k].columns)) return false;
      for (int k = 0; k < given_ && answers_ == Answers::finite; ++k)
        if (!holds(out<Real>(k), outputs_[k].columns)) return false;
      return true;
    };
    return floats_ ? all(float()) : all(double());
  };
  const auto turned = [this](std::int64_t state) {
    const auto all = [&](auto real) {
      using Real = decltype(real);
      const Real* const q = in<Real>(0).row(state);
      return std::ranges::all_of(quaternions_,
                                 [q](int k) { return q[k] != 0 || q[k + 1] != 0 || q[k + 2] != 0 || q[k + 3] != 0; });
    };
    return floats_ ? all(float()) : all(double());
  };
  const bool all_sound =
      of_all([&](const auto& rows, int columns) { return sum_is_finite(rows, first, count, columns); });
  if (all_sound && quaternions_.empty()) return;
  const auto sound = [&of_all](std::int64_t state) {
    return of_all([state](const auto& rows, int columns) { return all_finite(rows.row(state), columns); });
  };
  for (std::int64_t k = first; k < first + count; ++k)
    if (!turned(k) || (!all_sound && !sound(k))) leave_out(k);
}

void RowCall::raise_or_warn(std::int64_t count, std::int64_t first, const Fault& fault) const {
  if (single()) raise({fault});
  const nb::object category = nb::module_::import_("torsor._error").attr("RowWarning");
  const std::string what =
      std::string(function_) + ": " + std::to_string(count) + " of " + std::to_string(states_) +
      (count == 1 ? " states has" : " states have") + " no answer and " + (count == 1 ? "is" : "are") + " NaN" +
      (telling_ == Telling::unless_asked ? " (return_valid=True says which without this warning)" : "") + "; state " +
      std::to_string(first) + ": " + fault.what + " [" + fault.rule + "]";
  if (PyErr_WarnEx(category.ptr(), what.c_str(), 1) < 0) throw nb::python_error();
}

nb::object RowCall::with_valid(nb::object answer, bool return_valid) const {
  if (!return_valid) return answer;
  npy_intp shape[most_axes];
  std::copy(leading_.begin(), leading_.begin() + axes_, shape);
  nb::object valid = stolen(PyArray_SimpleNew(axes_, shape, NPY_BOOL));
  auto* const flags = static_cast<npy_bool*>(PyArray_DATA(as_array(valid)));
  std::fill_n(flags, states_, npy_bool(NPY_TRUE));
  for (std::size_t k = 0; k < left_out_.size(); ++k)
    if (left_out_[k]) flags[k] = NPY_FALSE;
  return nb::make_tuple(answer, nb::steal(PyArray_Return(reinterpret_cast<PyArrayObject*>(valid.release().ptr()))));
}

}  // namespace torsor::python

// NumPy in, NumPy out: how every function of states takes its arguments and gives its answers.
//
//   RowCall call("inverse_dynamics", threads);
//   call.take("q", q, nq).take("qd", qd, nv, Need::optional);
//   call.settle(Scalars::either);                  // types and leading axes are known from here on
//   call.give(out, {nv});                          // the answer, or the caller's array for it
//   call.share([&](std::int64_t first, std::int64_t count) { ... call.in<double>(0).row(first) ... });
//   return call.result();
//
// An argument is a row of numbers, or an array whose last axis is that row and whose leading axes are states. Leading axes
// broadcast as NumPy's do; one state against many is not copied. Arrays of doubles or floats whose rows lie together are
// used where they are. If every argument is float32 so is the answer, else it is float64.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor::python {

namespace nb = nanobind;

/// To be called once, before anything else of this file.
void import_numpy();

/// Throws a ValueError: `FUNCTION: WHAT`.
[[noreturn]] void refuse(const char* function, const std::string& what);

enum class Need { given, optional };

/// What the computation behind a call runs in: floats where all arguments are floats, or always doubles.
enum class Scalars { either, doubles };

class RowCall {
 public:
  /// threads: 1 and more; 0 for as many as the machine has.
  RowCall(const char* function, int threads);
  RowCall(const RowCall&) = delete;
  RowCall& operator=(const RowCall&) = delete;

  /// The next argument: rows of `columns` numbers. An optional one that is None has no data.
  RowCall& take(const char* name, nb::handle value, int columns, Need need = Need::given) {
    return take(name, value, {columns}, need);
  }
  /// Matrices in place of rows: the last axes are `row`.
  RowCall& take(const char* name, nb::handle value, std::initializer_list<int> row, Need need = Need::given);

  /// Decides on the type and the leading axes of the answer. No argument may be taken afterwards.
  void settle(Scalars scalars = Scalars::doubles);

  /// Refuses arguments with NaN or infinite entries, and says which. After settle().
  void refuse_not_finite() const;

  /// The next answer, with last axes `row`: a new array, or `out` if that is not None. After settle().
  void give(nb::handle out, std::initializer_list<int> row);

  /// Answers for functions with several of them: out is None or a sequence of as many arrays.
  void give_all(nb::handle out, std::initializer_list<std::initializer_list<int>> rows);

  /// Whether there are no leading axes.
  bool single() const { return axes_ == 0; }
  std::int64_t states() const { return states_; }
  /// Whether in<float> and out<float> are to be used.
  bool floats() const { return floats_; }

  template <class Real>
  StateRows<const Real> in(int k) const {
    return {static_cast<const Real*>(inputs_[k].data), inputs_[k].stride};
  }
  template <class Real>
  StateRows<Real> out(int k) const {
    return {static_cast<Real*>(outputs_[k].data), outputs_[k].stride};
  }
  /// Argument k of one state; empty if it was not given.
  std::span<const double> row(int k, std::int64_t state) const {
    const Input& input = inputs_[k];
    if (!input.data) return {};
    return {in<double>(k).row(state), static_cast<std::size_t>(input.columns)};
  }
  /// Answer k of one state.
  std::span<double> answer(int k, std::int64_t state) const {
    return {out<double>(k).row(state), static_cast<std::size_t>(outputs_[k].columns)};
  }

  /// Calls body(first, count) for pieces of the states, on the threads of the call and without Python's lock. What body
  /// throws is thrown here.
  template <class Body>
  void share(const Body& body) const {
    if (states_ < worth_unlocking) {
      if (states_ > 0) body(std::int64_t{0}, states_);
      return;
    }
    nb::gil_scoped_release release;
    share_pieces(&body, [](const void* b, std::int64_t first, std::int64_t count) {
      (*static_cast<const Body*>(b))(first, count);
    });
  }

  /// The answer, or a tuple of the answers.
  nb::object result();

  const char* function() const { return function_; }

 private:
  static constexpr int most_inputs = 6, most_outputs = 12, most_axes = 32;
  static constexpr std::int64_t worth_unlocking = 8;

  struct Input {
    const char* name = nullptr;
    nb::object array;  // none where it was left out
    const void* data = nullptr;
    std::ptrdiff_t stride = 0;  // in numbers
    int columns = 0, row_axes = 1;
    std::array<int, 2> row{};
  };
  struct Output {
    nb::object array, temporary;  // temporary: of doubles, if the answer is of floats and the computation is not
    void* data = nullptr;
    std::ptrdiff_t stride = 0;
    int columns = 0;
  };
  using Call = void (*)(const void*, std::int64_t, std::int64_t);

  void set_rows(Input& input) const;
  void keep_apart(const Output& output);
  void share_pieces(const void* body, Call call) const;
  std::string shape_wanted(const Input&) const;

  const char* function_;
  int threads_;
  std::array<Input, most_inputs> inputs_;
  std::array<Output, most_outputs> outputs_;
  int taken_ = 0, given_ = 0;
  bool float_answers_ = false, floats_ = false;
  int axes_ = 0;
  std::array<std::ptrdiff_t, most_axes> leading_{};
  std::int64_t states_ = 1;
};

/// A new array of doubles with these entries (as many as the shape has).
nb::object new_array(std::span<const double> entries, std::initializer_list<std::size_t> shape);
/// A new vector.
nb::object new_array(std::span<const double> entries);
/// The 4 x 4 matrix of a pose.
nb::object new_array(const Transform<double>& X);

/// A vector of finite doubles: of `size` entries, or of any number if that is negative.
std::vector<double> vector_of(const char* function, const char* name, nb::handle value, int size);
/// Rows of finite doubles, an array of two axes: `columns` each, or any number if that is negative.
std::vector<std::vector<double>> rows_of(const char* function, const char* name, nb::handle value, int columns);
/// Poses from an array (k, 4, 4).
std::vector<Transform<double>> poses_of(const char* function, const char* name, nb::handle value);
/// A pose from a 4 x 4 matrix with a rotation in it.
Transform<double> pose_of(const char* function, const char* name, nb::handle value);
/// Writes a pose as a row-major 4 x 4 matrix.
void write_pose(const Transform<double>& X, double* out);

}  // namespace torsor::python

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

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "python/bindings/arrays.hpp"
#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/model/model.hpp"
#include "torsor/result.hpp"

namespace torsor::python {

enum class Need { given, optional };

/// What the computation behind a call runs in: floats where all arguments are floats, or always doubles.
enum class Scalars { either, doubles };

/// Whether a number of an answer that is not finite means that the state has none; or NaN is an answer, too.
enum class Answers { finite, any };

/// What a function says of states without an answer: raises or warns, or with its argument return_valid=True neither.
enum class Telling { always, unless_asked, asked };
inline Telling telling(bool return_valid) { return return_valid ? Telling::asked : Telling::unless_asked; }

class Robot;

class RowCall {
 public:
  /// threads: 1 and more; 0 for as many as the machine has (or OMP_NUM_THREADS allows) and the states are worth.
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

  /// Refuses arguments with NaN or infinite entries, and says which. After settle(). Where states are answered one by one,
  /// refuse_one_not_finite spares the others: a batch is not refused, and its body asks finite(state).
  void refuse_not_finite() const;
  void refuse_one_not_finite() const {
    if (single()) refuse_not_finite();
  }

  /// The states are those of a robot (null: of one without quaternions), argument 0 their positions. One that means nothing (a number that is not finite, a
  /// quaternion of length zero) is refused where it is asked for alone; among others all its answers become NaN, as do those
  /// of a state with an answer that is too large for numbers. After settle(), before give().
  void expect_states_of(const Model<double>* model, Telling telling = Telling::always,
                        Answers answers = Answers::finite);
  /// The same of its coordinates; with loops, too, which some positions do not close.
  void expect_states_of(const Robot& robot, Telling telling = Telling::always, Answers answers = Answers::finite);

  /// Whether every number of that state is finite: where it is not, an answer that is NaN is its own fault.
  bool finite(std::int64_t state) const;

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
  /// Argument k and answer k from a state on, in doubles.
  StateRows<const double> given(int k, std::int64_t first) const {
    const StateRows<const double> rows = in<double>(k);
    return {rows.data ? rows.row(first) : nullptr, rows.stride};
  }
  StateRows<double> asked(int k, std::int64_t first) const {
    return {out<double>(k).row(first), out<double>(k).stride};
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

  /// That state has no answer: its numbers become NaN, those of others stay. Inside share() only after may_leave_out(), and
  /// then threads may say so of different states.
  void leave_out(std::int64_t state) const;
  void may_leave_out() const { left_out_.resize(static_cast<std::size_t>(states_)); }

  /// Calls body(first, count) for pieces of the states, on the threads of the call and without Python's lock. What body
  /// throws is thrown here.
  template <class Body>
  void share(const Body& body) const {
    if (states_ < worth_unlocking) {
      if (states_ > 0) body(std::int64_t{0}, states_);
      return examine(0, states_);
    }
    nb::gil_scoped_release release;
    share_pieces(&body, [](const void* b, std::int64_t first, std::int64_t count) {
      (*static_cast<const Body*>(b))(first, count);
    });
  }

  /// The same for a body that shares out all states by itself, on threads_for() threads.
  template <class Body>
  void at_once(const Body& body) const {
    nb::gil_scoped_release release;
    if (states_ > 0) body(std::int64_t{0}, states_);
    examine(0, states_);
  }
  /// The threads of the call; where their number is left to us, as many as `work` states of the cheapest kind are worth.
  int threads_for(std::int64_t work) const;

  /// The answer, or a tuple of the answers, a named one of that type if there is one. What tell() has not said of states
  /// of a robot is said now.
  nb::object result(nb::handle type = {});

  /// What is said of states without an answer. why(state): the fault of a state whose numbers are all finite. One state
  /// raises torsor.Error with it; of many, one torsor.RowWarning says how many there are and the fault of the first. With
  /// return_valid neither is done: see with_valid().
  template <class Why>
  void tell(bool return_valid, const Why& why) const {
    if (single()) examine(0, 1);
    told_ = true;
    if (return_valid || left_out_.empty()) return;
    std::int64_t count = 0, first = -1;
    for (std::int64_t k = 0; k < states_; ++k) {
      if (!left_out_[static_cast<std::size_t>(k)] || !finite(k)) continue;
      if (first < 0) first = k;
      ++count;
    }
    if (count > 0) raise_or_warn(count, first, why(first));
  }

  /// (answer, valid) if return_valid, where valid has a bool for each state; else the answer alone.
  nb::object with_valid(nb::object answer, bool return_valid) const;

  const char* function() const { return function_; }
  /// How many arguments were taken.
  int taken() const { return taken_; }
  /// What they are called, and their numbers at a state, whatever their type; none if it was not given.
  const char* name(int k) const { return inputs_[k].name; }
  std::vector<double> numbers_of(int k, std::int64_t state) const;

 private:
  static constexpr int most_inputs = 8, most_outputs = 12, most_axes = 32;
  static constexpr std::int64_t worth_unlocking = 8;

  /// Room for some, of which only those are made that a call has: one of one state takes as long as to clear the rest.
  template <class T, int most>
  class Places {
   public:
    Places() = default;
    ~Places() {
      for (int k = 0; k < count_; ++k) (*this)[k].~T();
    }
    Places(const Places&) = delete;
    Places& operator=(const Places&) = delete;
    T& add() { return *new (room_ + sizeof(T) * static_cast<std::size_t>(count_++)) T; }
    T& operator[](int k) {
      return *std::launder(reinterpret_cast<T*>(room_ + sizeof(T) * static_cast<std::size_t>(k)));
    }
    const T& operator[](int k) const {
      return *std::launder(reinterpret_cast<const T*>(room_ + sizeof(T) * static_cast<std::size_t>(k)));
    }

   private:
    alignas(T) std::byte room_[sizeof(T) * most];
    int count_ = 0;
  };

  struct Input {
    nb::object array;  // none where it was left out
    const void* data = nullptr;
    const char* name;
    std::ptrdiff_t stride;  // in numbers
    int columns, row_axes;
    std::array<int, 2> row;
  };
  struct Output {
    nb::object array, temporary;  // temporary: of doubles, if the answer is of floats and the computation is not
    void* data;
    std::ptrdiff_t stride;
    int columns;
    double number;  // an answer without any axis needs no array
  };
  using Call = void (*)(const void*, std::int64_t, std::int64_t);

  void set_rows(Input& input) const;
  void keep_apart(const Output& output);
  void share_pieces(const void* body, Call call) const;
  void examine(std::int64_t first, std::int64_t count) const;
  void raise_or_warn(std::int64_t count, std::int64_t first, const Fault& fault) const;
  std::string shape_wanted(const Input&) const;

  const char* function_;
  int threads_;
  Places<Input, most_inputs> inputs_;
  Places<Output, most_outputs> outputs_;
  int taken_ = 0, given_ = 0;
  bool float_answers_ = false, floats_ = false;
  int axes_ = 0;
  std::array<std::ptrdiff_t, most_axes> leading_;  // axes_ of them
  std::int64_t states_ = 1;
  mutable std::vector<char> left_out_;  // per state, or empty where none is
  bool examined_ = false;
  const Model<double>* model_ = nullptr;  // whose states are examined
  const Robot* robot_ = nullptr;          // the same, where it may have loops
  std::vector<int> quaternions_;          // where theirs begin
  Telling telling_ = Telling::unless_asked;
  Answers answers_ = Answers::any;
  mutable bool told_ = false;
};

}  // namespace torsor::python

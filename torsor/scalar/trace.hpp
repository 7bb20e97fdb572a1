// Trace: a scalar that computes nothing and remembers everything. Run an algorithm over it inside a Recording and the
// Tape holds it as a directed acyclic graph: every operation as executed, nothing folded, operands before results.
//
//   Tape tape;
//   {
//     Recording recording(tape);
//     Trace x = tape.input("x");
//     tape.output(x * sin(x) + 2, "y");
//   }
//
// Each leaf says what it is: structural (exactly 0, 1 or -1: a feature of the mechanism), a design constant (known
// off-line), or a run-time input. A literal is carried by the Trace itself until an operation needs it, so constants,
// and arithmetic among constants, are safe with no recording at all; a recorded Trace belongs to its tape and is used
// only while that tape is recording. C++ leaves open which operand of a sum is computed first, so the order of the
// nodes, though not the graph, may differ between compilers. What is done with a tape: trace_passes.hpp (fold, share,
// live), trace_count.hpp, trace_evaluate.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "torsor/scalar/concepts.hpp"

namespace torsor {

/// What a node of the graph is: the first three are leaves.
enum class Operation : unsigned char {
  structural,
  constant,
  input,
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  sin,
  cos,
  exp,
  atan2,
  abs,
  less,   // 1 where a < b, else 0
  select  // a where the mask c is set, else b
};

constexpr bool is_leaf(Operation op) { return op <= Operation::input; }
constexpr bool is_binary(Operation op) {
  return (Operation::add <= op && op <= Operation::div) || op == Operation::atan2 || op >= Operation::less;
}

class TraceMask;

class Trace {
 public:
  /// A literal: structural if exactly 0, 1 or -1, otherwise a design constant.
  Trace(double literal = 0.0) : literal_(literal) {}

  friend Trace operator+(Trace a, Trace b) { return record(Operation::add, a, b); }
  friend Trace operator-(Trace a, Trace b) { return record(Operation::sub, a, b); }
  friend Trace operator*(Trace a, Trace b) { return record(Operation::mul, a, b); }
  friend Trace operator/(Trace a, Trace b) { return record(Operation::div, a, b); }
  friend Trace operator-(Trace a) { return record(Operation::neg, a); }
  friend Trace sqrt(Trace a) { return record(Operation::sqrt, a); }
  friend Trace sin(Trace a) { return record(Operation::sin, a); }
  friend Trace cos(Trace a) { return record(Operation::cos, a); }
  friend Trace exp(Trace a) { return record(Operation::exp, a); }
  friend Trace abs(Trace a) { return record(Operation::abs, a); }
  friend Trace atan2(Trace y, Trace x) { return record(Operation::atan2, y, x); }
  friend TraceMask operator<(Trace a, Trace b);
  friend TraceMask operator>(Trace a, Trace b);
  friend Trace select(TraceMask mask, Trace a, Trace b);

  Trace& operator+=(Trace b) { return *this = *this + b; }
  Trace& operator-=(Trace b) { return *this = *this - b; }
  Trace& operator*=(Trace b) { return *this = *this * b; }
  Trace& operator/=(Trace b) { return *this = *this / b; }

 private:
  friend class Tape;

  static Trace record(Operation op, Trace a, Trace b = {}, Trace mask = {});
  static Trace recorded(int node) {
    Trace trace(std::numeric_limits<double>::quiet_NaN());
    trace.node_ = node;
    return trace;
  }
  bool is_literal() const { return node_ < 0; }

  double literal_;
  int node_ = -1;
};

/// The outcome of a comparison, for select() alone: no bool comes of it, so nothing can branch on a recorded value.
class TraceMask {
 public:
  TraceMask() = default;
  friend TraceMask operator&(TraceMask a, TraceMask b) { return TraceMask(select(a, b.set_, 0)); }
  friend TraceMask operator|(TraceMask a, TraceMask b) { return TraceMask(select(a, 1, b.set_)); }
  friend TraceMask operator!(TraceMask a) { return TraceMask(select(a, 0, 1)); }

 private:
  friend TraceMask operator<(Trace a, Trace b);
  friend Trace select(TraceMask mask, Trace a, Trace b);
  explicit TraceMask(Trace set) : set_(set) {}

  Trace set_ = 0.0;  // 1 or 0
};

inline TraceMask operator<(Trace a, Trace b) { return TraceMask(Trace::record(Operation::less, a, b)); }
inline TraceMask operator>(Trace a, Trace b) { return b < a; }
inline Trace select(TraceMask mask, Trace a, Trace b) {
  return Trace::record(Operation::select, a, b, mask.set_);
}

/// |x| with the sign of y; a zero counts as positive.
inline Trace copysign(Trace x, Trace y) { return select(y < 0, -abs(x), abs(x)); }

static_assert(Ordered<Trace>);

/// An operation on the earlier nodes a, b and c (-1 where it takes none), or a leaf with a value and perhaps a name.
struct Node {
  Operation operation;
  int a = -1;
  int b = -1;
  double value = 0.0;
  int stage = 0;
  std::string name = {};
  int c = -1;  // the mask of a select
};

struct Output {
  int node;
  std::string name;
};

class Tape {
 public:
  // the structural leaves, the same three nodes in every tape
  static constexpr int zero = 0, one = 1, minus_one = 2;

  /// A tape with the structural leaves only; stage 0, with the empty name, holds what is recorded before any mark.
  explicit Tape(std::vector<std::string> stages = {""});

  /// A run-time value; the order of creation is the order in which evaluate() wants the inputs.
  Trace input(std::string name);
  /// A value known off-line, a design constant whatever its number (0 and 1 are not taken as structural here).
  Trace constant(double value, std::string name = {});
  /// Marks a result; the order of marking is the order of what evaluate() returns.
  void output(Trace result, std::string name);
  /// Labels the operations that follow, for counts per stage; a name used before is taken up again.
  void stage(std::string_view name);

  /// Appends an operation on traces of this tape.
  Trace record(Operation op, Trace a, Trace b = {}, Trace mask = {});
  /// Appends a node as it is and returns its index; equal unnamed constants, and equal structural leaves, are one node.
  int append(Node node);
  /// Marks a node as a result.
  void append(Output output);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<int>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  const std::vector<std::string>& stages() const { return stages_; }

 private:
  int node_of(Trace trace);

  std::vector<Node> nodes_;
  std::vector<int> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::string> stages_;
  int current_stage_ = 0;
  std::unordered_map<std::uint64_t, int> unnamed_constants_;
};

/// While it lives, operations on Trace in this thread go to the tape; recordings nest, the innermost one is current.
class Recording {
 public:
  explicit Recording(Tape& tape) : previous_(current_) { current_ = &tape; }
  ~Recording() { current_ = previous_; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The tape of the innermost recording of this thread, null outside.
  static Tape* current() { return current_; }

 private:
  static inline constinit thread_local Tape* current_ = nullptr;
  Tape* previous_;
};

/// The tape for a reader: one line `t3 = c1*l1` per operation, `[name]` where a stage begins, outputs last.
std::string to_text(const Tape& tape);

}  // namespace torsor

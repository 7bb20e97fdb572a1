// How many operations a computation takes, by kind. trace_count.hpp counts them on a tape.
#pragma once

namespace torsor {

struct OperationCount {
  int multiplications = 0;
  int additions = 0;
  int divisions = 0;
  int square_roots = 0;
  int trigonometric = 0;  // sin, cos
  int arctangents = 0;    // atan2
  int exponentials = 0;
  int absolute_values = 0;
  int comparisons = 0;
  int selections = 0;  // select

  OperationCount& operator+=(const OperationCount& other);
  friend OperationCount operator+(OperationCount a, const OperationCount& b) { return a += b; }
  friend bool operator==(const OperationCount&, const OperationCount&) = default;
};

/// What is free besides negation. `all`: nothing. `dense`: what no run-time value enters (c*c, 0*c, 1+1).
/// `structured`: also x*0, x*1, x*(-1), x+0, x/1 with structural 0 and 1, followed through the whole computation.
/// `listing`: as structured within a stage, but what an earlier stage computed is taken as a full run-time value, zero or
/// not: how a paper counts that lists the steps for a general link.
enum class Rule { all, dense, structured, listing };

}  // namespace torsor

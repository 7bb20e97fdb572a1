// The elementary functions of generated C, in C: a generated file needs no mathematics library beyond a square root. They
// pass NaN through, and infinities give NaN where there is no answer.
//
//   sine, cosine   x - k pi/2 with pi/2 in three parts, then polynomials on |r| <= pi/4 (least greatest relative error:
//                  4e-18, in float 4e-9). Written as a loop over all angles without branches, which compilers turn into
//                  vector instructions. Beyond 1e6 (float: 1e3) the quadrant comes from the digits of 2/pi (Payne & Hanek
//                  1983).
//   exponential    k ln 2 taken out in two parts, then the series
//   arc tangent    the polynomial of scalar/pack.hpp, recorded
#pragma once

#include <string>
#include <vector>

#include "torsor/codegen/c_real.hpp"

namespace torsor {

/// `static void torsor_sincos(int n, const T *x, T *sn, T *cs)` and what it needs.
std::string c_sincos(const CReal&);
/// `static void torsor_sincos_sum(int n, const T *q, const T *offset, T *sum, T *sn, T *cs)`: of q + offset, offsets of one
/// turn at most; stands after the other.
std::string c_sincos_sum(const CReal&);
/// `static T torsor_exp(T x)`.
std::string c_exp(const CReal&);
/// `static T torsor_atan2(T y, T x)`.
std::string c_atan2(const CReal&);
/// `static const T *torsor_tame(const T *q, T *copy)`: q (nq numbers), or a copy of it whose quaternions, from these places on,
/// are divided by their largest part: where the square of a length is beyond what a T holds with all its digits.
std::string c_tame(const CReal&, int nq, const std::vector<int>& quaternions);

}  // namespace torsor

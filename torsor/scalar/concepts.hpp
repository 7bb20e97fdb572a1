// What a number may be, graded: an algorithm asks for the least it needs.
//
//   Ring      + - * and the integers          forces and inertias, once each joint's sine and cosine are given
//   Field     adds /                          factorisations, forward dynamics
//   Analytic  adds sqrt sin cos atan2 exp     angles to (cos, sin), geometry
//   Ordered   adds <, abs and select          friction, pivoting, limits
//
// No grade below Ordered yields a bool from values: an algorithm that branches on a value does not compile for the
// symbolic scalars, which is how one text serves them all. Structural branches (joint kind, parent < 0) are on ints.
#pragma once

#include <cmath>
#include <concepts>

namespace torsor {

// brought in so that unqualified calls on double and float find them inside templates
using std::abs;
using std::atan2;
using std::cos;
using std::exp;
using std::sin;
using std::sqrt;

/// a where the mask is set, b elsewhere; a Pack has a lane mask where double has a bool.
template <std::floating_point T>
constexpr T select(bool mask, T a, T b) { return mask ? a : b; }

template <class T>
concept Ring = std::copyable<T> && std::constructible_from<T, int> && requires(T a, const T& b, const T& c) {
  { b + c } -> std::convertible_to<T>;
  { b - c } -> std::convertible_to<T>;
  { b * c } -> std::convertible_to<T>;
  { -b } -> std::convertible_to<T>;
  a += b;
  a -= b;
};

template <class T>
concept Field = Ring<T> && requires(const T& a, const T& b) {
  { a / b } -> std::convertible_to<T>;
};

template <class T>
concept Analytic = Field<T> && std::constructible_from<T, double> && requires(const T& a, const T& b) {
  { sqrt(a) } -> std::convertible_to<T>;
  { sin(a) } -> std::convertible_to<T>;
  { cos(a) } -> std::convertible_to<T>;
  { exp(a) } -> std::convertible_to<T>;
  { atan2(a, b) } -> std::convertible_to<T>;
};

/// Sine and cosine of one angle; a scalar that has both for the price of one brings its own.
template <Analytic T>
void set_sine_cosine(const T& x, T& s, T& c) {
  s = sin(x);
  c = cos(x);
}

template <class T>
concept Ordered = Analytic<T> && requires(const T& a, const T& b) {
  { abs(a) } -> std::convertible_to<T>;
  { select(a < b, a, b) } -> std::convertible_to<T>;
};

static_assert(Ordered<double> && Ordered<float>);

}  // namespace torsor

// A complex number whose product is four products, without the care for infinities that std::complex takes.
#pragma once

#include <cmath>

namespace torsor {

struct PlainComplex {
  double re = 0, im = 0;

  PlainComplex& operator+=(const PlainComplex& b) { return re += b.re, im += b.im, *this; }
  PlainComplex& operator-=(const PlainComplex& b) { return re -= b.re, im -= b.im, *this; }
};

inline PlainComplex operator+(const PlainComplex& a, const PlainComplex& b) { return {a.re + b.re, a.im + b.im}; }
inline PlainComplex operator-(const PlainComplex& a, const PlainComplex& b) { return {a.re - b.re, a.im - b.im}; }
inline PlainComplex operator*(const PlainComplex& a, const PlainComplex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline PlainComplex operator*(const PlainComplex& a, double b) { return {a.re * b, a.im * b}; }

inline double size_of_number(double a) { return std::fabs(a); }
inline double size_of_number(const PlainComplex& a) { return std::fabs(a.re) + std::fabs(a.im); }
inline double inverse_of_number(double a) { return 1 / a; }
inline PlainComplex inverse_of_number(const PlainComplex& a) {
  const double k = 1 / (a.re * a.re + a.im * a.im);
  return {a.re * k, -a.im * k};
}

}  // namespace torsor

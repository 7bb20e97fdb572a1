// The kernel of the quintic smoothing spline, one sample at a time.
//
// A quintic smoothing spline s minimises
//   sum_i w_i (s(t_i) - y_i)^2 + (2 pi fc)^-6 integral s'''^2 dt,   w_i = (t_{i+1} - t_{i-1}) / 2.
// With its state x_i = (s, s', s'') at the samples as unknowns this is a linear least squares problem, because between
// two samples, h apart, the least integral with given ends, that of a quintic, is a sum of three squares:
//   integral s'''^2 dt = |W(h) (x_{i+1} - F(h) x_i)|^2,   F = [1 h h^2/2; 0 1 h; 0 0 1],
//   W(h) = [20 -12 3; -10 sqrt(3) 4 sqrt(3) 0; 2 sqrt(5) 0 0] diag(h^-5/2, h^-3/2, h^-1/2).
// Orthogonal transformations eliminate x_0, x_1, ... as the samples arrive, back substitution gives the states: O(n),
// any spacing, and the condition number is the square root of that of the normal equations, which lets the cutoff be a
// ten-thousandth of the sample rate. (Splines as state estimates: Wecker & Ansley, J. Am. Stat. Assoc. 78, 1983;
// orthogonal elimination: Paige & Saunders, SIAM J. Numer. Anal. 14, 1977.)
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace torsor {

class SplineFilter {
 public:
  /// For samples of `channels` values at common times; cutoff [Hz], infinite to interpolate; period [s] is a typical
  /// spacing of the samples, the unit of time inside.
  SplineFilter(std::size_t channels, double cutoff, double period);

  /// The next sample; its time must be later than the last.
  void push(double t, std::span<const double> y);

  /// Samples held: pushed and not dropped.
  std::size_t size() const { return times_.size(); }
  std::size_t channels() const { return channels_; }
  double time(std::size_t i) const { return times_[i]; }

  /// States at the samples held as far as the samples so far tell, each n x channels row by row; s' per s, s'' per s^2.
  void smooth(std::vector<double>& s, std::vector<double>& sd, std::vector<double>& sdd);

  /// Forgets the oldest samples; what they say about the rest stays. Dropping all begins a new record.
  void drop(std::size_t count);

 private:
  double* row(std::size_t r) { return work_.data() + r * width_; }
  void measurement_row(double weight);
  void triangularise(std::size_t rows, std::size_t columns);

  std::size_t channels_, width_;  // width of a row of equations: two states and the right-hand sides
  double period_, stiffness_;     // (2 pi fc period)^3
  std::size_t pushed_ = 0;
  double spacing_ = 0;  // between the last two samples, in periods
  std::vector<double> times_;
  std::vector<double> eliminated_;  // per sample but the last: three rows, triangular in x_i, coupled to x_{i+1}
  std::vector<double> prior_;       // three rows: what the samples before the last say about its state
  std::vector<double> last_;        // the last sample
  std::vector<double> work_, dot_;  // seven rows, and one of products
  std::vector<double> next_;        // the state after, of each channel, on the way back
};

}  // namespace torsor

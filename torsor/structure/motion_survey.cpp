#include "torsor/structure/motion_survey.hpp"

#include <algorithm>

namespace torsor {
namespace {

/// All coefficients of a robot at any time of a course.
class Along {
 public:
  Along(const Model<double>& model, const Course& course)
      : model_(model),
        course_(course),
        work_(model),
        configuration_(model),
        n_(static_cast<std::size_t>(model.nv)),
        D(n_ * n_),
        c(n_ * n_ * n_),
        G(n_),
        q(n_),
        qd(n_),
        qdd(n_) {}

  void go(double t) {
    course_.sample(t, q, qd, qdd);
    configuration_.set(model_, q);
    coefficients_composite_body<double>(model_, configuration_, work_, D, c, G);
  }
  double value(const Coefficient& which) const { return value_of<double>(which, model_.nv, D, c, G); }

 private:
  const Model<double>& model_;
  const Course& course_;
  CoefficientsWork<double> work_;
  Configuration<double> configuration_;
  std::size_t n_;

 public:
  std::vector<double> D, c, G, q, qd, qdd;
};

/// The zeros of one coefficient from its values at the instants.
class Zeros {
 public:
  Zeros(Along& along, const Course& course, const Coefficient& which, std::size_t number, std::vector<double> values,
        double noise)
      : along_(along),
        times_(course.times),
        which_(which),
        number_(number),
        values_(std::move(values)),
        noise_(noise) {}

  void find(std::vector<ZeroPassage>& out) {
    const std::size_t count = values_.size();
    for (std::size_t k = 0; k < count;) {
      if (sign(k) != 0) {
        if (k + 1 < count && sign(k + 1) == -sign(k)) {
          const double root = change(times_[k], times_[k + 1], [s = sign(k)](double v) { return sign_of(v) == s; });
          out.push_back({number_, root, root, true});
        }
        ++k;
        continue;
      }
      // a stretch of zeros from instant k to the one before `end`
      std::size_t end = k;
      while (end < count && sign(end) == 0) ++end;
      const auto not_zero = [this](double v) { return std::abs(v) > noise_; };
      const auto zero = [this](double v) { return !(std::abs(v) > noise_); };
      const bool inside = k > 0 && end < count, changes = inside && sign(k - 1) == -sign(end);
      const double from = k == 0 ? times_[0] : change(times_[k - 1], times_[k], not_zero);
      const double to = end == count ? times_.back() : change(times_[end - 1], times_[end], zero);
      // an instant that happens to be a zero is no stretch
      if (end == k + 1)
        out.push_back({number_, times_[k], times_[k], changes});
      else
        out.push_back({number_, from, to, changes});
      k = end;
    }
  }

 private:
  static int sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }
  int sign(std::size_t k) const { return std::abs(values_[k]) > noise_ ? sign_of(values_[k]) : 0; }

  /// Where the truth of a statement about the value ends, between two times.
  template <class Holds>
  double change(double a, double b, const Holds& holds) {
    for (int k = 0; k < 60; ++k) {
      const double middle = a + (b - a) / 2;
      if (!(middle > a && middle < b)) break;
      along_.go(middle);
      (holds(along_.value(which_)) ? a : b) = middle;
    }
    return a + (b - a) / 2;
  }

  Along& along_;
  const std::vector<double>& times_;
  const Coefficient& which_;
  std::size_t number_;
  std::vector<double> values_;
  double noise_;
};

}  // namespace

MotionSurvey motion_survey(const Model<double>& model, const ExactStructure& structure, const Course& course) {
  const std::size_t n = static_cast<std::size_t>(model.nv), count = structure.coefficients.size();
  MotionSurvey out;
  out.times = course.times;
  Along along(model, course);
  std::vector<SpreadGather> values(count), dominance(n), coupling(n * n);
  std::vector<std::vector<double>> all(count);
  TermGather terms(model.nv);
  for (std::size_t k = 0; k < course.times.size(); ++k) {
    const int instant = static_cast<int>(k);
    along.go(course.times[k]);
    for (std::size_t e = 0; e < count; ++e) {
      all[e].push_back(structure.nonzero[e] != 0 ? along.value(structure.coefficients[e]) : 0);
      values[e].see(all[e].back(), instant);
    }
    for (std::size_t i = 0; i < n; ++i) {
      double others = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) others += abs(along.D[i * n + j]);
      if (along.D[i * n + i] > 0) dominance[i].see(others / along.D[i * n + i], instant);
      for (std::size_t j = i + 1; j < n; ++j)
        if (const double product = along.D[i * n + i] * along.D[j * n + j]; product > 0)
          coupling[i * n + j].see(abs(along.D[i * n + j]) / sqrt(product), instant);
    }
    out.terms.push_back(torque_split(along.D, along.c, along.G, along.qd, along.qdd));
    terms.see(out.terms.back(), instant);
  }
  out.sizes = terms.sizes();
  for (const SpreadGather& gather : dominance) out.dominance.push_back(gather.spread());
  for (const SpreadGather& gather : coupling) out.coupling.push_back(gather.spread());
  for (const SpreadGather& gather : values) out.values.push_back(gather.spread());

  // what a coefficient of its kind gets to on the motion tells rounding from a zero all along
  std::array<double, coefficient_kinds> largest{};
  const auto kind = [&](std::size_t e) { return static_cast<std::size_t>(structure.coefficients[e].kind); };
  for (std::size_t e = 0; e < count; ++e) largest[kind(e)] = std::max(largest[kind(e)], out.values[e].size());
  for (std::size_t e = 0; e < count; ++e) {
    if (structure.nonzero[e] == 0) continue;
    constexpr double rounding = 1e-15, share = 1e-12;
    if (!(out.values[e].size() > rounding * largest[kind(e)])) {
      out.idle.push_back(e);
      continue;
    }
    const double noise = std::max(share * out.values[e].size(), rounding * largest[kind(e)] / 10);
    Zeros(along, course, structure.coefficients[e], e, std::move(all[e]), noise).find(out.zeros);
  }
  return out;
}

}  // namespace torsor

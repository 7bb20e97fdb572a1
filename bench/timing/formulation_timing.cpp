#include "bench/timing/formulation_timing.hpp"

#include <algorithm>
#include <chrono>
#include <random>

#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::vector<FormulationTime> time_formulations(RobotForms<double>& forms, double seconds_each,
                                               const std::function<bool(std::string_view)>& wanted) {
  const auto n = static_cast<std::size_t>(forms.model.nv);
  std::mt19937_64 engine(1);
  forms.set(random_position(forms.model, engine));
  std::vector<double> qd(n), qdd(n), tau(n);
  for (double& x : qd) x = 2 * uniform(engine) - 1;
  for (double& x : qdd) x = 2 * uniform(engine) - 1;

  std::vector<FormulationTime> out;
  for (const InverseFormulation<double>& formulation : inverse_formulations<double>()) {
    if (!wanted(formulation.name) || !refusal(formulation, forms).empty()) continue;
    const InverseRun<double> run = formulation.prepare(forms);
    const auto calls = [&](long count) {
      return seconds_of([&] {
        for (long k = 0; k < count; ++k) run(forms, qd, qdd, tau);
      });
    };
    FormulationTime time{formulation.name, formulation.complexity, calls(1)};  // the first call also warms the caches
    constexpr int batches = 5;
    const long count = std::max(1L, static_cast<long>(seconds_each / batches / std::max(time.seconds, 1e-8)));
    for (double spent = time.seconds; spent < seconds_each;) {
      const double batch = calls(count);
      spent += batch;
      time.seconds = std::min(time.seconds, batch / static_cast<double>(count));
    }
    out.push_back(time);
  }
  return out;
}

double growth_exponent(std::span<const double> x, std::span<const double> y) {
  const std::size_t half = x.size() / 2;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto count = static_cast<double>(x.size() - half);
  for (std::size_t k = half; k < x.size(); ++k) {
    const double u = std::log(x[k]), v = std::log(y[k]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

}  // namespace torsor

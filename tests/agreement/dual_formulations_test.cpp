// The formulations over dual numbers: every one of them has the same derivatives.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/formulations/catalogue_rows.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using D = Dual<double>;

std::vector<D> moving(const Numbers& value, const Numbers& tangent) {
  std::vector<D> out(value.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].value = value[i];
    out[i].tangent[0] = tangent[i];
  }
  return out;
}

}  // namespace

TEST_CASE("every formulation over dual numbers has the torques, and the derivative along any motion, of the tree's") {
  Random random(33);
  std::vector<Description> robots;
  for (const char* name : {"puma560_drives", "stanford", "rotary_hollerbach_simple"})
    robots.push_back(*load_robot(name));
  for (int k = 0; k < 6; ++k)
    robots.push_back(
        random_dh_arm(random, 2 + k, k % 2 == 0 ? Convention::standard_dh : Convention::modified_dh, 0.3));
  int served = 0;
  for (const Description& robot : robots) {
    CAPTURE(robot.name);
    const auto made = robot_forms(robot);
    REQUIRE(made);
    RobotForms<D> forms = cast<D>(*made, [](double x) { return D(x); });
    const int n = forms.model.nv;
    const std::vector<D> q = moving(random.numbers(n, 1.5), random.numbers(n, 1));
    const std::vector<D> qd = moving(random.numbers(n, 1), random.numbers(n, 1));
    const std::vector<D> qdd = moving(random.numbers(n, 1), random.numbers(n, 1));
    forms.set(q);
    std::vector<D> first(n), tau(n);
    inverse_formulations<D>()[0].prepare(forms)(forms, qd, qdd, first);
    double scale = 0, rate_scale = 0;
    for (const D& x : first) {
      scale = std::max(scale, std::abs(x.value));
      rate_scale = std::max(rate_scale, std::abs(x.tangent[0]));
    }
    for (const auto& row : inverse_formulations<D>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      row.prepare(forms)(forms, qd, qdd, tau);
      for (int i = 0; i < n; ++i) {
        CHECK(std::abs(tau[i].value - first[i].value) < 1e-12 * (1 + scale));
        CHECK(std::abs(tau[i].tangent[0] - first[i].tangent[0]) < 1e-11 * (1 + rate_scale));
      }
    }
  }
  CHECK(served >= 9 * 9);
}

#include "torsor/formulations/agreement.hpp"

#include <doctest/doctest.h>

#include "torsor/fields.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"

using namespace torsor;

namespace {

RobotForms<double> forms_of(std::string_view name) {
  for (const EmbeddedRobot& embedded : embedded_robots())
    if (embedded.name == name) return *robot_forms(*read_robot_toml(embedded.text, std::string(name)));
  FAIL("no such robot");
  return {};
}

InverseFormulation<double> tree_row() { return inverse_formulations<double>().front(); }

/// The tree's row with the torque of the second joint wrong by that much.
template <int parts_per_million>
InverseRun<double> slightly_wrong(const RobotForms<double>& forms) {
  return [right = tree_row().prepare(forms)](const RobotForms<double>& r, Rates<const double> qd,
                                             Rates<const double> qdd, Rates<double> tau) {
    right(r, qd, qdd, tau);
    tau[1] *= 1 + 1e-6 * parts_per_million;
  };
}

}  // namespace

TEST_CASE("every shipped robot is certified, and every row is either run or refused with a reason") {
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    RobotForms<double> forms = forms_of(embedded.name);
    const Agreement agreement = certify_agreement(forms, 3);
    CHECK(agreement.inverse.size() + agreement.others.size() + agreement.refused.size() ==
          inverse_formulations<double>().size() + coefficients_formulations<double>().size() +
              christoffel_formulations<double>().size() + mass_formulations<double>().size() +
              gravity_formulations<double>().size());
    REQUIRE(!agreement.inverse.empty());
    for (const Disagreement& d : agreement.pairs) CHECK(d.measure < 1e-12);
    for (const CertifiedRow& row : agreement.others) CHECK(row.worst.measure < 1e-12);
    for (const CertifiedRow& row : agreement.refused) CHECK(!row.refused.empty());
  }
}

TEST_CASE(
    "a formulation that is wrong by a millionth is caught against every other, with the state where it is worst") {
  RobotForms<double> forms = forms_of("puma560");
  InverseFormulation<double> good = tree_row(), bad = tree_row(), worse = tree_row();
  bad.name = "bad";
  bad.prepare = slightly_wrong<1>;
  worse.name = "worse";
  worse.prepare = slightly_wrong<3>;
  const std::vector<InverseFormulation<double>> rows{good, bad, worse};
  const Agreement agreement = certify_agreement(forms, 50, 7, rows);
  REQUIRE(agreement.inverse.size() == 3);
  const Disagreement& first = agreement.pair(0, 1);
  CHECK(first.measure > 1e-9);
  CHECK(first.measure <= 1e-6);
  CHECK(agreement.pair(0, 2).measure == doctest::Approx(3 * first.measure).epsilon(1e-6));
  CHECK(agreement.pair(1, 2).measure == doctest::Approx(2 * first.measure).epsilon(1e-6));
  CHECK(agreement.inverse[1].worst.measure == first.measure);
  CHECK(agreement.worst().measure == agreement.pair(0, 2).measure);
  CHECK(agreement.matrix().numbers[1 * 3 + 0] == first.measure);
  CHECK(agreement.matrix().numbers[0 * 3 + 1] == first.measure);
  CHECK(agreement.named_pairs().size() == 3);
  CHECK(agreement.named_pairs()[1].second == "worse");

  // the state is told such that the disagreement can be found again
  CHECK(first.joint == forms.model.velocity_names[1]);
  CHECK(first.second == doctest::Approx(first.first * (1 + 1e-6)).epsilon(1e-12));
  std::vector<double> tau(6);
  forms.set(first.q);
  good.prepare(forms)(forms, first.qd, first.qdd, tau);
  CHECK(tau[1] == first.first);
}

TEST_CASE("a result that is not a number is no agreement") {
  RobotForms<double> forms = forms_of("two_link");
  InverseFormulation<double> bad = tree_row();
  bad.prepare = [](const RobotForms<double>&) -> InverseRun<double> {
    return [](const RobotForms<double>&, Rates<const double>, Rates<const double>, Rates<double> tau) {
      for (double& x : tau) x = std::numeric_limits<double>::quiet_NaN();
    };
  };
  const std::vector<InverseFormulation<double>> rows{tree_row(), bad};
  CHECK(std::isinf(certify_agreement(forms, 2, 1, rows).pair(0, 1).measure));
}

TEST_CASE("states stay inside the limits") {
  RobotForms<double> forms = forms_of("puma560");
  for (Limits& limits : forms.model.limits) limits = {-0.1, 0.2, 0.3};
  InverseFormulation<double> bad = tree_row();
  bad.prepare = slightly_wrong<1>;
  const std::vector<InverseFormulation<double>> rows{tree_row(), bad};
  const Disagreement worst = certify_agreement(forms, 50, 3, rows).pair(0, 1);
  for (const double x : worst.q) CHECK((x >= -0.1 && x <= 0.2));
  for (const double x : worst.qd) CHECK(std::abs(x) <= 0.3);
}

// Every formulation of every catalogue on every serial arm of the golden files, whatever the convention of its table.
#include <doctest/doctest.h>

#include <map>

#include "tests/support/golden.hpp"
#include "tests/support/terms.hpp"
#include "torsor/formulations/catalogue.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// tau = D qdd + h + c and h_ikm at a state; D, h and c are those of the tree where the file does not tell.
struct GoldenState {
  Numbers q, qd, qdd, tau, D, h, c, h_ikm;
  bool has_terms = false;
};

struct GoldenArm {
  std::string name;
  double tolerance;
  Description description;
  std::vector<GoldenState> states;
};

GoldenState state_of(const Json& q, const Json& qd, const Json& qdd, const Json& tau) {
  GoldenState state;
  state.q = numbers(q);
  state.qd = numbers(qd);
  state.qdd = numbers(qdd);
  state.tau = numbers(tau);
  return state;
}

GoldenState with_terms(const Json& state, const char* gravity_name) {
  GoldenState out = state_of(state.at("q"), state.at("qd"), state.at("qdd"), state.at("tau"));
  out.D = numbers(state.at("D"));
  out.h = numbers(state.at("h"));
  out.c = numbers(state.at(gravity_name));
  out.has_terms = true;
  return out;
}

std::vector<GoldenArm> golden_arms() {
  std::vector<GoldenArm> arms;
  const Json two_link = golden("two_link");
  for (const char* convention : {"standard_DH", "modified_DH"}) {
    arms.push_back({convention, 1e-12, description(two_link.at("meta").at(convention)), {}});
    for (const Json& state : two_link.at("states")) arms.back().states.push_back(with_terms(state, "c"));
  }
  const Json random_serial = golden("random_serial");
  for (const Json& robot : random_serial.at("robots")) {
    arms.push_back({"random " + robot.at("id").dump(), 1e-11, description(robot.at("model")), {}});
    for (const Json& state : robot.at("states")) {
      arms.back().states.push_back(with_terms(state, "g"));
      Numbers& tau = arms.back().states.back().tau;
      // no formulation knows the wrench at the tip or the damping
      tau = sum(sum(tau, numbers(state.at("tau_tip")), -1), numbers(state.at("tau_damp")), -1);
    }
  }
  const Json puma = golden("puma560");
  arms.push_back({"puma560", 1e-11, description(puma.at("meta").at("model")), {}});
  for (const Json& state : puma.at("states")) {
    arms.back().states.push_back(with_terms(state, "G"));
    arms.back().states.back().h_ikm = numbers(state.at("c"));
  }
  const Json stanford = golden("stanford_000");
  for (const auto& [name, variant] : stanford.at("variants").items()) {
    arms.push_back({"stanford " + name, 1e-11, description(variant.at("model")), {}});
    // the paper's b_3 is the slide or its opposite
    const double sign = variant.at("d3_equals") == "-1 * b_3" ? -1 : 1;
    for (const Json& row : variant.at("rows")) {
      GoldenState state = state_of(row.at("q_paper"), row.at("qd_paper"), row.at("qdd_paper"), row.at("tau_paper"));
      for (Numbers* x : {&state.q, &state.qd, &state.qdd, &state.tau}) (*x)[2] *= sign;
      arms.back().states.push_back(std::move(state));
    }
  }
  const Json sixr = golden("sixr_000");
  for (const auto& [name, variant] : sixr.at("variants").items()) {
    arms.push_back({"sixr " + name, 1e-9, description(variant.at("model")), {}});
    for (const Json& row : variant.at("rows"))
      arms.back().states.push_back(state_of(row.at("q"), row.at("qd"), row.at("qdd"), row.at("tau")));
  }
  const Json wrist = golden("wrist_torques_50");
  for (const std::string inertias : {"general", "simplified"})
    for (const bool with_gravity : {true, false}) {
      const std::string key = "tau_" + inertias + (with_gravity ? "_g" : "_nog");
      arms.push_back({"wrist " + key, 1e-11, wrist_arm(wrist.at("meta"), inertias.c_str(), with_gravity), {}});
      for (const Json& state : wrist.at("states"))
        arms.back().states.push_back(state_of(state.at("q"), state.at("qd"), state.at("qdd"), state.at(key)));
    }
  return arms;
}

/// Runs `check` with each row prepared for each arm that it serves, at each state.
template <class Rows, class Check>
void for_all(const Rows& rows, const Check& check) {
  static const std::vector<GoldenArm> arms = golden_arms();
  std::map<std::string_view, int> served;
  for (const GoldenArm& arm : arms) {
    CAPTURE(arm.name);
    auto forms = robot_forms(arm.description);
    REQUIRE(forms);
    REQUIRE(forms->standard);
    for (const auto& row : rows) {
      if (!refusal(row, *forms).empty()) continue;
      CAPTURE(row.name);
      ++served[row.name];
      auto run = row.prepare(*forms);
      for (GoldenState state : arm.states) {
        if (!state.has_terms) {
          state.D = mass_matrix(forms->model, state.q);
          state.h = velocity_torques(forms->model, state.q, state.qd);
          state.c = gravity(forms->model, state.q);
        }
        forms->set(state.q);
        check(*forms, run, state, arm.tolerance);
      }
    }
  }
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(served[row.name] > 0);
  }
}

/// A scale for shares of the torques, any of which may vanish.
double scale(const GoldenState& state) {
  return largest(times(state.D, state.qdd)) + largest(state.h) + largest(state.c);
}

}  // namespace

TEST_CASE("every inverse dynamics gives the golden torques") {
  for_all(inverse_formulations<double>(), [](const auto& forms, auto& run, const GoldenState& s, double tolerance) {
    Numbers tau(s.q.size());
    run(forms, s.qd, s.qdd, tau);
    CHECK(disagreement(tau, s.tau, s.D, s.qdd, s.h, s.c) < tolerance);
  });
}

TEST_CASE("every formulation of the coefficients gives the golden D, h and c") {
  for_all(coefficients_formulations<double>(),
          [](const auto& forms, auto& run, const GoldenState& s, double tolerance) {
            Numbers D(s.D.size()), h(s.q.size()), c(s.q.size());
            run(forms, s.qd, D, h, c);
            CHECK(relative(D, s.D) < tolerance);
            CHECK(difference(h, s.h) < tolerance * scale(s));
            CHECK(difference(c, s.c) < tolerance * scale(s));
          });
}

TEST_CASE("every formulation of the Christoffel coefficients gives the golden ones, or at least the golden h") {
  for_all(christoffel_formulations<double>(), [](const auto& forms, auto& run, const GoldenState& s, double tolerance) {
    const std::size_t n = s.q.size();
    Numbers h_ikm(n * n * n), h(n);
    run(forms, h_ikm);
    for (std::size_t ikm = 0; ikm < h_ikm.size(); ++ikm)
      h[ikm / (n * n)] += h_ikm[ikm] * s.qd[ikm / n % n] * s.qd[ikm % n];
    CHECK(difference(h, s.h) < tolerance * scale(s));
    if (!s.h_ikm.empty()) CHECK(relative(h_ikm, s.h_ikm) < tolerance);
  });
}

TEST_CASE("every formulation of the mass matrix gives the golden D") {
  for_all(mass_formulations<double>(), [](const auto& forms, auto& run, const GoldenState& s, double tolerance) {
    Numbers D(s.D.size());
    run(forms, D);
    CHECK(relative(D, s.D) < tolerance);
  });
}

TEST_CASE("every formulation of gravity gives the golden c") {
  for_all(gravity_formulations<double>(), [](const auto& forms, auto& run, const GoldenState& s, double tolerance) {
    Numbers c(s.q.size());
    run(forms, c);
    CHECK(difference(c, s.c) < tolerance * scale(s));
  });
}

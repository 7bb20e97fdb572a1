// The PUMA 560 in the terms of Tourassis & Neuman (1985): D and G, and the signed squares K_ij = d_ij / M_j of (22).
#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "torsor/formulations/catalogue.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("every formulation of D and G gives the golden coefficients of Tourassis and Neuman's PUMA") {
  const Json file = golden("coupling_002");
  const Json& robot = file.at("robots").at("puma560_m1_13kg");
  auto forms = *robot_forms(description(robot.at("model")));
  REQUIRE(robot.at("rows").size() == 10);
  int served = 0;
  for (const Json& at : robot.at("rows")) {
    forms.set(numbers(at.at("q")));
    const Numbers D = numbers(at.at("D")), G = numbers(at.at("G")), M = numbers(at.at("M_j")),
                  K = numbers(at.at("K_ij_signed_square"));
    for (const auto& row : mass_formulations<double>()) {
      CAPTURE(row.name);
      REQUIRE(refusal(row, forms).empty());
      ++served;
      Numbers matrix(36);
      row.prepare(forms)(forms, matrix);
      CHECK(relative(matrix, D) < 1e-11);
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = i; j < 6; ++j)
          CHECK(std::abs(matrix[6 * i + j] / M[j] - K[6 * i + j]) < 1e-11 * largest(K));
    }
    for (const auto& row : gravity_formulations<double>()) {
      CAPTURE(row.name);
      REQUIRE(refusal(row, forms).empty());
      Numbers c(6);
      row.prepare(forms)(forms, c);
      CHECK(relative(c, G) < 1e-11);
    }
  }
  CHECK(served >= 40);
}

#include "torsor/mechanism/coordinate_partition.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/mobility.hpp"

using namespace torsor;

TEST_CASE("accelerations by coordinate partitioning are those of the augmented system, redundant equations or not") {
  for (const char* name : {"four_bar", "slider_crank", "rssr", "stewart_platform", "bricard", "andrews_squeezer",
                           "hand_driven_robot", "palletiser", "geared_two_link", "spatial_slider_crank"})
    for (const bool driven : {true, false}) {
      CAPTURE(std::string(name));
      Result<MechanismDescription> description = load_mechanism(name);
      REQUIRE(description);
      // without its drivers it has freedoms
      if (!driven) {
        for (const MechanismDriver& driver : description->drivers)
          if (driver.joint >= 0)
            description->joints[static_cast<std::size_t>(driver.joint)].kind = MechanismJointKind::free;
        description->drivers.clear();
      }
      const Result<Mechanism> m = build(*description);
      REQUIRE(m);
      MechanismState state = described_state(*m);
      Assembly assembly(*m, EquationSet::all);
      assembly.expect_redundancy(true);
      REQUIRE(assembly.positions(state).closed);
      REQUIRE(assembly.velocities(state).closed);
      CoordinatePartition partition(*m, state);
      CHECK(static_cast<int>(partition.independent().size()) == mobility(*m, state, EquationSet::all).freedoms);
      std::vector<Motion<double>> A(state.bodies.size()), B(A);
      MechanismForward forward(*m);
      forward.expect_redundancy(true);
      REQUIRE(forward.accelerations(state, A));
      REQUIRE(partition.accelerations(state, B));
      double size = 1;
      for (const Motion<double>& a : A) size = std::max({size, norm(a.w), norm(a.v)});
      for (std::size_t b = 0; b < A.size(); ++b) {
        CHECK(norm(A[b].w - B[b].w) < 1e-9 * size);
        CHECK(norm(A[b].v - B[b].v) < 1e-9 * size);
      }
      CHECK(std::fabs(forward.driver_power() - partition.driver_power()) < 1e-8 * size);
    }
}

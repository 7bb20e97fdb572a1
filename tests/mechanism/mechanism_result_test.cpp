#include "torsor/mechanism/mechanism_result.hpp"

#include <doctest/doctest.h>

#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/assembly.hpp"

using namespace torsor;

TEST_CASE("what is named of redundant equations is what mobility counts") {
  for (const char* name : {"four_bar", "bricard", "palletiser", "pendulum"}) {
    CAPTURE(name);
    const Mechanism m = *build(*load_mechanism(name));
    MechanismState state = described_state(m);
    Assembly assembly(m, EquationSet::all);
    assembly.expect_redundancy(true);
    REQUIRE(assemble_start(m, assembly, state).empty());
    const MobilityReport joints = mobility(m, state, EquationSet::without_drivers);
    const Mobility found = mobility_of(m, state, joints, false);
    CHECK(found.dependences.size() == static_cast<std::size_t>(joints.redundant));
    CHECK(found.independent.size() == static_cast<std::size_t>(joints.freedoms));
    CHECK(found.driven.rows >= joints.rows);
    CHECK_FALSE(found.actuated.word.empty());
    const Redundancy redundant = redundancy(m, joints);
    REQUIRE(redundant.rank);
    CHECK(*redundant.rank + *redundant.redundant == redundant.equations);
    CHECK(redundant.not_unique->empty() == (*redundant.redundant == 0));
  }
}

TEST_CASE("a rank that is too large to be found is none") {
  MobilityReport large;
  large.rows = 7;
  large.too_large = true;
  const Redundancy none = redundancy(*build(*load_mechanism("pendulum")), large);
  CHECK(none.equations == 7);
  CHECK_FALSE(none.rank);
  CHECK_FALSE(none.not_unique);
}

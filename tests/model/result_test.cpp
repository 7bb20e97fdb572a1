// A Result without a value cannot be mistaken for one: it throws every fault when it is opened, whatever the build.
#include "torsor/result.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;

TEST_CASE("a Result that is opened without a value throws all of its faults") {
  Result<std::string> nothing = Faults{{{"arm.toml", 3}, "joint \"a\"", "joint-kind", "unknown kind", "use revolute"},
                                       {{"arm.toml", 7}, "", "file-read", "it ends here", ""}};
  REQUIRE_FALSE(nothing);
  const char* const lines =
      "arm.toml:3: joint \"a\": unknown kind [joint-kind]; use revolute\narm.toml:7: it ends here [file-read]";
  CHECK_THROWS_WITH_AS(*nothing, lines, Error);
  CHECK_THROWS_AS(*std::as_const(nothing), Error);
  CHECK_THROWS_AS(*std::move(nothing), Error);
  CHECK_THROWS_AS(nothing->size(), Error);
  CHECK_THROWS_AS(std::as_const(nothing)->size(), Error);
  try {
    *nothing;
    FAIL("it opened");
  } catch (const Error& error) {
    REQUIRE(error.faults().size() == 2);
    CHECK(error.faults()[1].where.line == 7);
  }
}

TEST_CASE("a robot that is not there is never an empty one") {
  CHECK_THROWS_AS(*build(*load_robot("pumma")), Error);
  CHECK(build(*load_robot("puma560"))->nv == 6);
}

TEST_CASE("a Result holds what has no default, and gives it away") {
  struct Held {
    explicit Held(int value) : n(std::make_unique<int>(value)) {}
    std::unique_ptr<int> n;
  };
  Result<Held> seven = Held(7);
  REQUIRE(seven);
  CHECK(*seven->n == 7);
  CHECK(seven.faults().empty());
  const Held taken = *std::move(seven);
  CHECK(*taken.n == 7);
}

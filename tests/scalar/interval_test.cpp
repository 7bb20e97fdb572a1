#include "torsor/scalar/interval.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;

namespace {

Interval drawn(testing::Random& random, double size) {
  const double a = random.uniform(-size, size), b = random.chance(0.2) ? a : random.uniform(-size, size);
  return {std::min(a, b), std::max(a, b)};
}

bool holds(const Interval& x, long double value) { return x.low <= value && value <= x.high; }

}  // namespace

TEST_CASE("sums, differences and products of intervals hold those of all their numbers, in more digits than theirs") {
  testing::Random random(60);
  for (int k = 0; k < testing::draws(20000); ++k) {
    const Interval a = drawn(random, 3), b = drawn(random, 3);
    const double x = random.uniform(a.low, a.high), y = random.uniform(b.low, b.high);
    const long double lx = x, ly = y;
    CHECK(holds(a + b, lx + ly));
    CHECK(holds(a - b, lx - ly));
    CHECK(holds(a * b, lx * ly));
    CHECK(holds(-a, -lx));
  }
}

TEST_CASE("cosine and sine of an interval hold those of all its angles, and are no wider than they must be") {
  testing::Random random(61);
  for (int k = 0; k < testing::draws(20000); ++k) {
    const Interval a = drawn(random, 10);
    const long double x = random.uniform(a.low, a.high);
    CHECK(holds(cos(a), std::cos(x)));
    CHECK(holds(sin(a), std::sin(x)));
  }
  CHECK(cos(Interval{0.1, 0.2}).width() < std::cos(0.1) - std::cos(0.2) + 1e-14);
  CHECK(sin(Interval{3, 3.3}).width() < std::sin(3) - std::sin(3.3) + 1e-14);
  CHECK(cos(Interval{-0.1, 0.2}).high == 1);
  CHECK(cos(Interval{-0.1, 0.2}).low > 0.98);
  CHECK(cos(Interval{3, 3.3}).low == -1);
  CHECK(sin(Interval{1.5, 1.6}).high == 1);
  CHECK(sin(Interval{4.7, 4.8}).low == -1);
  CHECK(sin(Interval{-20, 20}).width() == 2);
}

TEST_CASE("the ends of an interval move outward: a sum that rounds is held") {
  const Interval third = Interval(1.0) * Interval(0.1) + Interval(0.2);
  CHECK(third.low < 0.3);
  CHECK(third.high > 0.3);
}

TEST_CASE("a tape of sums and products runs over intervals") {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace x = tape.input("x"), y = tape.input("y");
    tape.output(x * y - x + 2, "z");
  }
  const Interval z = evaluate<Interval>(tape, std::vector<Interval>{{0, 1}, {-1, 2}}).front();
  CHECK(z.low == doctest::Approx(0));
  CHECK(z.high == doctest::Approx(4));
}

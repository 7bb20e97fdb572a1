#include "torsor/scalar/factored_sums.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_passes.hpp"

using namespace torsor;

namespace {

Tape recorded(const std::vector<std::vector<ProductTerm>>& sums, int variables) {
  Tape tape;
  const Recording recording(tape);
  std::vector<Trace> x;
  for (int k = 0; k < variables; ++k) x.push_back(tape.input("x"));
  for (const Trace& sum : factored_sums(sums, x)) tape.output(sum, "y");
  return live(share(fold(tape)));
}

double plain(const std::vector<ProductTerm>& sum, const std::vector<double>& x) {
  double total = 0;
  for (const ProductTerm& term : sum) {
    double product = term.coefficient;
    for (const int k : term.factors) product *= x[static_cast<std::size_t>(k)];
    total += product;
  }
  return total;
}

}  // namespace

TEST_CASE("factored sums have the values of the sums they are made from") {
  testing::Random random(62);
  for (int k = 0; k < testing::draws(100); ++k) {
    std::vector<std::vector<ProductTerm>> sums(static_cast<std::size_t>(1 + random.below(4)));
    for (auto& sum : sums)
      for (int t = random.below(12); t > 0; --t) {
        ProductTerm term{random.chance(0.3) ? 1.0 : random.chance(0.3) ? -0.5 : random.uniform(-2, 2), {}};
        for (int f = random.below(5); f > 0; --f) term.factors.push_back(random.below(4));
        sum.push_back(term);
      }
    const std::vector<double> x = random.numbers(4, 2);
    const std::vector<double> y = evaluate<double>(recorded(sums, 4), x);
    for (std::size_t s = 0; s < sums.size(); ++s) CHECK(y[s] == doctest::Approx(plain(sums[s], x)).epsilon(1e-12));
  }
}

TEST_CASE("what is common to many terms is multiplied once") {
  // 2 x y + 3 x y z + x y = x y (2 + 3 z + 1): with the pair named or the bracket, three multiplications
  const std::vector<std::vector<ProductTerm>> one{{{2, {0, 1}}, {3, {0, 1, 2}}, {1, {0, 1}}}};
  CHECK(count(recorded(one, 3)).multiplications == 2 + 1);

  // two sums with the same bracket, of opposite signs: a (x + y), - b (x + y)
  const std::vector<std::vector<ProductTerm>> two{{{1, {0, 2}}, {1, {0, 3}}}, {{-1, {1, 2}}, {-1, {1, 3}}}};
  const OperationCount cost = count(recorded(two, 4));
  CHECK(cost.multiplications == 2);
  CHECK(cost.additions == 1);

  // equal coefficients are one factor: 5 (x + y + z)
  CHECK(count(recorded({{{5, {0}}, {5, {1}}, {-5, {2}}}}, 3)).multiplications == 1);
}

TEST_CASE("an empty sum is zero and a constant one needs no operation") {
  const Tape tape = recorded({{}, {{2.5, {}}}, {{1, {}}, {-1, {}}}}, 1);
  CHECK(evaluate<double>(tape, std::vector{7.0}) == std::vector{0.0, 2.5, 0.0});
  CHECK(count(tape).multiplications == 0);
}

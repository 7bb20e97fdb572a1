#include "torsor/scalar/modular.hpp"

#include <doctest/doctest.h>

#include <set>
#include <thread>

#include "torsor/scalar/dual.hpp"

using namespace torsor;

static_assert(Field<Dual<Modular>>);

namespace {

struct Field360 {
  std::mt19937_64 engine{360};
  ModulusScope scope{random_prime(engine, 360)};
  CirclePoint zeta = root_of_turn(engine, 360);
  CirclePoint degrees(int k) const { return power(zeta, k); }
};

Modular decimal(const char* text) { return modular(parse_decimal(text).value()); }

}  // namespace

TEST_CASE("primes are told from composites") {
  int primes = 0;
  for (std::uint64_t n = 0; n < 10000; ++n) {
    bool prime = n > 1;
    for (std::uint64_t q = 2; q * q <= n; ++q) prime = prime && n % q != 0;
    CHECK(is_prime(n) == prime);
    primes += prime;
  }
  CHECK(primes == 1229);
  CHECK(is_prime((std::uint64_t{1} << 61) - 1));
  CHECK_FALSE(is_prime((std::uint64_t{1} << 59) - 1));
  CHECK_FALSE(is_prime(3215031751));           // passes to the bases 2, 3, 5, 7
  CHECK_FALSE(is_prime(341550071728321));      // to all up to 17
  CHECK_FALSE(is_prime(3825123056546413051));  // to all up to 23
}

TEST_CASE("drawn primes have 61 bits, leave -1 modulo the order, and differ") {
  std::mt19937_64 engine(1);
  for (const std::uint64_t order : {360, 36000}) {
    std::set<std::uint64_t> seen;
    for (int k = 0; k < 50; ++k) {
      const std::uint64_t p = random_prime(engine, order).p;
      CHECK((p >> 60) == 1);
      CHECK(p % order == order - 1);
      CHECK(is_prime(p));
      seen.insert(p);
    }
    CHECK(seen.size() == 50);
  }
}

TEST_CASE("arithmetic modulo 7 is that of remainders") {
  const ModulusScope scope(PrimeModulus(7));
  for (int a = -20; a <= 20; ++a)
    for (int b = -20; b <= 20; ++b) {
      const auto remainder = [](int x) { return static_cast<std::uint64_t>((x % 7 + 7) % 7); };
      CHECK((Modular(a) + Modular(b)).representative() == remainder(a + b));
      CHECK((Modular(a) - Modular(b)).representative() == remainder(a - b));
      CHECK((Modular(a) * Modular(b)).representative() == remainder(a * b));
      if (remainder(b) != 0) CHECK(Modular(a) / Modular(b) * Modular(b) == Modular(a));
    }
}

TEST_CASE("a scope gives the modulus back, and each thread has its own") {
  const ModulusScope outer(PrimeModulus(7));
  {
    const ModulusScope inner(PrimeModulus(11));
    CHECK(Modular(9).representative() == 9);
    std::thread([] {
      const ModulusScope other(PrimeModulus(13));
      CHECK(Modular(12).representative() == 12);
    }).join();
    CHECK(Modular(12).representative() == 1);
  }
  CHECK(Modular(9).representative() == 2);
}

TEST_CASE("whole degrees satisfy the relations of the real ones") {
  const Field360 field;
  const auto cos = [&](int k) { return field.degrees(k).c; };
  const auto sin = [&](int k) { return field.degrees(k).s; };
  CHECK(field.degrees(360) == CirclePoint{});
  CHECK(cos(180) == Modular(-1));
  CHECK(is_zero(cos(90)));
  CHECK(sin(90) * sin(90) == Modular(1));
  CHECK(sin(-17) == -sin(17));
  CHECK(Modular(2) * cos(60) == Modular(1));
  CHECK(Modular(2) * cos(45) * cos(45) == Modular(1));
  CHECK(Modular(4) * cos(30) * cos(30) == Modular(3));
  CHECK(is_zero(Modular(4) * cos(36) * cos(36) - Modular(2) * cos(36) - Modular(1)));
  CHECK(field.degrees(20) * field.degrees(25) == field.degrees(45));
  for (int k = 1; k < 360; ++k) CHECK_FALSE(field.degrees(k) == CirclePoint{});
}

TEST_CASE("a quarter turn goes one way, whatever the root: rational sines are what they are") {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    std::mt19937_64 engine(seed);
    const ModulusScope scope(random_prime(engine, 360));
    const CirclePoint zeta = root_of_turn(engine, 360);
    CHECK(power(zeta, 90) == CirclePoint{Modular(0), Modular(1)});
    CHECK(Modular(2) * power(zeta, 30).s == Modular(1));
    CHECK(Modular(2) * power(zeta, -30).s == Modular(-1));
  }
}

TEST_CASE("hundredths of degrees, too, with the primes for them") {
  std::mt19937_64 engine(36000);
  const ModulusScope scope(random_prime(engine, 36000));
  const CirclePoint zeta = root_of_turn(engine, 36000);
  CHECK(Modular(2) * power(zeta, 6000).c == Modular(1));
  CHECK(power(power(zeta, 1234), 36000) == CirclePoint{});
  CHECK_FALSE(power(zeta, 18000) == CirclePoint{});
}

TEST_CASE("random points lie on the circle") {
  Field360 field;
  for (int k = 0; k < 100; ++k) {
    const auto [c, s] = random_circle_point(field.engine);
    CHECK(c * c + s * s == Modular(1));
  }
}

TEST_CASE("decimals are exact fractions") {
  const Field360 field;
  CHECK(decimal("-0.4318e1") == Modular(-4318) / Modular(1000));
  CHECK(decimal("17.4") == Modular(174) / Modular(10));
  CHECK(decimal("+2.50E+2") == Modular(250));
  CHECK(decimal(".5") + decimal("5e-1") == Modular(1));
  CHECK(is_zero(decimal("-0.000e7")));
  CHECK(decimal("0.1") + decimal("0.2") == decimal("0.3"));
  CHECK(modular(0.1) + modular(0.2) == modular(0.3));
  CHECK(decimal("123456789012345678901234567890") == decimal("1234567890123456789012345678.90e2"));
  for (const char* text : {"", "-", ".", "e5", "1e", "1e5x", "1..2", "0x1", "1,5", "nan", "1e99999", " 1", "1e+-5"})
    CHECK_FALSE(parse_decimal(text));
}

TEST_CASE("a double stands for its shortest decimal, or for the one that arithmetic blurred") {
  const auto text = [](double x) {
    const Decimal d = shortest_decimal(x);
    return (d.negative ? "-" : "") + d.digits + "e" + std::to_string(d.exponent);
  };
  CHECK(text(0.4318) == "4318e-4");
  CHECK(text(-17.4) == "-174e-1");
  CHECK(text(0) == "0e0");
  CHECK(text(1e22) == "1e22");
  CHECK(text(0.6718299999999999) == "67183e-5");
  CHECK(text(0.1 + 0.2) == "3e-1");
  CHECK(text(1.0 / 3) == "3333333333333333e-16");
  CHECK(text(0.67182999999990) == "6718299999999e-13");  // no rounding of sums makes this difference
}

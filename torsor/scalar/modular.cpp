#include "torsor/scalar/modular.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "torsor/expect.hpp"

namespace torsor {
namespace {

/// x^e by repeated squaring.
template <class X, class Product>
X raised(X base, std::uint64_t exponent, X result, const Product& product) {
  for (; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

/// Uniform in [0, bound).
std::uint64_t below(std::mt19937_64& engine, std::uint64_t bound) {
  const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> std::countl_zero(bound);
  for (;;)
    if (const std::uint64_t draw = engine() & mask; draw < bound) return draw;
}

PrimeModulus current() {
  PrimeModulus m;
  m.p = detail::modulus_p;
  m.negative_inverse = detail::modulus_negative_inverse;
  m.one = detail::modulus_one;
  m.square = detail::modulus_square;
  return m;
}

void use(const PrimeModulus& m) {
  detail::modulus_p = m.p;
  detail::modulus_negative_inverse = m.negative_inverse;
  detail::modulus_one = m.one;
  detail::modulus_square = m.square;
}

constexpr std::array<std::uint64_t, 12> small_primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

/// Whether the odd n passes as a prime to this base.
bool passes(const PrimeModulus& m, std::uint64_t base) {
  const auto product = [&m](std::uint64_t a, std::uint64_t b) {
    return detail::montgomery(a, b, m.p, m.negative_inverse);
  };
  const int twos = std::countr_zero(m.p - 1);
  std::uint64_t x = raised(product(base, m.square), (m.p - 1) >> static_cast<unsigned>(twos), m.one, product);
  if (x == m.one || x == m.p - m.one) return true;
  for (int i = 1; i < twos; ++i) {
    x = product(x, x);
    if (x == m.p - m.one) return true;
  }
  return false;
}

}  // namespace

PrimeModulus::PrimeModulus(std::uint64_t odd_prime) : p(odd_prime) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t inverse = p;  // right to three bits, each step doubles them
  for (int i = 0; i < 5; ++i) inverse *= 2 - p * inverse;
  negative_inverse = 0 - inverse;
  one = static_cast<std::uint64_t>((static_cast<Wide>(1) << 64U) % p);
  square = static_cast<std::uint64_t>(static_cast<Wide>(one) * one % p);
}

ModulusScope::ModulusScope(const PrimeModulus& modulus) : before_(current()) { use(modulus); }
ModulusScope::~ModulusScope() { use(before_); }

Modular Modular::power(std::uint64_t exponent) const {
  return raised(*this, exponent, Modular(1), [](Modular a, Modular b) { return a * b; });
}

CirclePoint power(CirclePoint point, std::int64_t exponent) {
  if (exponent < 0) point.s = -point.s;
  const std::uint64_t size =
      exponent < 0 ? 0 - static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
  return raised(point, size, CirclePoint{}, [](const CirclePoint& a, const CirclePoint& b) { return a * b; });
}

Modular random_modular(std::mt19937_64& engine) { return Modular::of(below(engine, detail::modulus_p)); }

CirclePoint random_circle_point(std::mt19937_64& engine) {
  const Modular t = random_modular(engine), w = Modular(1) / (Modular(1) + t * t);
  return {(Modular(1) - t * t) * w, (t + t) * w};
}

bool is_prime(std::uint64_t n) {
  for (const std::uint64_t q : small_primes)
    if (n % q == 0) return n == q;
  if (n < std::uint64_t{41} * 41) return n > 1;
  TORSOR_EXPECT(n >> 63U == 0);  // the reach of montgomery()
  const PrimeModulus m(n);
  for (const std::uint64_t base : small_primes)
    if (!passes(m, base)) return false;
  return true;
}

PrimeModulus random_prime(std::mt19937_64& engine, std::uint64_t order) {
  TORSOR_EXPECT(order % 4 == 0 && 0 < order && order <= (1U << 20U));
  // p = order k - 1 lies in [2^60, 2^61) for these k
  const std::uint64_t first = (std::uint64_t{1} << 60U) / order + 1, last = (std::uint64_t{1} << 61U) / order;
  for (;;)
    if (const std::uint64_t p = order * (first + below(engine, last - first + 1)) - 1; is_prime(p))
      return PrimeModulus(p);
}

CirclePoint root_of_turn(std::mt19937_64& engine, std::uint64_t order) {
  TORSOR_EXPECT((detail::modulus_p + 1) % order == 0);
  for (;;) {
    const CirclePoint zeta =
        power(random_circle_point(engine), static_cast<std::int64_t>((detail::modulus_p + 1) / order));
    // its order divides `order`; it is less if some proper part of that brings it back
    bool primitive = true;
    std::uint64_t rest = order;
    for (std::uint64_t q = 2; rest > 1; ++q) {
      if (rest % q != 0) continue;
      while (rest % q == 0) rest /= q;
      if (power(zeta, static_cast<std::int64_t>(order / q)) == CirclePoint{}) primitive = false;
    }
    if (!primitive) continue;
    // of the two ways to turn, the one in which a quarter has the sine 1, not -1: that is a rational number, not a choice
    if (order % 4 == 0 && power(zeta, static_cast<std::int64_t>(order / 4)).s == Modular(-1)) return {zeta.c, -zeta.s};
    return zeta;
  }
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal out;
  out.digits.clear();
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) out.negative = text[at++] == '-';
  bool point = false, any = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      if (point) return std::nullopt;
      point = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
    any = true;
    if (!out.digits.empty() || text[at] != '0') out.digits += text[at];
    if (point) --out.exponent;
  }
  if (!any) return std::nullopt;
  if (at < text.size()) {
    std::string_view power_of_ten = text.substr(at + 1);
    if (power_of_ten.starts_with('+') && !power_of_ten.starts_with("+-")) power_of_ten.remove_prefix(1);
    int exponent = 0;
    const auto [end, fault] =
        std::from_chars(power_of_ten.data(), power_of_ten.data() + power_of_ten.size(), exponent);
    if (fault != std::errc{} || end != power_of_ten.data() + power_of_ten.size()) return std::nullopt;
    if (exponent < -9999 || exponent > 9999) return std::nullopt;
    out.exponent += exponent;
  }
  while (!out.digits.empty() && out.digits.back() == '0') {
    out.digits.pop_back();
    ++out.exponent;
  }
  if (out.digits.empty()) return Decimal{};
  return out;
}

Decimal shortest_decimal(double x) {
  TORSOR_EXPECT(std::isfinite(x));
  std::array<char, 64> text{};
  const auto write = [&text](auto... how) {
    const auto written = std::to_chars(text.data(), text.data() + text.size(), how...);
    return *parse_decimal({text.data(), written.ptr});
  };
  Decimal shortest = write(x);
  if (shortest.digits.size() < 16) return shortest;
  Decimal blurred = write(x, std::chars_format::scientific, 11);
  const auto written = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::scientific, 11);
  double near = 0;
  std::from_chars(text.data(), written.ptr, near);
  const double ulp = std::nextafter(std::abs(x), std::numeric_limits<double>::infinity()) - std::abs(x);
  return std::abs(near - x) <= 2 * ulp ? blurred : shortest;
}

Modular modular(const Decimal& decimal) {
  Modular value;
  const Modular ten(10);
  for (const char digit : decimal.digits) value = value * ten + Modular(digit - '0');
  const Modular scale = ten.power(static_cast<std::uint64_t>(std::abs(decimal.exponent)));
  value = decimal.exponent < 0 ? value / scale : value * scale;
  return decimal.negative ? -value : value;
}

}  // namespace torsor

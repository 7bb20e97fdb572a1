#include "torsor/scalar/poly.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace torsor {
namespace {

constexpr std::uint64_t guards = 0x8888'8888'8888'8888U;
constexpr std::uint64_t second_powers_of_sines = 0x0202'0202'0202'0202U;
constexpr int angle_words = Monomial::first_parameter / Monomial::per_word;

thread_local std::size_t term_limit = 10'000'000;
constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();
thread_local std::size_t product_limit = any_number, products_left = any_number;

void take_products(std::size_t count) {
  if (products_left == any_number) return;
  if (count > products_left)
    throw PolyOverflow("multiplying out takes more than " + std::to_string(product_limit) + " products of terms");
  products_left -= count;
}

[[noreturn]] void too_many_terms() {
  throw PolyOverflow("the polynomial has more than " + std::to_string(term_limit) + " terms");
}

Fraction checked(const std::optional<Fraction>& value) {
  if (!value) throw PolyOverflow("a coefficient does not fit a fraction of 64 bits");
  return *value;
}

/// Whole numbers, which most are, without the divisions of fractions.
Fraction add(const Fraction& a, const Fraction& b) {
  long long whole = 0;
  if (a.denominator == 1 && b.denominator == 1 && !__builtin_add_overflow(a.numerator, b.numerator, &whole) &&
      whole != INT64_MIN)
    return {whole, 1};
  return checked(sum(a, b));
}
Fraction multiply(const Fraction& a, const Fraction& b) {
  long long whole = 0;
  if (a.denominator == 1 && b.denominator == 1 && !__builtin_mul_overflow(a.numerator, b.numerator, &whole) &&
      whole != INT64_MIN)
    return {whole, 1};
  return checked(product(a, b));
}

/// Products of monomials add their exponents; no carry can pass a guard.
Monomial multiply(const Monomial& a, const Monomial& b) {
  Monomial m;
  std::uint64_t over = 0;
  for (std::size_t k = 0; k < m.w.size(); ++k) over |= m.w[k] = a.w[k] + b.w[k];
  if ((over & guards) != 0) throw PolyOverflow("an exponent is above " + std::to_string(Monomial::highest_exponent));
  return m;
}

bool has_square_of_sine(const Monomial& m) {
  std::uint64_t squares = 0;
  for (std::size_t k = 0; k < angle_words; ++k) squares |= m.w[k] & second_powers_of_sines;
  return squares != 0;
}

/// Calls use(monomial, negative) for each monomial of m with s^2 = 1 - c^2 put in.
template <class Use>
void reduce(Monomial m, bool negative, const Use& use) {
  for (std::size_t k = 0; k < angle_words; ++k) {
    const std::uint64_t squares = m.w[k] & second_powers_of_sines;
    if (squares == 0) continue;
    const std::uint64_t square = std::uint64_t{1} << (63 - std::countl_zero(squares));  // 2 in the field of the sine
    m.w[k] -= square;
    reduce(m, negative, use);
    m.w[k] += square << 4U;  // 2 in the field of the cosine
    if ((m.w[k] & guards) != 0)
      throw PolyOverflow("an exponent is above " + std::to_string(Monomial::highest_exponent));
    return reduce(m, !negative, use);
  }
  use(m, negative);
}

/// Linear in the monomial, so that the key of a product is the sum of the keys.
std::uint64_t key_of(const Monomial& m) {
  constexpr std::array<std::uint64_t, Monomial::words> factors{
      0x9e37'79b9'7f4a'7c15U, 0xbf58'476d'1ce4'e5b9U, 0x94d0'49bb'1331'11ebU, 0xd6e8'feb8'6659'fd93U,
      0xa076'1d64'78bd'642fU, 0xe703'7ed1'a0b4'28dbU, 0x8ebc'6af0'9c88'c6e3U, 0x5899'65cc'7537'4cc3U,
      0x1d8e'4e27'c47d'124fU, 0xeb44'acca'b455'd165U, 0x9c6e'6877'736c'46e3U, 0xc6a4'a793'5bd1'e995U};
  std::uint64_t key = 0;
  for (std::size_t k = 0; k < factors.size(); ++k) key += m.w[k] * factors[k];
  return key;
}

/// Like terms found by their monomials.
class Collector {
 public:
  explicit Collector(std::size_t expected) : slots_(std::bit_ceil(2 * std::min(expected, std::size_t{1} << 16U) + 16)) {
    terms_.reserve(slots_.size() / 2);
  }

  void add(const Monomial& m, std::uint64_t key, const Fraction& coefficient) {
    if (2 * terms_.size() >= slots_.size()) grow();
    std::size_t at = place(key);
    while (slots_[at] != 0) {
      PolyTerm& term = terms_[slots_[at] - 1];
      if (term.monomial == m) {
        term.coefficient = torsor::add(term.coefficient, coefficient);
        return;
      }
      at = (at + 1) & (slots_.size() - 1);
    }
    if (terms_.size() >= term_limit) too_many_terms();
    terms_.push_back({m, coefficient});
    slots_[at] = static_cast<std::uint32_t>(terms_.size());
  }

  std::vector<PolyTerm> sorted() {
    std::erase_if(terms_, [](const PolyTerm& t) { return t.coefficient.numerator == 0; });
    std::sort(terms_.begin(), terms_.end(),
              [](const PolyTerm& a, const PolyTerm& b) { return a.monomial > b.monomial; });
    return std::move(terms_);
  }

 private:
  std::size_t place(std::uint64_t key) const {
    return static_cast<std::size_t>((key ^ (key >> 32U)) * 0x9e37'79b9'7f4a'7c15U >> 20U) & (slots_.size() - 1);
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      std::size_t at = place(key_of(terms_[k].monomial));
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<std::uint32_t>(k + 1);
    }
  }

  std::vector<std::uint32_t> slots_;  // 1 + index into terms_, 0 where free
  std::vector<PolyTerm> terms_;
};

/// The terms of a and b in one order; those of b times a sign.
std::vector<PolyTerm> merge(std::span<const PolyTerm> a, std::span<const PolyTerm> b, long long sign) {
  std::vector<PolyTerm> out;
  out.reserve(a.size() + b.size());
  std::size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    const auto order = i == a.size()   ? std::strong_ordering::less
                       : k == b.size() ? std::strong_ordering::greater
                                       : a[i].monomial <=> b[k].monomial;
    if (std::is_gt(order)) {
      out.push_back(a[i++]);
      continue;
    }
    const Fraction second{sign * b[k].coefficient.numerator, b[k].coefficient.denominator};
    if (std::is_lt(order)) {
      out.push_back({b[k++].monomial, second});
      continue;
    }
    const Fraction both = add(a[i++].coefficient, second);
    if (both.numerator != 0) out.push_back({b[k].monomial, both});
    ++k;
  }
  if (out.size() > term_limit) too_many_terms();
  return out;
}

}  // namespace

PolyTermLimit::PolyTermLimit(std::size_t most_terms) : before_(term_limit) { term_limit = most_terms; }
PolyTermLimit::~PolyTermLimit() { term_limit = before_; }

PolyProductLimit::PolyProductLimit(std::size_t most_products)
    : limit_before_(product_limit), left_before_(products_left) {
  product_limit = products_left = most_products;
}
PolyProductLimit::~PolyProductLimit() { product_limit = limit_before_, products_left = left_before_; }

Poly Poly::variable(int index) {
  TORSOR_EXPECT(0 <= index && index < Monomial::variables);
  Poly p;
  p.terms_.emplace_back();
  p.terms_[0].monomial.raise(index, 1);
  return p;
}

Poly Poly::of(const std::vector<PolyTerm>& terms) {
  Collector collector(terms.size());
  for (const PolyTerm& term : terms) {
    TORSOR_EXPECT(!has_square_of_sine(term.monomial));
    collector.add(term.monomial, key_of(term.monomial), term.coefficient);
  }
  Poly p;
  p.terms_ = collector.sorted();
  return p;
}

bool Poly::depends_on(int variable) const {
  return std::ranges::any_of(terms_, [&](const PolyTerm& t) { return t.monomial.exponent(variable) > 0; });
}

Poly operator+(const Poly& a, const Poly& b) {
  if (b.is_zero()) return a;
  if (a.is_zero()) return b;
  Poly p;
  p.terms_ = merge(a.terms_, b.terms_, 1);
  return p;
}

Poly operator-(const Poly& a, const Poly& b) {
  if (b.is_zero()) return a;
  Poly p;
  p.terms_ = merge(a.terms_, b.terms_, -1);
  return p;
}

Poly operator-(Poly a) {
  for (PolyTerm& term : a.terms_) term.coefficient.numerator = -term.coefficient.numerator;
  return a;
}

Poly operator*(const Poly& a, const Poly& b) {
  if (a.terms_.size() > b.terms_.size()) return b * a;
  Poly p;
  if (a.is_zero()) return p;
  take_products(a.terms_.size() * b.terms_.size());

  // one term times terms in order gives terms in order, unless a sine is squared
  if (a.terms_.size() == 1) {
    bool squares = false;
    p.terms_.reserve(b.terms_.size());
    for (const PolyTerm& y : b.terms_) {
      p.terms_.push_back(
          {multiply(a.terms_[0].monomial, y.monomial), multiply(a.terms_[0].coefficient, y.coefficient)});
      squares = squares || has_square_of_sine(p.terms_.back().monomial);
    }
    if (!squares) return p;
    p.terms_.clear();
  }

  std::vector<std::uint64_t> keys;
  for (const PolyTerm& y : b.terms_) keys.push_back(key_of(y.monomial));
  Collector collector(a.terms_.size() * b.terms_.size());
  for (const PolyTerm& x : a.terms_) {
    const std::uint64_t key = key_of(x.monomial);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const Monomial m = multiply(x.monomial, b.terms_[k].monomial);
      const Fraction c = multiply(x.coefficient, b.terms_[k].coefficient);
      if (!has_square_of_sine(m)) {
        collector.add(m, key + keys[k], c);
        continue;
      }
      reduce(m, false, [&](const Monomial& r, bool negative) {
        collector.add(r, key_of(r), {negative ? -c.numerator : c.numerator, c.denominator});
      });
    }
  }
  p.terms_ = collector.sorted();
  return p;
}

Poly operator/(const Poly& a, const Poly& b) {
  if (b.terms_.size() != 1 || b.terms_[0].monomial != Monomial{})
    throw PolyOverflow("a polynomial is divided by what is no constant");
  const Fraction& by = b.terms_[0].coefficient;
  return a * Poly(checked(fraction(by.denominator, by.numerator)));
}

namespace {

/// The formal derivative, as if the variables were independent.
Poly formal_derivative(const Poly& p, int variable) {
  std::vector<PolyTerm> terms;
  for (PolyTerm term : p.terms()) {
    const int e = term.monomial.exponent(variable);
    if (e == 0) continue;
    term.monomial.raise(variable, -1);
    term.coefficient = multiply(term.coefficient, {e, 1});
    terms.push_back(term);
  }
  return Poly::of(terms);
}

}  // namespace

Poly derivative_by_angle(const Poly& p, int angle) {
  const int c = 2 * angle, s = c + 1;
  return Poly::variable(c) * formal_derivative(p, s) - Poly::variable(s) * formal_derivative(p, c);
}

Poly derivative_by_parameter(const Poly& p, int k) { return formal_derivative(p, Monomial::first_parameter + k); }

}  // namespace torsor

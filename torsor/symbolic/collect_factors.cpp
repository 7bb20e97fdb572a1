#include "torsor/symbolic/collect_factors.hpp"

#include <algorithm>

#include "torsor/scalar/poly.hpp"

namespace torsor {
namespace {

class Collector {
 public:
  explicit Collector(const Symbols& symbols) : symbols_(symbols) {
    for (int v = 0; v < 2 * static_cast<int>(symbols.angles.size()); ++v) order_.push_back(v);
    for (int k = 0; k < static_cast<int>(symbols.parameters.size()); ++k)
      order_.push_back(Monomial::first_parameter + k);
    std::ranges::stable_sort(order_, {}, [&](int v) { return symbols_.kind(v); });
  }

  Expression plain(std::vector<PolyTerm> terms) const {
    std::ranges::sort(terms, [&](const PolyTerm& a, const PolyTerm& b) { return before(a.monomial, b.monomial); });
    std::vector<Expression> parts;
    for (const PolyTerm& term : terms) parts.push_back(product(term.monomial, Expression::of(term.coefficient)));
    return Expression::sum(std::move(parts));
  }

  Expression collect(std::vector<PolyTerm> terms) const {
    if (terms.size() < 2) return plain(std::move(terms));

    // what all have in common
    Monomial common = terms.front().monomial;
    for (const PolyTerm& term : terms)
      for (const int v : order_) common.raise(v, std::min(term.monomial.exponent(v) - common.exponent(v), 0));
    if (common != Monomial{}) {
      for (PolyTerm& term : terms)
        for (const int v : order_) term.monomial.raise(v, -common.exponent(v));
      return product(common, collect(std::move(terms)));
    }

    // the letter that most have
    const int letter = most_frequent(terms);
    if (letter < 0) return plain(std::move(terms));
    const auto without = std::stable_partition(terms.begin(), terms.end(),
                                               [&](const PolyTerm& t) { return t.monomial.exponent(letter) > 0; });
    std::vector<PolyTerm> rest(without, terms.end());
    terms.erase(without, terms.end());
    return Expression::sum({collect(std::move(terms)), collect(std::move(rest))});
  }

 private:
  /// number times the letters, in their order.
  Expression product(const Monomial& monomial, const Expression& factor) const {
    std::vector<Expression> letters, sums;
    (factor.kind == Expression::Kind::number ? letters : sums).push_back(factor);
    for (const int v : order_)
      if (const int e = monomial.exponent(v); e > 0) letters.push_back(Expression::power(Expression::variable(v), e));
    letters.insert(letters.end(), sums.begin(), sums.end());
    return Expression::product(letters);
  }

  /// Shared by at least two terms; the first one in the order of letters where several are.
  int most_frequent(const std::vector<PolyTerm>& terms) const {
    int best = -1;
    std::ptrdiff_t most = 1;
    for (const int v : order_) {
      const auto uses = std::ranges::count_if(terms, [v](const PolyTerm& t) { return t.monomial.exponent(v) > 0; });
      if (uses > most) {
        most = uses;
        best = v;
      }
    }
    return best;
  }

  /// As words are ordered, the letters of a product written out.
  bool before(const Monomial& a, const Monomial& b) const {
    const auto first = std::ranges::find_if(order_, [&](int v) { return a.exponent(v) != b.exponent(v); });
    if (first == order_.end()) return false;
    const int ea = a.exponent(*first), eb = b.exponent(*first);
    // the one that has run out of letters is a beginning of the other
    const Monomial& shorter = ea < eb ? a : b;
    const bool runs_out = std::all_of(first + 1, order_.end(), [&](int v) { return shorter.exponent(v) == 0; });
    return runs_out ? ea < eb : ea > eb;
  }

  const Symbols& symbols_;
  std::vector<int> order_;  // of the variables in a product
};

}  // namespace

Expression collect_factors(std::vector<PolyTerm> terms, const Symbols& symbols, int plain) {
  const Collector collector(symbols);
  return static_cast<int>(terms.size()) <= plain ? collector.plain(std::move(terms))
                                                 : collector.collect(std::move(terms));
}

}  // namespace torsor

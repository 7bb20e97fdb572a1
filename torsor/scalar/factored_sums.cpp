#include "torsor/scalar/factored_sums.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "torsor/expect.hpp"

namespace torsor {
namespace {

struct Term {
  bool negative = false;
  std::vector<int> factors;  // symbols in ascending order, with repetition

  friend auto operator<=>(const Term&, const Term&) = default;  // NOLINT(modernize-use-nullptr)
};
using Sum = std::vector<Term>;
using Pair = std::pair<int, int>;

/// What a number among the factors stands for.
struct Symbol {
  enum class Kind { variable, constant, product, sum } kind = Kind::variable;
  double value = 0;  // constant
  int a = 0, b = 0;  // product: of two symbols; variable and sum: its number in a
};

/// Something to take out that occurs `count` times: a pair of factors, or a factor of one sum.
struct Saving {
  int count = 0;
  bool bracket = false;
  int a = 0, b = 0;  // the pair; the sum and the factor

  /// The largest count last; of equal ones a pair, and the one that is first in order.
  friend bool operator<(const Saving& x, const Saving& y) {
    return std::tuple(x.count, y.bracket, y.a, y.b) < std::tuple(y.count, x.bracket, x.a, x.b);
  }
};

class Factoring {
 public:
  Factoring(std::span<const std::vector<ProductTerm>> sums, std::span<const Trace> variables) : variables_(variables) {
    for (std::size_t v = 0; v < variables.size(); ++v)
      symbols_.push_back({Symbol::Kind::variable, 0, static_cast<int>(v), 0});
    for (const std::vector<ProductTerm>& sum : sums) {
      sums_.emplace_back();
      uses_.emplace_back();
      for (const ProductTerm& term : sum)
        if (term.coefficient != 0) add(sums_.size() - 1, made(term));
    }
    outputs_ = sums_.size();
  }

  std::vector<Trace> run() {
    while (step()) {
    }
    values_.resize(symbols_.size());
    std::vector<Trace> results;
    for (std::size_t k = 0; k < outputs_; ++k) results.push_back(recorded(sums_[k]));
    return results;
  }

 private:
  Term made(const ProductTerm& from) {
    Term term{from.coefficient < 0, from.factors};
    const double size = std::abs(from.coefficient);
    if (size != 1) {
      const auto [place, is_new] = constants_.try_emplace(size, static_cast<int>(symbols_.size()));
      if (is_new) symbols_.push_back({Symbol::Kind::constant, size, 0, 0});
      term.factors.push_back(place->second);
    }
    std::ranges::sort(term.factors);
    return term;
  }

  /// Counts what a term offers to be taken out, once more or once less.
  void tally(std::size_t sum, const Term& term, int by) {
    const std::vector<int>& f = term.factors;
    const auto bump = [by, this](auto& counts, const auto& key, const Saving& place) {
      const int now = counts[key] += by;
      if (now == 0) counts.erase(key);
      if (now > 1) savings_.push({now, place.bracket, place.a, place.b});
    };
    const auto pair = [&](int x, int y) { bump(pairs_, Pair{x, y}, {0, false, x, y}); };
    for (std::size_t i = 0; i < f.size();) {
      const std::size_t next = run_end(f, i);
      bump(uses_[sum], f[i], {0, true, static_cast<int>(sum), f[i]});
      for (std::size_t k = i + 1; k < next; k += 2) pair(f[i], f[i]);
      for (std::size_t j = next; j < f.size();) {
        const std::size_t end = run_end(f, j);
        for (std::size_t k = std::min(next - i, end - j); k > 0; --k) pair(f[i], f[j]);
        j = end;
      }
      i = next;
    }
  }
  static std::size_t run_end(const std::vector<int>& f, std::size_t i) {
    std::size_t next = i;
    while (next < f.size() && f[next] == f[i]) ++next;
    return next;
  }

  void add(std::size_t sum, Term term) {
    tally(sum, term, 1);
    sums_[sum].push_back(std::move(term));
  }

  /// The saving that is largest; false where there is none.
  bool step() {
    while (!savings_.empty()) {
      const Saving best = savings_.top();
      savings_.pop();
      // counts change after they were put there
      if (best.count != current(best)) continue;
      if (best.bracket)
        take_out(static_cast<std::size_t>(best.a), best.b);
      else
        name_pair({best.a, best.b});
      return true;
    }
    return false;
  }
  int current(const Saving& s) const {
    const auto count = [](const auto& counts, const auto& key) {
      const auto at = counts.find(key);
      return at == counts.end() ? 0 : at->second;
    };
    return s.bracket ? count(uses_[static_cast<std::size_t>(s.a)], s.b) : count(pairs_, Pair{s.a, s.b});
  }

  void name_pair(const Pair& pair) {
    const int name = static_cast<int>(symbols_.size());
    symbols_.push_back({Symbol::Kind::product, 0, pair.first, pair.second});
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      if (!uses_[s].contains(pair.first) || !uses_[s].contains(pair.second)) continue;
      for (Term& term : sums_[s]) {
        if (!has(term, pair)) continue;
        tally(s, term, -1);
        while (has(term, pair)) {
          erase(term, pair.first);
          erase(term, pair.second);
          term.factors.push_back(name);  // the largest number so far: still in order
        }
        tally(s, term, 1);
      }
    }
  }
  static bool has(const Term& term, const Pair& pair) {
    const auto count = [&](int factor) { return std::ranges::count(term.factors, factor); };
    return pair.first == pair.second ? count(pair.first) > 1 : count(pair.first) > 0 && count(pair.second) > 0;
  }
  static void erase(Term& term, int factor) { term.factors.erase(std::ranges::find(term.factors, factor)); }

  void take_out(std::size_t from, int factor) {
    Sum inside, outside;
    for (Term& term : sums_[from]) {
      if (std::ranges::count(term.factors, factor) == 0) {
        outside.push_back(std::move(term));
        continue;
      }
      tally(from, term, -1);
      erase(term, factor);
      inside.push_back(std::move(term));
    }
    sums_[from] = std::move(outside);

    // up to its sign, a sum in brackets may be there already
    std::ranges::sort(inside, {}, &Term::factors);
    const bool negative = inside.front().negative;
    if (negative)
      for (Term& term : inside) term.negative = !term.negative;
    const auto [place, is_new] = brackets_.try_emplace(inside, static_cast<int>(symbols_.size()));
    if (is_new) {
      symbols_.push_back({Symbol::Kind::sum, 0, static_cast<int>(sums_.size()), 0});
      sums_.emplace_back();
      uses_.emplace_back();
      for (Term& term : inside) add(sums_.size() - 1, std::move(term));
    }
    add(from, {negative, {std::min(factor, place->second), std::max(factor, place->second)}});
  }

  Trace value_of(int symbol) {
    std::optional<Trace>& known = values_[static_cast<std::size_t>(symbol)];
    if (known) return *known;
    const Symbol& s = symbols_[static_cast<std::size_t>(symbol)];
    switch (s.kind) {
      case Symbol::Kind::variable: known = variables_[static_cast<std::size_t>(s.a)]; break;
      case Symbol::Kind::constant: known = Trace(s.value); break;
      case Symbol::Kind::product: known = value_of(s.a) * value_of(s.b); break;
      case Symbol::Kind::sum: known = recorded(sums_[static_cast<std::size_t>(s.a)]); break;
    }
    return *known;
  }

  Trace recorded(const Sum& sum) {
    Trace total(0);
    for (const Term& term : sum) {
      Trace product(1);
      for (const int factor : term.factors) product = product * value_of(factor);
      total = term.negative ? total - product : total + product;
    }
    return total;
  }

  std::span<const Trace> variables_;
  std::vector<Symbol> symbols_;
  std::map<double, int> constants_;
  std::vector<Sum> sums_;  // the outputs first, then those in brackets
  std::size_t outputs_ = 0;
  std::map<Sum, int> brackets_;               // their symbols
  std::priority_queue<Saving> savings_;       // of all counts there ever were
  std::map<Pair, int> pairs_;                 // in how many products each occurs
  std::vector<std::map<int, int>> uses_;      // per sum: in how many of its terms a factor occurs
  std::vector<std::optional<Trace>> values_;  // by symbol, once recorded
};

}  // namespace

std::vector<Trace> factored_sums(std::span<const std::vector<ProductTerm>> sums, std::span<const Trace> variables) {
  TORSOR_EXPECT(Recording::current() != nullptr);
  return Factoring(sums, variables).run();
}

}  // namespace torsor

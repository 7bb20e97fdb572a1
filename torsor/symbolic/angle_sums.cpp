#include "torsor/symbolic/angle_sums.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "torsor/scalar/poly.hpp"

namespace torsor {
namespace {

struct Edge {
  int from = 0, to = 0, angle = 0;  // the angle from one link to a later one
};

/// The signs of the edges on the path between two links of a tree; false where there is none.
bool path(const std::vector<Edge>& tree, int at, int goal, int came_by, std::vector<int>& signs) {
  if (at == goal) return true;
  for (int k = 0; k < static_cast<int>(tree.size()); ++k) {
    const Edge& edge = tree[static_cast<std::size_t>(k)];
    if (k == came_by || (edge.from != at && edge.to != at)) continue;
    const bool forwards = edge.from == at;
    signs[static_cast<std::size_t>(k)] = forwards ? 1 : -1;
    if (path(tree, forwards ? edge.to : edge.from, goal, k, signs)) return true;
    signs[static_cast<std::size_t>(k)] = 0;
  }
  return false;
}

/// No way round: as many edges as links less one, and every link reached.
bool is_tree(const std::vector<Edge>& edges, int links) {
  std::vector<int> group(static_cast<std::size_t>(links));
  for (int k = 0; k < links; ++k) group[static_cast<std::size_t>(k)] = k;
  for (const Edge& edge : edges) {
    const int a = group[static_cast<std::size_t>(edge.from)], b = group[static_cast<std::size_t>(edge.to)];
    if (a == b) return false;
    std::ranges::replace(group, a, b);
  }
  return true;
}

using Collected = std::map<Monomial, Fraction>;

void add_to(Collected& sum, const Monomial& monomial, const Fraction& value) {
  const auto total = torsor::sum(sum[monomial], value);
  if (!total) throw PolyOverflow("a coefficient does not fit a fraction of 64 bits");
  sum[monomial] = *total;
}

/// c^2 = 1 - s^2 put in for one angle.
std::vector<PolyTerm> without_squared_cosine(std::vector<PolyTerm> terms, int angle) {
  const int c = 2 * angle, s = c + 1;
  Collected sum;
  while (!terms.empty()) {
    PolyTerm term = terms.back();
    terms.pop_back();
    if (term.monomial.exponent(c) < 2) {
      add_to(sum, term.monomial, term.coefficient);
      continue;
    }
    term.monomial.raise(c, -2);
    terms.push_back(term);
    term.monomial.raise(s, 2);
    term.coefficient.numerator = -term.coefficient.numerator;
    terms.push_back(term);
  }
  for (const auto& [monomial, value] : sum)
    if (value.numerator != 0) terms.push_back({monomial, value});
  return terms;
}

int degree(const std::vector<PolyTerm>& terms) {
  int total = 0;
  for (const PolyTerm& term : terms)
    term.monomial.each([&](int v, int exponent) { total += v < Monomial::first_parameter ? exponent : 0; });
  return total;
}

/// The cosines and sines of some angles alone, and all else.
std::pair<Monomial, Monomial> split(const Monomial& monomial, const std::vector<int>& angles) {
  Monomial part, rest = monomial;
  for (const int angle : angles)
    for (const int v : {2 * angle, 2 * angle + 1}) {
      part.raise(v, monomial.exponent(v));
      rest.raise(v, -monomial.exponent(v));
    }
  return {part, rest};
}

}  // namespace

AngleSums::AngleSums(const SymbolicRobot& robot) : symbols_(robot.symbols) {
  std::vector<int> run;
  const auto close = [&] {
    if (!run.empty()) add_run(run);
    run.clear();
  };
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    // a slide along the axis turns nothing
    if (robot.parallel[i] == 0) close();
    if (robot.joints[i].prismatic) continue;
    run.push_back(robot.joints[i].variable);
  }
  close();
}

void AngleSums::add_run(const std::vector<int>& angles) {
  // all sums of neighbours, as far as there is room
  const int r = static_cast<int>(angles.size()), room = Monomial::angles - static_cast<int>(symbols_.angles.size());
  if (r > 4 || r * (r - 1) / 2 > room) {
    const auto middle = angles.begin() + (r + 1) / 2;
    if (r == 1) return;
    add_run({angles.begin(), middle});
    return add_run({middle, angles.end()});
  }
  std::vector<Edge> edges;
  for (int length = 1; length <= r; ++length)
    for (int a = 0; a + length <= r; ++a) {
      if (length == 1) {
        edges.push_back({a, a + 1, angles[static_cast<std::size_t>(a)]});
        continue;
      }
      AngleSymbol sum{"", "", 0, {angles.begin() + a, angles.begin() + a + length}};
      const auto index = [&](int k) { return symbols_.angles[static_cast<std::size_t>(k)].index; };
      const bool wide = std::ranges::any_of(sum.sum_of, [&](int k) { return index(k).size() > 1; });
      for (const int k : sum.sum_of) sum.index += (wide && !sum.index.empty() ? "," : "") + index(k);
      edges.push_back({a, a + length, symbols_.add(std::move(sum))});
    }

  // every choice of r edges that is a tree; that of the joint angles themselves comes first
  Run run{angles, {}, {}};
  std::vector<int> chosen(edges.size(), 0);
  std::fill(chosen.begin(), chosen.begin() + r, 1);
  do {
    std::vector<Edge> tree;
    for (std::size_t k = 0; k < edges.size(); ++k)
      if (chosen[k] != 0) tree.push_back(edges[k]);
    if (!is_tree(tree, r + 1)) continue;
    Basis basis;
    for (const Edge& edge : tree) basis.angles.push_back(edge.angle);
    for (int j = 0; j < r; ++j) {
      std::vector<int> signs(tree.size(), 0);
      path(tree, j, j + 1, -1, signs);
      Poly c(1), s;
      for (std::size_t k = 0; k < tree.size(); ++k) {
        if (signs[k] == 0) continue;
        const Poly ck = Poly::cosine(tree[k].angle), sk = Poly(signs[k]) * Poly::sine(tree[k].angle);
        const Poly next = c * ck - s * sk;
        s = s * ck + c * sk;
        c = next;
      }
      basis.c.push_back(c);
      basis.s.push_back(s);
    }
    run.bases.push_back(std::move(basis));
  } while (std::ranges::prev_permutation(chosen).found);
  runs_.push_back(std::move(run));
}

const std::vector<PolyTerm>& AngleSums::shortest_in(Run& run, const Poly& part) {
  std::string key(part.terms().size_bytes(), '\0');
  std::memcpy(key.data(), part.terms().data(), key.size());
  const auto [place, is_new] = run.known.try_emplace(std::move(key));
  if (!is_new) return place->second;

  std::vector<PolyTerm>& best = place->second;
  auto best_cost = std::tuple(part.terms().size() + 1, 0);
  for (const Basis& basis : run.bases) {
    // the joint angles in this basis
    Poly inserted;
    for (const PolyTerm& term : part.terms()) {
      Poly product(term.coefficient);
      for (std::size_t j = 0; j < run.angles.size(); ++j) {
        for (int e = term.monomial.exponent(2 * run.angles[j]); e > 0; --e) product *= basis.c[j];
        for (int e = term.monomial.exponent(2 * run.angles[j] + 1); e > 0; --e) product *= basis.s[j];
      }
      inserted += product;
    }
    // squares of sines or of cosines put away, for each angle
    const auto choices = std::size_t{1} << basis.angles.size();
    for (std::size_t choice = 0; choice < choices; ++choice) {
      std::vector<PolyTerm> terms(inserted.terms().begin(), inserted.terms().end());
      for (std::size_t k = 0; k < basis.angles.size(); ++k)
        if ((choice >> k & 1U) != 0) terms = without_squared_cosine(std::move(terms), basis.angles[k]);
      const auto cost = std::tuple(terms.size(), degree(terms));
      if (cost >= best_cost) continue;
      best_cost = cost;
      best = std::move(terms);
    }
  }
  return best;
}

std::vector<PolyTerm> AngleSums::shortest(const Poly& poly) {
  std::vector<PolyTerm> terms(poly.terms().begin(), poly.terms().end());
  for (Run& run : runs_) {
    std::map<Monomial, std::vector<PolyTerm>> by_rest;
    for (const PolyTerm& term : terms) {
      const auto [part, rest] = split(term.monomial, run.angles);
      by_rest[rest].push_back({part, term.coefficient});
    }
    terms.clear();
    for (auto& [rest, parts] : by_rest)
      for (PolyTerm term : shortest_in(run, Poly::of(parts))) {
        for (std::size_t k = 0; k < rest.w.size(); ++k) term.monomial.w[k] += rest.w[k];
        terms.push_back(term);
      }
  }
  return terms;
}

}  // namespace torsor

#include "torsor/mechanism/coupling_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace torsor {
namespace {

using CouplingRow = std::map<int, double>;  // factor of each measure

/// Measures that rows fix at zero: Gauss and Jordan, each row reduced by those before it, and they by it.
class FixedMeasures {
 public:
  void add(CouplingRow row) {
    for (const auto& [pivot, reduced] : rows_)
      if (const auto found = row.find(pivot); found != row.end()) subtract(row, reduced, found->second);
    if (row.empty()) return;
    const auto largest = std::max_element(row.begin(), row.end(), [](const auto& a, const auto& b) {
      return std::fabs(a.second) < std::fabs(b.second);
    });
    const int pivot = largest->first;
    const double by = largest->second;
    for (auto& [measure, factor] : row) factor /= by;
    for (auto& [other, reduced] : rows_)
      if (const auto found = reduced.find(pivot); found != reduced.end()) subtract(reduced, row, found->second);
    rows_.emplace(pivot, std::move(row));
  }

  bool fixes(int measure) const {
    const auto found = rows_.find(measure);
    return found != rows_.end() && found->second.size() == 1;
  }

 private:
  std::map<int, CouplingRow> rows_;  // by pivot, whose factor is 1

  static void subtract(CouplingRow& row, const CouplingRow& other, double factor) {
    constexpr double rounding = 1e-9;  // of ratios about 1
    for (const auto& [measure, x] : other) {
      double& left = row[measure];
      left -= factor * x;
      if (std::fabs(left) < rounding * std::max(1.0, std::fabs(factor * x))) row.erase(measure);
    }
  }
};

}  // namespace

Faults couplings_that_fight(const MechanismDescription& d) {
  // couplings in sets that share measures, by the first of each
  std::map<std::pair<int, int>, int> numbers;
  std::vector<int> leader;
  const auto lead = [&](int measure) {
    while (leader[static_cast<std::size_t>(measure)] != measure) measure = leader[static_cast<std::size_t>(measure)];
    return measure;
  };
  std::vector<std::pair<std::size_t, CouplingRow>> couplings;
  for (std::size_t k = 0; k < d.couplings.size(); ++k) {
    const auto& terms = d.couplings[k].terms;
    if (terms.size() < 2 ||
        std::any_of(terms.begin(), terms.end(), [](const auto& term) { return bool(term.profile); }))
      continue;
    CouplingRow row;
    double largest = 0;
    for (const MechanismCoupling::Term& term : terms) {
      const int next = static_cast<int>(leader.size());
      const auto [at, fresh] =
          numbers.emplace(std::pair{term.measure.joint, static_cast<int>(term.measure.what)}, next);
      if (fresh) leader.push_back(next);
      row[at->second] = term.factor;
      largest = std::max(largest, std::fabs(term.factor));
    }
    for (auto& [measure, factor] : row) {
      factor /= largest;
      leader[static_cast<std::size_t>(lead(measure))] = lead(row.begin()->first);
    }
    couplings.emplace_back(k, std::move(row));
  }
  std::map<int, std::vector<std::size_t>> sets;
  for (std::size_t k = 0; k < couplings.size(); ++k) sets[lead(couplings[k].second.begin()->first)].push_back(k);

  Faults errors;
  for (auto& [first, members] : sets) {
    // who lets nothing move that it couples, and no fewer of them
    const auto fights = [&](const std::vector<std::size_t>& among) {
      FixedMeasures fixed;
      for (const std::size_t k : among) fixed.add(couplings[k].second);
      return std::any_of(among.begin(), among.end(), [&](std::size_t k) {
        return std::ranges::all_of(couplings[k].second, [&](const auto& term) { return fixed.fixes(term.first); });
      });
    };
    constexpr std::size_t most = 300;  // beyond which the rest of it is not tried one by one
    if (!fights(members)) continue;
    for (std::size_t k = members.size(); members.size() <= most && k-- > 0;) {
      std::vector<std::size_t> fewer = members;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (fights(fewer)) members = std::move(fewer);
    }
    std::string others;
    constexpr std::size_t named = 6;
    for (std::size_t k = 0; k + 1 < members.size() && k < named; ++k)
      others += fmt::format("{}coupling \"{}\"", k == 0 ? "" : ", ", d.couplings[couplings[members[k]].first].name);
    if (members.size() > named + 1) others += fmt::format(" and {} more", members.size() - named - 1);
    const MechanismCoupling& last = d.couplings[couplings[members.back()].first];
    errors.push_back(
        {last.where, fmt::format("coupling \"{}\"", last.name), "couplings-fight",
         fmt::format("together with {} it lets nothing move that they couple: their ratios do not agree", others),
         "let the ratios around the ring multiply to 1 (give teeth or radii), or leave one of them out"});
  }
  return errors;
}

}  // namespace torsor

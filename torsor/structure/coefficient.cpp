#include "torsor/structure/coefficient.hpp"

#include <algorithm>
#include <numeric>

namespace torsor {

std::vector<Coefficient> independent_coefficients(int n, bool coupled) {
  using enum CoefficientKind;
  std::vector<Coefficient> out;
  for (int i = 0; i < n; ++i) out.push_back({self_inertia, i, i});
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) out.push_back({mutual_inertia, i, j});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i != j || coupled) out.push_back({centrifugal, i, j, j});
  if (coupled) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int m = j + 1; m < n; ++m) out.push_back({coriolis, i, j, m});
  } else {
    for (int a = 0; a < n; ++a)
      for (int b = a + 1; b < n; ++b)
        for (int c = b + 1; c < n; ++c) {
          out.push_back({coriolis, c, a, b});
          out.push_back({coriolis, a, b, c});
        }
  }
  for (int i = 0; i < n; ++i) out.push_back({gravity, i});
  return out;
}

std::vector<CoriolisTerm> coriolis_terms(int i, int j, int n, bool coupled) {
  using enum CoefficientKind;
  std::vector<CoriolisTerm> out;
  for (int m = 0; m < n; ++m) {
    const auto [a, b] = std::minmax(j, m);
    if (coupled) {
      out.push_back({m, {a == b ? centrifugal : coriolis, i, a, b}});
    } else if (a == b) {
      if (i != a) out.push_back({m, {centrifugal, i, a, a}});
    } else if (i < a || i > b) {
      out.push_back({m, {coriolis, i, a, b}});
    } else if (i == a) {
      out.push_back({m, {centrifugal, b, a, a}, -1});  // c_am(a) = -c_aa(m)
    } else if (i < b) {
      out.push_back({m, {coriolis, b, a, i}, -1});  // c_ac(b) = -c_ab(c)
    }
  }
  return out;
}

CoefficientCounts count_by_kind(std::span<const Coefficient> coefficients) {
  CoefficientCounts counts{};
  for (const Coefficient& c : coefficients) ++counts[static_cast<std::size_t>(c.kind)];
  return counts;
}

int total(const CoefficientCounts& counts) { return std::accumulate(counts.begin(), counts.end(), 0); }

std::string to_text(const Coefficient& which, int n) {
  const char* const between = n > 9 ? "," : "";
  const auto pair = [&](int a, int b) { return std::to_string(a + 1) + between + std::to_string(b + 1); };
  switch (which.kind) {
    case CoefficientKind::self_inertia:
    case CoefficientKind::mutual_inertia: return "d" + pair(which.i, which.j);
    case CoefficientKind::centrifugal:
    case CoefficientKind::coriolis: return "c" + pair(which.j, which.m) + "(" + std::to_string(which.i + 1) + ")";
    case CoefficientKind::gravity: break;
  }
  return "G" + std::to_string(which.i + 1);
}

}  // namespace torsor

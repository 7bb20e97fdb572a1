#include "torsor/text/suggest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace torsor {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// optimal string alignment: three rows of the table of distances between the prefixes of a and b
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

template <class Text>
std::string nearest(std::string_view name, std::span<const Text> candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    // the difference of lengths bounds the distance from below; a wholly different text is no slip
    if (longer - shorter >= least) continue;
    const std::size_t changes = distance(name, candidate);
    if (changes < least && changes < longer) {
      least = changes;
      best = candidate;
    }
  }
  return std::string(best);
}

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.size() > beginning.size() && std::equal(beginning.begin(), beginning.end(), text.begin(),
                                                      [](char a, char b) { return lower(a) == lower(b); });
}

// of those that begin so, a few: `"puma560" or "puma560_drives"`
template <class Text>
std::string completed(std::string_view name, std::span<const Text> candidates) {
  constexpr std::size_t fewest_letters = 2;
  constexpr int most = 3;
  std::string text;
  int count = 0;
  for (const std::string_view candidate : candidates)
    if (name.size() >= fewest_letters && begins_with(candidate, name) && ++count <= most)
      text.append(count == 1 ? "\"" : " or \"").append(candidate) += '"';
  return count <= most ? text : "";
}

template <class Text>
std::string question(std::string_view name, std::span<const Text> candidates) {
  const std::string best = nearest(name, candidates),
                    several = best.empty() ? completed(name, candidates) : '"' + best + '"';
  return several.empty() ? several : "did you mean " + several + "?";
}

}  // namespace

std::string closest(std::string_view name, std::span<const std::string> candidates) {
  return nearest(name, candidates);
}
std::string closest(std::string_view name, std::span<const std::string_view> candidates) {
  return nearest(name, candidates);
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  return question(name, candidates);
}
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  return question(name, candidates);
}

}  // namespace torsor

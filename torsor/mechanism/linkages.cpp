#include "torsor/mechanism/linkages.hpp"

#include <algorithm>
#include <numeric>

namespace torsor {
namespace {

/// Sets that are joined two by two.
class Joined {
 public:
  explicit Joined(std::size_t n) : next_(n) { std::iota(next_.begin(), next_.end(), 0); }

  void join(int a, int b) { next_[static_cast<std::size_t>(first_of(a))] = first_of(b); }

  Parts parts() {
    Parts out{std::vector<int>(next_.size()), 0};
    std::vector<int> number(next_.size(), -1);
    for (std::size_t k = 0; k < next_.size(); ++k) {
      int& part = number[static_cast<std::size_t>(first_of(static_cast<int>(k)))];
      if (part < 0) part = out.count++;
      out.of[k] = part;
    }
    return out;
  }

 private:
  std::vector<int> next_;

  int first_of(int k) {
    while (next_[static_cast<std::size_t>(k)] != k) {
      int& next = next_[static_cast<std::size_t>(k)];
      k = next = next_[static_cast<std::size_t>(next)];
    }
    return k;
  }
};

Joined by_equations(const Mechanism& m) {
  Joined joined(m.description.bodies.size());
  for (const ConstraintBlock& block : m.blocks)
    for (const int body : block.bodies) joined.join(body, block.bodies[0]);
  return joined;
}

}  // namespace

Parts linkages(const Mechanism& m) { return by_equations(m).parts(); }

Parts linkages_with_springs(const Mechanism& m) {
  Joined joined = by_equations(m);
  for (std::size_t k = 0; k < m.side_i.size(); ++k)
    if (m.side_i[k].body != ground && m.side_j[k].body != ground) joined.join(m.side_i[k].body, m.side_j[k].body);
  return joined.parts();
}

Parts loops(const Mechanism& m) {
  // bodies that one block alone holds are taken off with it, until none is left
  std::vector<std::vector<int>> holds(m.description.bodies.size());
  for (std::size_t b = 0; b < m.blocks.size(); ++b)
    if (m.blocks[b].rows > 0)
      for (const int body : m.blocks[b].bodies) holds[static_cast<std::size_t>(body)].push_back(static_cast<int>(b));
  std::vector<int> ends;
  for (std::size_t body = 0; body < holds.size(); ++body)
    if (holds[body].size() == 1) ends.push_back(static_cast<int>(body));
  while (!ends.empty()) {
    const auto end = static_cast<std::size_t>(ends.back());
    ends.pop_back();
    if (holds[end].size() != 1) continue;
    const int block = holds[end][0];
    for (const int body : m.blocks[static_cast<std::size_t>(block)].bodies) {
      std::vector<int>& of = holds[static_cast<std::size_t>(body)];
      of.erase(std::find(of.begin(), of.end(), block));
      if (of.size() == 1) ends.push_back(body);
    }
  }
  Joined joined(m.blocks.size());
  for (const std::vector<int>& of : holds)
    for (const int block : of) joined.join(block, of[0]);
  return joined.parts();
}

}  // namespace torsor

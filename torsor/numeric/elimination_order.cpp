#include "torsor/numeric/elimination_order.hpp"

#include <set>

#include "torsor/expect.hpp"

namespace torsor {

EliminationOrder elimination_order(int nodes, std::span<const std::pair<int, int>> neighbours,
                                   const std::vector<bool>& waits) {
  std::vector<std::set<int>> graph(static_cast<std::size_t>(nodes));
  for (const auto& [i, j] : neighbours) {
    TORSOR_EXPECT(i != j);
    graph[static_cast<std::size_t>(i)].insert(j);
    graph[static_cast<std::size_t>(j)].insert(i);
  }
  std::vector<bool> ready(graph.size(), true);
  for (std::size_t i = 0; i < waits.size(); ++i) ready[i] = !waits[i];
  std::set<std::pair<std::size_t, int>> waiting;
  const auto enqueue = [&](int i) {
    if (ready[static_cast<std::size_t>(i)]) waiting.insert({graph[static_cast<std::size_t>(i)].size(), i});
  };
  for (int i = 0; i < nodes; ++i) enqueue(i);

  EliminationOrder e;
  e.later.resize(graph.size());
  while (!waiting.empty()) {
    const int k = waiting.begin()->second;
    waiting.erase(waiting.begin());
    e.order.push_back(k);
    std::set<int>& around = graph[static_cast<std::size_t>(k)];
    e.later[static_cast<std::size_t>(k)].assign(around.begin(), around.end());
    // those around become neighbours of one another
    for (const int i : around) {
      std::set<int>& of_i = graph[static_cast<std::size_t>(i)];
      waiting.erase({of_i.size(), i});
      of_i.erase(k);
      for (const int j : around)
        if (j != i) of_i.insert(j);
      ready[static_cast<std::size_t>(i)] = true;
      enqueue(i);
    }
    around.clear();
  }
  TORSOR_EXPECT(static_cast<int>(e.order.size()) == nodes);
  return e;
}

}  // namespace torsor

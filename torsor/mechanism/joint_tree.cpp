#include "torsor/mechanism/joint_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

double square(const Force<double>& F) { return dot(F.n, F.n) + dot(F.f, F.f); }

double across_parts(const Motion<double>& a, const Motion<double>& b) { return dot(a.w, b.w) + dot(a.v, b.v); }

/// The gradients of one row on the bodies of its block, lengths measured in `size`, of length 1 all together; zero if they
/// are.
std::vector<Force<double>> row_gradients(const ConstraintBlock& block, int r, const MechanismEquations& equations,
                                         double size) {
  std::vector<Force<double>> gradients;
  double sum = 0;
  for (std::size_t slot = 0; slot < block.bodies.size(); ++slot) {
    gradients.push_back(equations.gradient(block, slot, r));
    gradients.back().f = gradients.back().f * size;
    sum += square(gradients.back());
  }
  if (sum > 0)
    for (Force<double>& g : gradients) g = g * (1 / std::sqrt(sum));
  return gradients;
}

std::size_t slot_of(const ConstraintBlock& block, int body) {
  return static_cast<std::size_t>(std::find(block.bodies.begin(), block.bodies.end(), body) - block.bodies.begin());
}

/// Whether a block also holds to the ground or a carrier.
bool at_ground(const Mechanism& m, const ConstraintBlock& block) {
  const auto joint = [&](int k) {
    const auto at = static_cast<std::size_t>(k);
    return m.side_i[at].body == ground || m.side_j[at].body == ground;
  };
  const auto any_term = [&](const std::vector<MechanismCoupling::Term>& terms) {
    return std::any_of(terms.begin(), terms.end(), [&](const auto& term) { return joint(term.measure.joint); });
  };
  const auto k = static_cast<std::size_t>(block.index);
  switch (block.origin) {
    case ConstraintBlock::Origin::joint: return joint(block.index);
    case ConstraintBlock::Origin::coupling: return any_term(m.description.couplings[k].terms);
    default: return any_term(m.description.drivers[k].terms);
  }
}

/// The motions square to the first `taken` of T, behind them; all orthonormal.
void complete_basis(std::array<Motion<double>, 6>& T, int taken) {
  for (int k = taken; k < 6; ++k) {
    Motion<double> best;
    double longest = -1;
    for (int axis = 0; axis < 6; ++axis) {
      Motion<double> x;
      double* const parts[] = {&x.w.x, &x.w.y, &x.w.z, &x.v.x, &x.v.y, &x.v.z};
      *parts[axis] = 1;
      // twice: what the first leaves is rounding
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < k; ++i)
          x = x - T[static_cast<std::size_t>(i)] * across_parts(T[static_cast<std::size_t>(i)], x);
      const double length = std::sqrt(across_parts(x, x));
      if (length > longest) longest = length, best = x * (1 / length);
    }
    T[static_cast<std::size_t>(k)] = best;
  }
}

}  // namespace

JointTree::JointTree(const Mechanism& m, const MechanismState& state, const MechanismEquations& equations,
                     EquationSet set)
    : mechanism_(m),
      size_(size_of(m)),
      nodes_(m.description.bodies.size()),
      place_(nodes_.size()),
      first_(nodes_.size()) {
  grow(state, equations, set, Growth::in_breadth);
  // two strands of a row of scissors would meet at its beginning only, however far they have come
  constexpr std::size_t long_loop = 16;
  if (const std::size_t length = length_of_loops(); length > long_loop * rows_.size()) {
    std::vector<Node> nodes = std::move(nodes_);
    std::vector<Row> rows = std::move(rows_);
    nodes_.assign(nodes.size(), {}), rows_.clear();
    grow(state, equations, set, Growth::about_loops);
    if (length_of_loops() >= length) nodes_ = std::move(nodes), rows_ = std::move(rows);
  }
  gather_clusters();
}

void JointTree::grow(const MechanismState& state, const MechanismEquations& equations, EquationSet set, Growth growth) {
  // joints that leave least are taken first
  struct Candidate {
    int rows, closes, found, from, block;
    bool operator<(const Candidate& b) const {
      return rows != b.rows ? rows < b.rows : closes != b.closes ? closes < b.closes : found > b.found;
    }
  };
  const std::size_t bodies = nodes_.size();
  std::vector<int> joints_to(bodies), found_first(bodies, -1);  // bodies that hang
  std::vector<std::vector<int>> joints_of(bodies + 1);  // the last: the ground's
  const auto list_of = [&](int body) -> std::vector<int>& {
    return joints_of[body == ground ? bodies : static_cast<std::size_t>(body)];
  };
  for (std::size_t b = 0; b < mechanism_.blocks.size(); ++b) {
    const ConstraintBlock& block = mechanism_.blocks[b];
    if (!counts(block, set) || block.origin != ConstraintBlock::Origin::joint) continue;
    const auto k = static_cast<std::size_t>(block.index);
    list_of(mechanism_.side_i[k].body).push_back(static_cast<int>(b));
    list_of(mechanism_.side_j[k].body).push_back(static_cast<int>(b));
  }
  std::vector<bool> reached(bodies);
  std::priority_queue<Candidate> open;
  int found = 0;
  const auto look_around = [&](int body) {
    for (const int b : list_of(body)) {
      const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(b)];
      Candidate next{block.rows, 0, found++, body, b};
      if (growth == Growth::about_loops)
        for (const int other : block.bodies)
          if (const auto k = static_cast<std::size_t>(other); !reached[k]) {
            if (found_first[k] < 0) found_first[k] = next.found;
            next.closes = ++joints_to[k], next.found = found_first[k];
          }
      open.push(next);
    }
  };
  const auto take = [&](int body, int parent, int block) {
    reached[static_cast<std::size_t>(body)] = true;
    hang(body, parent, block, state, equations);
    look_around(body);
  };
  const auto empty_queue = [&] {
    while (!open.empty()) {
      const Candidate next = open.top();
      open.pop();
      for (const int body : mechanism_.blocks[static_cast<std::size_t>(next.block)].bodies)
        if (!reached[static_cast<std::size_t>(body)]) take(body, next.from, next.block);
    }
  };
  look_around(ground);
  empty_queue();
  for (std::size_t b = 0; b < bodies; ++b)
    if (!reached[b]) {
      take(static_cast<int>(b), ground, -1);
      empty_queue();
    }

  // whatever is not in the tree
  std::vector<bool> in_tree(mechanism_.blocks.size());
  for (const Node& node : nodes_)
    if (node.block >= 0) in_tree[static_cast<std::size_t>(node.block)] = true;
  for (std::size_t b = 0; b < mechanism_.blocks.size(); ++b) {
    const ConstraintBlock& block = mechanism_.blocks[b];
    if (!counts(block, set) || in_tree[b]) continue;
    for (int r = 0; r < block.rows; ++r)
      rows_.push_back({block.first_row + r, static_cast<int>(b), row_gradients(block, r, equations, size_)});
  }
}

void JointTree::hang(int body, int parent, int index, const MechanismState& state,
                     const MechanismEquations& equations) {
  Node& node = nodes_[static_cast<std::size_t>(body)];
  node.parent = parent;
  node.block = index;
  const Vec3<double>& r = state.bodies[static_cast<std::size_t>(body)].r;
  node.way = (parent == ground ? r : r - state.bodies[static_cast<std::size_t>(parent)].r) * (1 / size_);
  node.depth = parent == ground ? 0 : nodes_[static_cast<std::size_t>(parent)].depth + 1;
  node.T = {};
  if (index < 0) {
    complete_basis(node.T, 0);
    return;
  }
  const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(index)];
  const std::size_t slot = slot_of(block, body);
  std::vector<double> columns(cells(6, block.rows)), R(cells(block.rows, block.rows));
  for (int k = 0; k < block.rows; ++k) {
    const Force<double> g = row_gradients(block, k, equations, size_)[slot];
    const double parts[] = {g.n.x, g.n.y, g.n.z, g.f.x, g.f.y, g.f.z};
    for (int c = 0; c < 6; ++c) columns[cell(c, block.rows, k)] = parts[c];
  }
  std::vector<int> order(static_cast<std::size_t>(block.rows));
  const int rank = qr_factor_pivoted<double>(columns, 6, block.rows, R, order, 1e-9);
  node.freedoms = 6 - rank;
  for (int k = 0; k < rank; ++k) {
    const auto part = [&](int c) { return columns[cell(c, block.rows, k)]; };
    Motion<double> x{{part(0), part(1), part(2)}, {part(3), part(4), part(5)}};
    node.T[static_cast<std::size_t>(k)] = x * (1 / std::sqrt(across_parts(x, x)));
  }
  complete_basis(node.T, rank);
  std::rotate(node.T.begin(), node.T.begin() + rank, node.T.end());
  for (int k = rank; k < block.rows; ++k) {
    const int left = order[static_cast<std::size_t>(k)];
    rows_.push_back({block.first_row + left, index, row_gradients(block, left, equations, size_)});
  }
}

/// Calls for every body on the loop of a row, from the leaves up, with the force of the row on it and on what hangs on it.
template <class Call>
void JointTree::along_loop(const Row& row, const Call& call) const {
  const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(row.block)];
  std::vector<std::pair<int, Force<double>>> active;
  for (std::size_t slot = 0; slot < block.bodies.size(); ++slot)
    active.emplace_back(block.bodies[slot], row.gradients[slot]);
  bool to_ground = at_ground(mechanism_, block);
  const auto depth = [&](const auto& entry) { return nodes_[static_cast<std::size_t>(entry.first)].depth; };
  // where the branches meet the forces balance
  while (active.size() > (to_ground ? 0 : 1)) {
    const auto deepest = std::max_element(active.begin(), active.end(),
                                          [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
    const auto [body, F] = *deepest;
    active.erase(deepest);
    call(body, F);
    const Node& node = nodes_[static_cast<std::size_t>(body)];
    if (node.parent == ground) {
      to_ground = true;  // one branch has come there: they meet there
      continue;
    }
    const Force<double> moved{F.n + cross(node.way, F.f), F.f};
    const auto met = std::find_if(active.begin(), active.end(), [&](const auto& a) { return a.first == node.parent; });
    if (met != active.end())
      met->second += moved;
    else
      active.emplace_back(node.parent, moved);
  }
}

std::size_t JointTree::length_of_loops() const {
  std::size_t length = 0;
  for (const Row& row : rows_) along_loop(row, [&](int, const Force<double>&) { ++length; });
  return length;
}

void JointTree::gather_clusters() {
  // joints on one loop belong together
  std::vector<int> leader(nodes_.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int b) {
    while (leader[static_cast<std::size_t>(b)] != b)
      b = leader[static_cast<std::size_t>(b)] = leader[static_cast<std::size_t>(leader[static_cast<std::size_t>(b)])];
    return b;
  };
  std::vector<int> of_row;  // one body of each row's loop
  for (const Row& row : rows_) {
    int one = -1;
    along_loop(row, [&](int body, const Force<double>&) {
      if (one < 0)
        one = find(body);
      else
        leader[static_cast<std::size_t>(find(body))] = find(one);
    });
    // a row of one joint of the tree that its others say already
    of_row.push_back(one >= 0 ? one : mechanism_.blocks[static_cast<std::size_t>(row.block)].bodies.front());
  }
  std::vector<int> order(nodes_.size()), cluster_of(nodes_.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return nodes_[static_cast<std::size_t>(a)].depth < nodes_[static_cast<std::size_t>(b)].depth;
  });
  for (const int body : order) {
    int& number = cluster_of[static_cast<std::size_t>(find(body))];
    if (number < 0) number = static_cast<int>(clusters_.size()), clusters_.emplace_back();
    Cluster& cluster = clusters_[static_cast<std::size_t>(number)];
    const auto b = static_cast<std::size_t>(body);
    nodes_[b].cluster = number;
    place_[b] = static_cast<int>(cluster.bodies.size());
    first_[b] = cluster.freedoms;
    cluster.bodies.push_back(body);
    cluster.freedoms += nodes_[b].freedoms;
  }
  for (std::size_t r = 0; r < rows_.size(); ++r)
    clusters_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(of_row[r])].cluster)].rows.push_back(
        static_cast<int>(r));
}

std::vector<SparseReduction::Entries> JointTree::matrix(const Cluster& cluster) const {
  std::vector<SparseReduction::Entries> A(cluster.rows.size());
  for (std::size_t r = 0; r < cluster.rows.size(); ++r)
    along_loop(rows_[static_cast<std::size_t>(cluster.rows[r])], [&](int body, const Force<double>& F) {
      const Node& node = nodes_[static_cast<std::size_t>(body)];
      for (int k = 0; k < node.freedoms; ++k)
        A[r].emplace_back(first_[static_cast<std::size_t>(body)] + k, dot(node.T[static_cast<std::size_t>(k)], F));
    });
  return A;
}

std::vector<Motion<double>> JointTree::motions(const Cluster& cluster, std::span<const double> u) const {
  std::vector<Motion<double>> V(cluster.bodies.size());
  for (std::size_t k = 0; k < V.size(); ++k) {
    const auto body = static_cast<std::size_t>(cluster.bodies[k]);
    const Node& node = nodes_[body];
    for (int a = 0; a < node.freedoms; ++a)
      V[k] += node.T[static_cast<std::size_t>(a)] * u[static_cast<std::size_t>(first_[body] + a)];
    if (node.parent == ground || nodes_[static_cast<std::size_t>(node.parent)].cluster != node.cluster) continue;
    const Motion<double>& P = V[static_cast<std::size_t>(place_[static_cast<std::size_t>(node.parent)])];
    V[k] += Motion<double>{P.w, P.v + cross(P.w, node.way)};
  }
  return V;
}

void JointTree::add_row(const Cluster& cluster, int index, double factor, std::span<Force<double>> on_bodies) const {
  const Row& row = rows_[static_cast<std::size_t>(cluster.rows[static_cast<std::size_t>(index)])];
  const std::vector<int>& bodies = mechanism_.blocks[static_cast<std::size_t>(row.block)].bodies;
  for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
    const auto body = static_cast<std::size_t>(bodies[slot]);
    // where the branches of a loop meet, forces balance
    if (&clusters_[static_cast<std::size_t>(nodes_[body].cluster)] != &cluster) continue;
    on_bodies[static_cast<std::size_t>(place_[body])] += row.gradients[slot] * factor;
  }
}

std::vector<int> JointTree::bearing_blocks(const Cluster& cluster, std::span<Force<double>> on_bodies) const {
  std::vector<int> blocks;
  for (std::size_t k = on_bodies.size(); k-- > 0;) {
    const Node& node = nodes_[static_cast<std::size_t>(cluster.bodies[k])];
    const Force<double>& F = on_bodies[k];
    if (node.block >= 0 && square(F) > 1e-12) blocks.push_back(node.block);
    if (node.parent == ground || nodes_[static_cast<std::size_t>(node.parent)].cluster != node.cluster) continue;
    on_bodies[static_cast<std::size_t>(place_[static_cast<std::size_t>(node.parent)])] +=
        Force<double>{F.n + cross(node.way, F.f), F.f};
  }
  return blocks;
}

}  // namespace torsor

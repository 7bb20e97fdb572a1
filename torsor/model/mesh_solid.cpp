#include "torsor/model/mesh_solid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "torsor/model/convex_hull.hpp"

namespace torsor {
namespace {

using Triangle = TriangleMesh::Triangle;

struct Box {
  Vec3<double> low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};

  void add(const Vec3<double>& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  bool holds(const Box& b) const {
    return low.x <= b.low.x && low.y <= b.low.y && low.z <= b.low.z && high.x >= b.high.x && high.y >= b.high.y &&
           high.z >= b.high.z;
  }
  Vec3<double> middle() const { return low * 0.5 + high * 0.5; }
};

Vec3<double> middle_of(const TriangleMesh& mesh) {
  Box box;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) box.add(mesh.vertices[v]);
  return mesh.triangles.empty() ? Vec3<double>{} : box.middle();
}

/// Size, first and second moments about a point.
struct Moments {
  double size = 0;
  Vec3<double> first;
  Sym3<double> second;

  /// s s^T + a a^T + b b^T + c c^T, weighted.
  void add(double weight, const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
    const Vec3<double> s = a + b + c;
    for (const Vec3<double>& v : {s, a, b, c})
      second += Sym3<double>{v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z} * weight;
  }
  void add_tetrahedron(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
    const double d = dot(a, cross(b, c));
    size += d / 6;
    first += (a + b + c) * (d / 24);
    add(d / 120, a, b, c);
  }
  void add_sheet(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
    const double area = norm(cross(b - a, c - a)) / 2;
    size += area;
    first += (a + b + c) * (area / 3);
    add(area / 12, a, b, c);
  }
  /// The body, `o` being the point about which the moments are.
  MeshBody body(const Vec3<double>& o) const {
    if (size == 0) return {0, o, {}};
    const Vec3<double> c = first * (1 / size);
    const Sym3<double> S = second * (1 / size);
    const double xx = S.xx - c.x * c.x, yy = S.yy - c.y * c.y, zz = S.zz - c.z * c.z;
    return {size, o + c, {yy + zz, xx + zz, xx + yy, c.x * c.y - S.xy, c.x * c.z - S.xz, c.y * c.z - S.yz}};
  }
};

/// Equal corners made one, triangles that lose a corner by it left out. With a step, corners are equal that round to the same
/// multiple of it, counted from `shift` steps off.
TriangleMesh welded(const TriangleMesh& mesh, double step = 0, double shift = 0) {
  struct Hash {
    std::size_t operator()(const std::array<double, 3>& p) const {
      std::size_t h = 0;
      for (const double x : p) h = (h ^ std::hash<double>{}(x)) * 0x9e3779b97f4a7c15ULL;
      return h ^ (h >> 32U);
    }
  };
  TriangleMesh out;
  std::unordered_map<std::array<double, 3>, std::uint32_t, Hash> place;
  place.reserve(mesh.vertices.size());
  std::vector<std::uint32_t> to(mesh.vertices.size());
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
    const Vec3<double>& v = mesh.vertices[k];
    const auto key = [&](double x) { return step > 0 ? std::floor(x / step + shift) : x + 0.0; };
    const auto [known, is_new] =
        place.try_emplace({key(v.x), key(v.y), key(v.z)}, static_cast<std::uint32_t>(out.vertices.size()));
    if (is_new) out.vertices.push_back(v);
    to[k] = known->second;
  }
  for (const Triangle& t : mesh.triangles)
    if (const Triangle w{to[t[0]], to[t[1]], to[t[2]]}; w[0] != w[1] && w[1] != w[2] && w[2] != w[0])
      out.triangles.push_back(w);
  return out;
}

/// An edge as a triangle runs along it.
struct Edge {
  std::uint32_t low, high, triangle;
  bool back;  // from high to low
};

std::vector<Edge> sorted_edges(const TriangleMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
    for (std::size_t e = 0; e < 3; ++e) {
      const std::uint32_t from = mesh.triangles[k][e], to = mesh.triangles[k][(e + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), static_cast<std::uint32_t>(k), from > to});
    }
  std::ranges::sort(edges, [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
  });
  return edges;
}

/// visit(first, end, forward, back) for all edges between the same two corners.
template <class Visit>
void for_each_edge(const std::vector<Edge>& edges, const Visit& visit) {
  for (std::size_t k = 0; k < edges.size();) {
    std::size_t end = k, back = 0;
    for (; end < edges.size() && edges[end].low == edges[k].low && edges[end].high == edges[k].high; ++end)
      back += edges[end].back;
    visit(k, end, end - k - back, back);
    k = end;
  }
}

/// Triangles that hang together by edges, and which of them must be turned over to be wound like the others.
class Shells {
 public:
  explicit Shells(std::size_t count) : parent_(count), turned_(count, 0) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t root(std::uint32_t t) {
    std::uint32_t r = t;
    bool turned = false;
    for (; parent_[r] != r; r = parent_[r]) turned ^= turned_[r] != 0;
    for (std::uint32_t next; parent_[t] != r && t != r; t = next) {
      next = parent_[t];
      const bool own = turned_[t] != 0;
      parent_[t] = r;
      turned_[t] = turned;
      turned ^= own;
    }
    return r;
  }
  bool turned(std::uint32_t t) { return root(t) != t && turned_[t] != 0; }
  /// False where both are joined already and the other way.
  bool join(std::uint32_t a, std::uint32_t b, bool turned_over) {
    const std::uint32_t ra = root(a), rb = root(b);
    const bool parity = turned_over ^ turned(a) ^ turned(b);
    if (ra == rb) return !parity;
    parent_[ra] = rb;
    turned_[ra] = parity;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<char> turned_;
};

/// Makes neighbours wound alike, as most of each shell are; gives whether any was not.
bool wind(TriangleMesh& mesh, Shells& shells) {
  std::vector<std::uint32_t> all(mesh.triangles.size()), over(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    ++all[shells.root(t)];
    over[shells.root(t)] += shells.turned(t);
  }
  bool any = false;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t r = shells.root(t);
    if (shells.turned(t) == (2 * over[r] > all[r])) continue;
    std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    any = true;
  }
  return any;
}

/// Closes the rims: those of one hole by a fan from the mean of its corners.
void close_rims(TriangleMesh& mesh, const std::vector<Edge>& edges) {
  std::unordered_map<std::uint32_t, std::uint32_t> hole;  // corner -> another of the same rim
  const auto find = [&](std::uint32_t v) {
    while (hole.at(v) != v) v = hole[v] = hole[hole[v]];
    return v;
  };
  struct Gap {
    std::uint32_t from, to;
    std::size_t times;
  };
  std::vector<Gap> gaps;
  for_each_edge(edges, [&](std::size_t k, std::size_t, std::size_t forward, std::size_t back) {
    const std::uint32_t low = edges[k].low, high = edges[k].high;
    if (forward == back) return;
    gaps.push_back(forward > back ? Gap{high, low, forward - back} : Gap{low, high, back - forward});
    hole.emplace(low, low);
    hole.emplace(high, high);
    hole[find(low)] = find(high);
  });
  struct Mean {
    Vec3<double> sum;
    double count = 0;
    std::uint32_t place = 0;
  };
  std::unordered_map<std::uint32_t, Mean> middles;
  for (const Gap& gap : gaps) {
    Mean& mean = middles[find(gap.from)];
    mean.sum += mesh.vertices[gap.from] + mesh.vertices[gap.to];
    mean.count += 2;
  }
  for (auto& [unused, mean] : middles) {
    mean.place = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(mean.sum * (1 / mean.count));
  }
  for (const Gap& gap : gaps)
    for (std::size_t k = 0; k < gap.times; ++k)
      mesh.triangles.push_back({gap.from, gap.to, middles[find(gap.from)].place});
}

/// Pieces that are wound inwards are cavities if they lie in others, by their boxes.
void count_cavities(const TriangleMesh& mesh, Shells& shells, const Vec3<double>& o, MeshSolid& found) {
  struct Shell {
    double volume = 0;
    Box box;
  };
  std::unordered_map<std::uint32_t, Shell> by_root;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Shell& shell = by_root[shells.root(t)];
    const auto& [a, b, c] = mesh.triangles[t];
    shell.volume += dot(mesh.vertices[a] - o, cross(mesh.vertices[b] - o, mesh.vertices[c] - o)) / 6;
    for (const std::uint32_t v : mesh.triangles[t]) shell.box.add(mesh.vertices[v]);
  }
  found.shells = by_root.size();
  std::vector<const Shell*> outer, inner;
  for (const auto& [unused, shell] : by_root) (shell.volume < 0 ? inner : outer).push_back(&shell);
  found.cavities = inner.size();
  if (!inner.empty()) {
    TriangleMesh outside{mesh.vertices, {}};
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      if (by_root.at(shells.root(t)).volume >= 0) outside.triangles.push_back(mesh.triangles[t]);
    found.filled = enclosed_body(outside);
  }
  // a mesh of thousands of cavities is a sponge, whose pieces nobody turned over by mistake
  if (inner.size() * outer.size() > 10'000'000) return;
  for (const Shell* shell : inner)
    found.stray_shells +=
        std::ranges::none_of(outer, [&](const Shell* around) { return around->box.holds(shell->box); });
}

}  // namespace

MeshBody enclosed_body(const TriangleMesh& mesh) {
  const Vec3<double> o = middle_of(mesh);
  Moments sums;
  for (const auto& [a, b, c] : mesh.triangles)
    sums.add_tetrahedron(mesh.vertices[a] - o, mesh.vertices[b] - o, mesh.vertices[c] - o);
  return sums.body(o);
}

MeshBody sheet_body(const TriangleMesh& mesh) {
  const Vec3<double> o = middle_of(mesh);
  Moments sums;
  for (const auto& [a, b, c] : mesh.triangles)
    sums.add_sheet(mesh.vertices[a] - o, mesh.vertices[b] - o, mesh.vertices[c] - o);
  return sums.body(o);
}

bool MeshSolid::sound() const {
  if (!hull || !orientable || stray_shells > 0) return false;
  return solid.size > 1e-12 * hull->size && solid.size <= hull->size * (1 + 1e-9);
}

namespace {

double extent_of(const TriangleMesh& mesh) {
  Box box;
  for (const Vec3<double>& v : mesh.vertices) box.add(v);
  return mesh.vertices.empty() ? 0 : norm(box.high - box.low);
}

bool is_closed(const std::vector<Edge>& edges) {
  bool closed = true;
  for_each_edge(
      edges, [&](std::size_t k, std::size_t end, std::size_t, std::size_t) { closed = closed && (end - k) % 2 == 0; });
  return closed;
}

/// Corners made one where they are equal; where that leaves holes, where they are so within single precision: files are
/// rounded, and a corner at zero may come as 1e-17 and -1e-17.
TriangleMesh welded_well(const TriangleMesh& given, double& distance) {
  TriangleMesh mesh = welded(given);
  if (is_closed(sorted_edges(mesh))) return mesh;
  const double step = 1e-8 * extent_of(given);
  for (const double shift : {0.5, 0.0}) {
    if (!(step > 0)) break;
    TriangleMesh other = welded(given, step, shift);
    if (!is_closed(sorted_edges(other))) continue;
    distance = step;
    return other;
  }
  return mesh;
}

}  // namespace

MeshSolid mesh_solid(const TriangleMesh& given) {
  MeshSolid found;
  TriangleMesh mesh = welded_well(given, found.weld_distance);
  found.vertices = mesh.vertices.size();
  found.triangles = mesh.triangles.size();
  if (mesh.triangles.empty()) return found;
  found.sheet = sheet_body(mesh);

  // neighbours across an edge of two; an edge of more joins nothing, so that solids that touch stay apart
  std::vector<Edge> edges = sorted_edges(mesh);
  Shells shells(mesh.triangles.size());
  for_each_edge(edges, [&](std::size_t k, std::size_t end, std::size_t forward, std::size_t back) {
    if (end - k == 2 && !shells.join(edges[k].triangle, edges[k + 1].triangle, forward != back))
      found.orientable = false;
  });
  if (found.orientable) found.rewound = wind(mesh, shells);
  if (found.rewound) edges = sorted_edges(mesh);

  bool once = true;
  for_each_edge(edges, [&](std::size_t, std::size_t, std::size_t forward, std::size_t back) {
    found.open_edges += forward != back;
    once = once && forward == 1 && back == 1;
  });
  found.closed = found.open_edges == 0;
  found.watertight = found.closed && once;

  TriangleMesh whole = mesh;
  if (!found.closed) close_rims(whole, edges);
  found.solid = enclosed_body(whole);
  if (found.solid.size < 0) {
    found.inside_out = true;
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    found.solid.size = -found.solid.size;  // centre and tensor are quotients, which keep their sign
  }
  found.filled = found.solid;
  count_cavities(mesh, shells, middle_of(mesh), found);
  if (!found.closed) found.cavities = found.stray_shells = 0, found.filled = found.solid;
  if (const auto hull = convex_hull(mesh.vertices)) found.hull = enclosed_body(*hull);
  return found;
}

}  // namespace torsor

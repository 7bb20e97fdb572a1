#include "torsor/model/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace torsor {
namespace {

struct Face {
  std::array<std::uint32_t, 3> corner;
  std::array<int, 3> beside;           // the face across the edge from corner k to the next
  Vec3<double> normal;                 // of length one, outwards
  double offset = 0;                   // dot(normal, x) on the face
  std::vector<std::uint32_t> outside;  // points that see this face, each kept by one face
  bool gone = false;
};

class QuickHull {
 public:
  explicit QuickHull(std::span<const Vec3<double>> given) : points(given) {}

  std::optional<TriangleMesh> run() {
    if (points.size() < 4 || points.size() > 0xffffffffU || !start()) return std::nullopt;
    while (!pending.empty()) {
      const int f = pending.back();
      pending.pop_back();
      if (faces[at(f)].gone || faces[at(f)].outside.empty()) continue;
      if (!grow(f)) return std::nullopt;
    }
    return mesh();
  }

 private:
  std::span<const Vec3<double>> points;
  double tolerance = 0;
  std::vector<Face> faces;
  std::vector<int> pending;

  static std::size_t at(int f) { return static_cast<std::size_t>(f); }
  double height(const Face& face, std::uint32_t p) const { return dot(face.normal, points[p]) - face.offset; }

  /// False where the corners lie on a line: such a face has no normal.
  bool add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Vec3<double> n = cross(points[b] - points[a], points[c] - points[a]);
    if (!(norm(n) > 0)) return false;
    Face face{{a, b, c}, {-1, -1, -1}, unit(n), 0, {}, false};
    face.offset = dot(face.normal, (points[a] + points[b] + points[c]) * (1.0 / 3));
    faces.push_back(std::move(face));
    return true;
  }

  template <class Measure>
  std::uint32_t farthest(const Measure& measure) const {
    std::uint32_t best = 0;
    double most = -1;
    for (std::uint32_t k = 0; k < points.size(); ++k)
      if (const double x = measure(points[k]); x > most) most = x, best = k;
    return best;
  }

  bool start() {
    Vec3<double> low = points[0], high = points[0];
    for (const Vec3<double>& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const double extent = norm(high - low) + std::max({norm(low), norm(high)}) * 1e-3;
    if (!(extent > 0) || !std::isfinite(extent)) return false;
    tolerance = 1e-12 * extent;
    const Vec3<double> middle = (low + high) * 0.5;
    const std::uint32_t a = farthest([&](const Vec3<double>& p) { return norm(p - middle); });
    const std::uint32_t b = farthest([&](const Vec3<double>& p) { return norm(p - points[a]); });
    const Vec3<double> line = points[b] - points[a];
    const std::uint32_t c = farthest([&](const Vec3<double>& p) { return norm(cross(line, p - points[a])); });
    const Vec3<double> plane = cross(line, points[c] - points[a]);
    if (!(norm(plane) > tolerance * norm(line))) return false;
    const Vec3<double> n = unit(plane);
    const std::uint32_t d = farthest([&](const Vec3<double>& p) { return std::abs(dot(n, p - points[a])); });
    const double rise = dot(n, points[d] - points[a]);
    if (!(std::abs(rise) > tolerance)) return false;
    const auto [p, q] = rise > 0 ? std::pair{c, b} : std::pair{b, c};  // seen from outside, d is behind the face a p q
    if (!add(a, p, q) || !add(p, a, d) || !add(q, p, d) || !add(a, q, d)) return false;
    faces[0].beside = {1, 2, 3};
    faces[1].beside = {0, 3, 2};
    faces[2].beside = {0, 1, 3};
    faces[3].beside = {0, 2, 1};
    std::vector<std::uint32_t> all(points.size());
    for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
    share(all, 0);
    return true;
  }

  /// Gives each point to the first of the faces from `first` on that it lies outside of; the others are inside of all.
  void share(const std::vector<std::uint32_t>& some, std::size_t first) {
    for (const std::uint32_t p : some)
      for (std::size_t f = first; f < faces.size(); ++f)
        if (height(faces[f], p) > tolerance) {
          faces[f].outside.push_back(p);
          break;
        }
    for (std::size_t f = first; f < faces.size(); ++f)
      if (!faces[f].outside.empty()) pending.push_back(static_cast<int>(f));
  }

  /// Replaces what the farthest point of a face sees by a cone; false where the rim is no simple loop.
  bool grow(int f) {
    const std::vector<std::uint32_t>& far = faces[at(f)].outside;
    const std::uint32_t eye =
        *std::ranges::max_element(far, {}, [&](std::uint32_t p) { return height(faces[at(f)], p); });
    std::vector<int> seen{f};
    std::vector<std::pair<int, std::size_t>> rim;  // a face that stays, and its edge towards those that go
    faces[at(f)].gone = true;
    for (std::size_t k = 0; k < seen.size(); ++k)
      for (std::size_t e = 0; e < 3; ++e) {
        const int next = faces[at(seen[k])].beside[e];
        if (faces[at(next)].gone) continue;
        if (height(faces[at(next)], eye) > tolerance) {
          faces[at(next)].gone = true;
          seen.push_back(next);
        }
      }
    for (const int gone : seen)
      for (std::size_t e = 0; e < 3; ++e) {
        const int next = faces[at(gone)].beside[e];
        if (faces[at(next)].gone) continue;
        const std::uint32_t from = faces[at(gone)].corner[(e + 1) % 3];
        std::size_t edge = 0;
        while (edge < 3 && faces[at(next)].corner[edge] != from) ++edge;
        if (edge == 3) return false;
        rim.emplace_back(next, edge);
      }
    const std::size_t first = faces.size();
    std::unordered_map<std::uint32_t, int> begins,
        ends;  // by corner of the rim: the new face whose edge begins, ends there
    for (const auto& [stays, edge] : rim) {
      const std::uint32_t b = faces[at(stays)].corner[edge], a = faces[at(stays)].corner[(edge + 1) % 3];
      const int own = static_cast<int>(faces.size());
      if (!add(a, b, eye)) return false;
      faces[at(own)].beside[0] = stays;
      faces[at(stays)].beside[edge] = own;
      if (!begins.emplace(a, own).second || !ends.emplace(b, own).second) return false;
    }
    for (std::size_t k = first; k < faces.size(); ++k) {
      const auto next = begins.find(faces[k].corner[1]), before = ends.find(faces[k].corner[0]);
      if (next == begins.end() || before == ends.end()) return false;
      faces[k].beside[1] = next->second;
      faces[k].beside[2] = before->second;
    }
    std::vector<std::uint32_t> orphans;
    for (const int gone : seen) {
      orphans.insert(orphans.end(), faces[at(gone)].outside.begin(), faces[at(gone)].outside.end());
      faces[at(gone)].outside = {};
    }
    std::erase(orphans, eye);
    share(orphans, first);
    return true;
  }

  TriangleMesh mesh() const {
    TriangleMesh out;
    std::unordered_map<std::uint32_t, std::uint32_t> place;
    for (const Face& face : faces) {
      if (face.gone) continue;
      TriangleMesh::Triangle t{};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [known, is_new] = place.emplace(face.corner[k], static_cast<std::uint32_t>(out.vertices.size()));
        if (is_new) out.vertices.push_back(points[face.corner[k]]);
        t[k] = known->second;
      }
      out.triangles.push_back(t);
    }
    return out;
  }
};

}  // namespace

std::optional<TriangleMesh> convex_hull(std::span<const Vec3<double>> points) { return QuickHull(points).run(); }

}  // namespace torsor

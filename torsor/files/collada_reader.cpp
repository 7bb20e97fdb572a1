// Collada 1.4 and 1.5: the geometries that nodes of the visual scene show, each where its nodes put it, in metres. Read are
// triangles, polylist, polygons, trifans and tristrips; polygons with holes, skins, splines and convex meshes are refused.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <unordered_map>

#include "torsor/files/mesh_reader.hpp"
#include "torsor/files/mesh_scene.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/text/xml.hpp"

namespace torsor::detail {
namespace {

constexpr int deepest_nodes = 256;

/// What stops the reading; caught in read_collada.
struct ColladaError {
  int line;
  std::string offender, rule, what, remedy;
};

[[noreturn]] void refuse(const XmlElement& e, std::string rule, std::string what,
                         std::string remedy = "export the mesh again") {
  const std::string* id = e.attribute("id");
  throw ColladaError{e.line, fmt::format("<{}>{}", excerpt(e.name), id ? fmt::format(" \"{}\"", excerpt(*id)) : ""),
                     std::move(rule), std::move(what), std::move(remedy)};
}

/// Numbers of a Collada file are of single precision (a float_array has six digits unless it says otherwise), and its other
/// readers take them as that: so do we, for points and for the pose of a node.
double rounded(double x) { return static_cast<double>(static_cast<float>(x)); }

/// visit(word) for each word of a text.
template <class Visit>
void for_each_word(std::string_view text, const Visit& visit) {
  constexpr std::string_view blanks = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    visit(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
}

std::vector<double> numbers_in(const XmlElement& e) {
  std::vector<double> out;
  for_each_word(e.text, [&](std::string_view word) {
    const ParsedNumber parsed = parse_number(word);
    if (!parsed && parsed.fault != NumberFault::too_small)
      refuse(e, "number", fmt::format("\"{}\" is no finite number", excerpt(word)));
    out.push_back(parsed ? parsed.value : 0);
  });
  return out;
}

std::vector<double> numbers_in(const XmlElement& e, std::size_t count) {
  std::vector<double> out = numbers_in(e);
  if (out.size() != count) refuse(e, "dae-count", fmt::format("it has {} numbers, and needs {}", out.size(), count));
  return out;
}

/// Whole numbers, zero or more.
std::vector<std::uint32_t> places_in(const XmlElement& e) {
  std::vector<std::uint32_t> out;
  for (const double x : numbers_in(e)) {
    if (!(x >= 0 && x < 4294967295.0 && x == std::trunc(x)))
      refuse(e, "dae-index", fmt::format("{} is no place in a list", x));
    out.push_back(static_cast<std::uint32_t>(x));
  }
  return out;
}

std::size_t whole_attribute(const XmlElement& e, std::string_view key, std::size_t otherwise) {
  const std::string* text = e.attribute(key);
  if (!text) return otherwise;
  const ParsedNumber parsed = parse_number(*text);
  if (!parsed || !(parsed.value >= 0 && parsed.value <= 1e9) || parsed.value != std::trunc(parsed.value))
    refuse(e, "dae-count", fmt::format("{}=\"{}\" is no whole number", key, excerpt(*text)));
  return static_cast<std::size_t>(parsed.value);
}

const XmlElement& child_of(const XmlElement& e, std::string_view name) {
  if (const XmlElement* found = e.child(name)) return *found;
  refuse(e, "dae-element", fmt::format("it has no <{}>", name));
}

class Collada {
 public:
  explicit Collada(const XmlElement& given) : root(given) { index(root); }

  MeshFile run() {
    MeshFile read{.mesh = {}, .format = "DAE"};
    if (const XmlElement* asset = root.child("asset")) {
      if (const XmlElement* unit = asset->child("unit"); unit && unit->attribute("meter")) {
        const ParsedNumber meter = parse_number(*unit->attribute("meter"));
        if (!meter || !(meter.value > 0 && meter.value < 1e9))
          refuse(*unit, "dae-unit", fmt::format("meter=\"{}\" is no length", excerpt(*unit->attribute("meter"))));
        read.unit = meter.value;
      }
      if (const XmlElement* up = asset->child("up_axis")) {
        if (up->text != "X_UP" && up->text != "Y_UP" && up->text != "Z_UP")
          refuse(*up, "dae-up", fmt::format("\"{}\" is no axis", excerpt(up->text)), "write X_UP, Y_UP or Z_UP");
        read.up_axis = up->text;
      }
    }
    const Affine metres{Mat3<double>::identity() * read.unit, {}};
    for (const XmlElement& node : scene().children)
      if (node.name == "node") walk(node, metres, 0, read.mesh);
    return read;
  }

 private:
  const XmlElement& root;
  std::unordered_map<std::string_view, const XmlElement*> by_id;
  std::unordered_map<const XmlElement*, TriangleMesh> meshes;  // each geometry is read once, however often it is shown
  std::size_t visited = 0;

  void index(const XmlElement& e) {
    if (const std::string* id = e.attribute("id"); id && !by_id.emplace(*id, &e).second)
      refuse(e, "dae-id", "another element has this id");
    for (const XmlElement& child : e.children) index(child);
  }

  /// What a reference means: `#id`, in this file.
  const XmlElement& at(const XmlElement& e, const char* key, std::string_view name) const {
    const std::string* url = e.attribute(key);
    if (!url) refuse(e, "dae-reference", fmt::format("it has no {}", key));
    if (!url->starts_with('#'))
      refuse(e, "dae-outside", fmt::format("\"{}\" is not in this file", excerpt(*url)),
             "export the scene as one file");
    const auto found = by_id.find(std::string_view(*url).substr(1));
    if (found == by_id.end() || found->second->name != name)
      refuse(e, "dae-reference", fmt::format("there is no <{}> \"{}\"", name, excerpt(*url)));
    return *found->second;
  }

  /// The scene that the file shows, or the only one.
  const XmlElement& scene() const {
    if (const XmlElement* shown = root.child("scene"))
      if (const XmlElement* instance = shown->child("instance_visual_scene"))
        return at(*instance, "url", "visual_scene");
    const XmlElement* only = nullptr;
    for (const XmlElement& library : root.children)
      if (library.name == "library_visual_scenes")
        for (const XmlElement& each : library.children)
          if (each.name == "visual_scene") {
            if (only) refuse(root, "dae-scene", "it has several scenes, and shows none of them");
            only = &each;
          }
    if (!only) refuse(root, "dae-scene", "it has no scene");
    return *only;
  }

  static Affine pose(const XmlElement& e) {
    if (e.name == "matrix") {
      const std::vector<double> m = numbers_in(e, 16);
      if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1) refuse(e, "dae-matrix", "its last row is not 0 0 0 1");
      return {{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}, {m[3], m[7], m[11]}};
    }
    if (e.name == "translate") {
      const std::vector<double> n = numbers_in(e, 3);
      return {Mat3<double>::identity(), {n[0], n[1], n[2]}};
    }
    if (e.name == "scale") {
      const std::vector<double> n = numbers_in(e, 3);
      return {{{n[0], 0, 0}, {0, n[1], 0}, {0, 0, n[2]}}, {}};
    }
    if (e.name == "skew" || e.name == "lookat") refuse(e, "dae-transform", fmt::format("<{}> is not read", e.name));
    const std::vector<double> n = numbers_in(e, 4);
    if (n[3] == 0) return {};
    const Vec3<double> axis{n[0], n[1], n[2]};
    if (!(norm(axis) > 0)) refuse(e, "dae-transform", "a rotation has no axis");
    const Vec3<double> u = unit(axis);
    const double angle = n[3] * (std::numbers::pi / 180), s = std::sin(angle), c = std::cos(angle);
    return {Mat3<double>::identity() * c + skew(u) * s + outer(u, u) * (1 - c), {}};
  }

  static Affine single(Affine X) {
    for (Vec3<double>* v : {&X.A.x, &X.A.y, &X.A.z, &X.p}) *v = {rounded(v->x), rounded(v->y), rounded(v->z)};
    return X;
  }

  void walk(const XmlElement& node, Affine X, int depth, TriangleMesh& out) {
    if (depth > deepest_nodes || ++visited > 200'000)
      refuse(node, "dae-depth", "nodes lie too deep in each other, or in themselves");
    Affine own;
    for (const XmlElement& e : node.children)
      if (e.name == "matrix" || e.name == "translate" || e.name == "rotate" || e.name == "scale" || e.name == "skew" ||
          e.name == "lookat")
        own = own * pose(e);
    X = X * single(own);
    for (const XmlElement& e : node.children) {
      if (e.name == "node") walk(e, X, depth + 1, out);
      if (e.name == "instance_node") walk(at(e, "url", "node"), X, depth + 1, out);
      if (e.name == "instance_controller")
        refuse(e, "dae-skin", "a skinned mesh is not read", "export the mesh without its skeleton");
      if (e.name != "instance_geometry") continue;
      TriangleMesh shown = geometry(at(e, "url", "geometry"));
      transform(shown, X.A, X.p);
      if (out.triangles.size() + shown.triangles.size() > most_triangles ||
          out.vertices.size() + shown.vertices.size() > 3 * most_triangles)
        refuse(e, "mesh-size", fmt::format("there are more than {} triangles", most_triangles));
      append(out, shown);
    }
  }

  const TriangleMesh& geometry(const XmlElement& e) {
    const auto [known, is_new] = meshes.try_emplace(&e);
    if (!is_new) return known->second;
    const XmlElement* mesh = e.child("mesh");
    if (!mesh) refuse(e, "dae-geometry", "it is no <mesh>", "export triangles");
    TriangleMesh& out = known->second;
    std::unordered_map<const XmlElement*, std::uint32_t> first;  // <vertices> -> where its corners begin
    for (const XmlElement& piece : mesh->children) {
      if (piece.name == "lines" || piece.name == "linestrips") continue;
      if (piece.name != "triangles" && piece.name != "polylist" && piece.name != "polygons" &&
          piece.name != "trifans" && piece.name != "tristrips")
        continue;
      pieces(piece, first, out);
    }
    return out;
  }

  /// One list of triangles or polygons.
  void pieces(const XmlElement& piece, std::unordered_map<const XmlElement*, std::uint32_t>& first, TriangleMesh& out) {
    std::size_t stride = 0, offset = 0;
    const XmlElement* vertices = nullptr;
    for (const XmlElement& input : piece.children) {
      if (input.name != "input") continue;
      const std::size_t own = whole_attribute(input, "offset", 0);
      if (own > 1000) refuse(input, "dae-count", "its offset is too large");
      stride = std::max(stride, own + 1);
      if (input.attribute("semantic") && *input.attribute("semantic") == "VERTEX") {
        vertices = &at(input, "source", "vertices");
        offset = own;
      }
    }
    const bool none = whole_attribute(piece, "count", 0) == 0;
    if (!vertices) {
      if (none) return;
      refuse(piece, "dae-input", "it has no <input> VERTEX");
    }
    const auto [known, is_new] = first.try_emplace(vertices, static_cast<std::uint32_t>(out.vertices.size()));
    if (is_new) positions(*vertices, out.vertices);
    const std::uint32_t begin = known->second;
    const auto count = static_cast<std::uint32_t>(out.vertices.size()) - begin;
    const auto corners_of = [&](const XmlElement& p) {
      const std::vector<std::uint32_t> all = places_in(p);
      if (all.size() % stride != 0)
        refuse(p, "dae-count", fmt::format("{} numbers are no multiple of {}", all.size(), stride));
      std::vector<std::uint32_t> corners;
      for (std::size_t k = offset; k < all.size(); k += stride) {
        if (all[k] >= count) refuse(p, "dae-index", fmt::format("{} is none of the {} corners", all[k], count));
        corners.push_back(begin + all[k]);
      }
      return corners;
    };
    if (piece.name == "polylist") return polylist(piece, corners_of, out);
    for (const XmlElement& p : piece.children) {
      if (p.name == "ph") refuse(p, "dae-hole", "a polygon has a hole", "export triangles");
      if (p.name != "p") continue;
      const std::vector<std::uint32_t> corners = corners_of(p);
      if (piece.name == "triangles" && corners.size() % 3 != 0)
        refuse(p, "dae-count", fmt::format("{} corners make no triangles", corners.size()));
      append_triangles(corners,
                       piece.name == "triangles"   ? Corners::triples
                       : piece.name == "tristrips" ? Corners::strip
                                                   : Corners::fan,
                       out.triangles);
    }
  }

  template <class CornersOf>
  static void polylist(const XmlElement& piece, const CornersOf& corners_of, TriangleMesh& out) {
    const XmlElement *vcount = piece.child("vcount"), *p = piece.child("p");
    const std::vector<std::uint32_t> counts = vcount ? places_in(*vcount) : std::vector<std::uint32_t>{};
    const std::vector<std::uint32_t> corners = p ? corners_of(*p) : std::vector<std::uint32_t>{};
    std::size_t at = 0;
    for (const std::uint32_t n : counts) {
      if (n < 3 || n > corners.size() - at)
        refuse(piece, "dae-count", fmt::format("a polygon has {} corners, and {} are left", n, corners.size() - at));
      append_triangles(std::span(corners).subspan(at, n), Corners::fan, out.triangles);
      at += n;
    }
    if (at != corners.size()) refuse(piece, "dae-count", fmt::format("{} corners are left over", corners.size() - at));
  }

  /// The points that <vertices> stands for: three numbers of each step through an array.
  void positions(const XmlElement& vertices, std::vector<Vec3<double>>& out) const {
    const XmlElement* input = nullptr;
    for (const XmlElement& e : vertices.children)
      if (e.name == "input" && e.attribute("semantic") && *e.attribute("semantic") == "POSITION") input = &e;
    if (!input) refuse(vertices, "dae-input", "it has no <input> POSITION");
    const XmlElement& source = at(*input, "source", "source");
    const XmlElement& accessor = child_of(child_of(source, "technique_common"), "accessor");
    const XmlElement& array = at(accessor, "source", "float_array");
    const std::vector<double> numbers = numbers_in(array);
    if (const std::size_t stated = whole_attribute(array, "count", numbers.size()); stated != numbers.size())
      refuse(array, "dae-count", fmt::format("it states {} numbers, and has {}", stated, numbers.size()));
    const std::size_t count = whole_attribute(accessor, "count", 0), step = whole_attribute(accessor, "stride", 1);
    std::size_t place = whole_attribute(accessor, "offset", 0), at_param = 0;
    std::array<std::size_t, 3> xyz{0, 1, 2};
    std::size_t named = 0;
    for (const XmlElement& param : accessor.children) {
      if (param.name != "param") continue;
      if (const std::string* name = param.attribute("name"); name && named < 3 && !name->empty())
        xyz[named++] = at_param;
      ++at_param;
    }
    if (step < 3 || at_param < 3) refuse(accessor, "dae-accessor", "its points have no three coordinates");
    for (std::size_t k = 0; k < count; ++k, place += step) {
      if (place + step > numbers.size() || xyz[2] >= step) refuse(accessor, "dae-accessor", "it goes beyond its array");
      out.push_back(
          {rounded(numbers[place + xyz[0]]), rounded(numbers[place + xyz[1]]), rounded(numbers[place + xyz[2]])});
    }
  }
};

}  // namespace

Result<MeshFile> read_collada(std::string_view text, const std::string& file) {
  const Result<XmlElement> document = parse_xml(text, file, deepest_nodes);
  if (!document) return document.faults();
  if (document->name != "COLLADA")
    return mesh_fault(file, document->line, fmt::format("<{}>", excerpt(document->name)), "dae-root",
                      "the root element is not <COLLADA>");
  try {
    return Collada(*document).run();
  } catch (const ColladaError& e) {
    return mesh_fault(file, e.line, e.offender, e.rule, e.what, e.remedy);
  }
}

}  // namespace torsor::detail

// glTF 2.0, as JSON (.gltf) or in one file (.glb): the meshes that the nodes of the scene show, where these put them. Positions
// are read as floats or normalised whole numbers, with sparse replacements, indices of any size; strips and fans become
// triangles, points and lines are passed over. Buffers lie in the file, in the text (base64), or in files beside it.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <optional>

#include "torsor/files/gltf_bytes.hpp"
#include "torsor/files/mesh_reader.hpp"
#include "torsor/files/mesh_scene.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/text/json_reader.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

constexpr int deepest_gltf = 256;

struct GltfError {
  int line;
  std::string offender, rule, what, remedy;
};

[[noreturn]] void refuse_gltf(const JsonValue& v, std::string offender, std::string rule, std::string what,
                              std::string remedy = "export the mesh again") {
  throw GltfError{v.line, std::move(offender), std::move(rule), std::move(what), std::move(remedy)};
}

class Gltf {
 public:
  Gltf(const JsonValue& json, std::optional<std::string_view> chunk, const ReadMeshFile& reader)
      : root(json), binary(chunk), beside(reader) {}

  MeshFile run(const char* format) {
    MeshFile read{.mesh = {}, .format = format};
    read.up_axis = "Y_UP";  // every glTF
    check_version();
    const std::vector<JsonValue>& scenes = list(root, "scenes");
    buffers.resize(list(root, "buffers").size());
    if (scenes.empty()) {
      // without a scene the nodes that no other has are shown
      const std::vector<JsonValue>& nodes = list(root, "nodes");
      std::vector<char> below(nodes.size(), 0);
      for (const JsonValue& node : nodes)
        for (const JsonValue& child : list(node, "children")) below[place(child, nodes.size(), "children")] = 1;
      for (std::size_t k = 0; k < nodes.size(); ++k)
        if (below[k] == 0) walk(k, {}, 0, read.mesh);
      return read;
    }
    const std::size_t shown = root.find("scene") ? place(*root.find("scene"), scenes.size(), "scene") : 0;
    for (const JsonValue& node : list(scenes[shown], "nodes"))
      walk(place(node, list(root, "nodes").size(), "nodes"), {}, 0, read.mesh);
    return read;
  }

 private:
  using Kind = JsonValue::Kind;
  const JsonValue& root;
  std::optional<std::string_view> binary;
  const ReadMeshFile& beside;
  std::vector<std::optional<std::string>> buffers;
  std::size_t visited = 0;

  static const std::vector<JsonValue>& list(const JsonValue& v, const char* key) {
    static const std::vector<JsonValue> none;
    const JsonValue* found = v.find(key);
    if (!found) return none;
    if (!found->is(Kind::list)) refuse_gltf(*found, key, "gltf-type", "it is no list");
    return found->items;
  }
  static std::size_t whole(const JsonValue& v, const char* key, std::optional<std::size_t> otherwise = {}) {
    const JsonValue* found = v.find(key);
    if (!found && otherwise) return *otherwise;
    if (!found) refuse_gltf(v, key, "gltf-missing", "it is missing");
    if (!found->is(Kind::number) || !(found->number >= 0 && found->number <= 4e9) ||
        found->number != std::trunc(found->number))
      refuse_gltf(*found, key, "gltf-type", "it is no whole number");
    return static_cast<std::size_t>(found->number);
  }
  /// A place in a list of so many.
  static std::size_t place(const JsonValue& v, std::size_t count, const char* what) {
    if (!v.is(Kind::number) || !(v.number >= 0 && v.number < static_cast<double>(count)) ||
        v.number != std::trunc(v.number))
      refuse_gltf(v, what, "gltf-index", fmt::format("it is none of the {} there are", count));
    return static_cast<std::size_t>(v.number);
  }
  static std::size_t place(const JsonValue& v, const char* key, std::size_t count) {
    const JsonValue* found = v.find(key);
    if (!found) refuse_gltf(v, key, "gltf-missing", "it is missing");
    return place(*found, count, key);
  }

  void check_version() const {
    const JsonValue* asset = root.find("asset");
    const JsonValue* version = asset ? asset->find("version") : nullptr;
    if (!version || !version->is(Kind::text) || !version->text.starts_with("2."))
      refuse_gltf(root, "asset", "gltf-version", "it is no glTF of version 2", "export glTF 2.0");
    for (const JsonValue& name : list(root, "extensionsRequired")) {
      const std::string& word = name.text;
      if (word.starts_with("KHR_materials") || word.starts_with("KHR_texture") || word.starts_with("KHR_lights") ||
          word == "KHR_mesh_quantization" || word.starts_with("EXT_texture"))
        continue;
      refuse_gltf(name, "extensionsRequired", "gltf-extension", fmt::format("\"{}\" is not read", excerpt(word)),
                  "export without compression and extensions");
    }
  }

  std::vector<double> numbers(const JsonValue& v, const char* key, std::size_t count) const {
    std::vector<double> out;
    for (const JsonValue& x : list(v, key)) {
      if (!x.is(Kind::number)) refuse_gltf(x, key, "gltf-type", "it holds something that is no number");
      out.push_back(x.number);
    }
    if (out.size() != count)
      refuse_gltf(v, key, "gltf-type", fmt::format("it has {} numbers, and needs {}", out.size(), count));
    return out;
  }

  Affine pose(const JsonValue& node) const {
    if (node.find("matrix")) {
      // column by column
      const std::vector<double> m = numbers(node, "matrix", 16);
      return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}, {m[12], m[13], m[14]}};
    }
    Affine X;
    if (node.find("scale")) {
      const std::vector<double> s = numbers(node, "scale", 3);
      X.A = {{s[0], 0, 0}, {0, s[1], 0}, {0, 0, s[2]}};
    }
    if (node.find("rotation")) {
      const std::vector<double> r = numbers(node, "rotation", 4);
      const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
      if (!(std::abs(length - 1) <= 1e-2))
        refuse_gltf(node, "rotation", "gltf-rotation", fmt::format("the quaternion has length {:.6g}", length));
      X.A = rotation(normalized(Quaternion<double>{r[3], r[0], r[1], r[2]})) * X.A;
    }
    if (node.find("translation")) {
      const std::vector<double> t = numbers(node, "translation", 3);
      X.p = {t[0], t[1], t[2]};
    }
    return X;
  }

  void walk(std::size_t index, const Affine& around, int depth, TriangleMesh& out) {
    const std::vector<JsonValue>& nodes = list(root, "nodes");
    const JsonValue& node = nodes[index];
    if (depth > deepest_gltf || ++visited > 200'000)
      refuse_gltf(node, "nodes", "gltf-depth", "nodes lie too deep in each other, or in themselves");
    const Affine X = around * pose(node);
    if (node.find("mesh")) {
      if (node.find("skin"))
        refuse_gltf(node, "nodes", "gltf-skin", "a skinned mesh is not read", "export the mesh without its skeleton");
      const std::vector<JsonValue>& all = list(root, "meshes");
      for (const JsonValue& piece : list(all[place(node, "mesh", all.size())], "primitives")) {
        TriangleMesh shown = primitive(piece);
        transform(shown, X.A, X.p);
        if (out.triangles.size() + shown.triangles.size() > most_triangles ||
            out.vertices.size() + shown.vertices.size() > 3 * most_triangles)
          refuse_gltf(piece, "meshes", "mesh-size", fmt::format("there are more than {} triangles", most_triangles));
        append(out, shown);
      }
    }
    for (const JsonValue& child : list(node, "children"))
      walk(place(child, nodes.size(), "children"), X, depth + 1, out);
  }

  TriangleMesh primitive(const JsonValue& piece) {
    TriangleMesh out;
    const std::size_t mode = whole(piece, "mode", 4);
    if (mode > 6) refuse_gltf(piece, "mode", "gltf-mode", "there is no such mode");
    if (mode < 4) return out;
    if (const JsonValue* own = piece.find("extensions"))
      for (const auto& [name, unused] : own->members)
        if (name.find("draco") != std::string::npos || name.find("meshopt") != std::string::npos)
          refuse_gltf(*own, "extensions", "gltf-extension", fmt::format("\"{}\" is not read", excerpt(name)),
                      "export without compression");
    const JsonValue* attributes = piece.find("attributes");
    if (!attributes || !attributes->find("POSITION")) return out;
    const std::vector<double> x = accessor(*attributes, "POSITION", 3);
    for (std::size_t k = 0; k + 2 < x.size(); k += 3) out.vertices.push_back({x[k], x[k + 1], x[k + 2]});
    std::vector<std::uint32_t> corners;
    if (piece.find("indices")) {
      for (const double each : accessor(piece, "indices", 1)) {
        if (!(each >= 0 && each < static_cast<double>(out.vertices.size())))
          refuse_gltf(piece, "indices", "gltf-index",
                      fmt::format("{} is none of the {} corners", each, out.vertices.size()));
        corners.push_back(static_cast<std::uint32_t>(each));
      }
    } else {
      for (std::uint32_t k = 0; k < out.vertices.size(); ++k) corners.push_back(k);
    }
    if (mode == 4 && corners.size() % 3 != 0)
      refuse_gltf(piece, "indices", "gltf-count", fmt::format("{} corners make no triangles", corners.size()));
    append_triangles(corners, mode == 4 ? Corners::triples : mode == 5 ? Corners::strip : Corners::fan, out.triangles);
    return out;
  }

  /// The bytes of a bufferView from an offset on.
  std::string_view view(const JsonValue& at, std::size_t offset, std::size_t& stride) {
    const std::vector<JsonValue>& views = list(root, "bufferViews");
    const JsonValue& own = views[place(at, "bufferView", views.size())];
    const std::string_view bytes = buffer(own);
    const std::size_t begin = whole(own, "byteOffset", 0), length = whole(own, "byteLength");
    if (begin > bytes.size() || length > bytes.size() - begin || offset > length)
      refuse_gltf(own, "bufferViews", "gltf-range",
                  fmt::format("it goes beyond the {} bytes of its buffer", bytes.size()));
    stride = whole(own, "byteStride", 0);
    return bytes.substr(begin + offset, length - offset);
  }

  std::string_view buffer(const JsonValue& at) {
    const std::vector<JsonValue>& all = list(root, "buffers");
    const std::size_t k = place(at, "buffer", all.size());
    const JsonValue* uri = all[k].find("uri");
    if (!uri) {
      if (k != 0 || !binary)
        refuse_gltf(all[k], "buffers", "gltf-buffer", "it has no bytes: neither a uri nor a chunk of the file");
      return *binary;
    }
    if (buffers[k]) return *buffers[k];
    if (uri->text.starts_with("data:")) {
      const std::size_t comma = uri->text.find(";base64,");
      auto bytes =
          comma == std::string::npos ? std::nullopt : decode_base64(std::string_view(uri->text).substr(comma + 8));
      if (!bytes) refuse_gltf(*uri, "buffers", "gltf-buffer", "its data are not base64");
      buffers[k] = *std::move(bytes);
    } else {
      const auto name = unescaped(uri->text);
      if (!name || name->find("://") != std::string::npos)
        refuse_gltf(*uri, "buffers", "gltf-buffer", fmt::format("\"{}\" is no file beside it", excerpt(uri->text)));
      Result<std::string> bytes = beside(*name);
      if (!bytes)
        refuse_gltf(*uri, fmt::format("buffer \"{}\"", excerpt(*name, 200)), bytes.faults().front().rule,
                    bytes.faults().front().what, bytes.faults().front().remedy);
      buffers[k] = *std::move(bytes);
    }
    return *buffers[k];
  }

  static double component(std::string_view bytes, std::size_t at, std::size_t type, bool normalized_whole) {
    const auto scaled = [&](double x, double most) { return normalized_whole ? std::max(x / most, -1.0) : x; };
    switch (type) {
      case 5120: return scaled(static_cast<std::int8_t>(bytes[at]), 127);
      case 5121: return scaled(static_cast<unsigned char>(bytes[at]), 255);
      case 5122: return scaled(static_cast<std::int16_t>(little_endian_at(bytes, at, 2)), 32767);
      case 5123: return scaled(little_endian_at(bytes, at, 2), 65535);
      case 5125: return little_endian_at(bytes, at);
      default: return static_cast<double>(std::bit_cast<float>(little_endian_at(bytes, at)));
    }
  }

  /// All numbers of an accessor, `width` for each element.
  std::vector<double> accessor(const JsonValue& at, const char* key, std::size_t width) {
    const std::vector<JsonValue>& all = list(root, "accessors");
    const JsonValue& own = all[place(at, key, all.size())];
    const std::size_t count = whole(own, "count"), type = whole(own, "componentType");
    const JsonValue* shape = own.find("type");
    if (!shape || shape->text != (width == 3 ? "VEC3" : "SCALAR"))
      refuse_gltf(own, "accessors", "gltf-type", fmt::format("{} has the wrong type", key));
    if (count > 3 * most_triangles) refuse_gltf(own, "accessors", "mesh-size", "it has too many elements");
    const bool scaled = own.find("normalized") && own.find("normalized")->truth;
    if (width == 1 && type == 5126) refuse_gltf(own, "accessors", "gltf-type", "indices are whole numbers");
    std::vector<double> out;
    if (own.find("bufferView"))
      out = elements(own, whole(own, "byteOffset", 0), count, type, width, scaled);
    else if (own.find("sparse"))
      out.assign(count * width, 0.0);
    else
      refuse_gltf(own, "accessors", "gltf-missing", "it has no bufferView");
    if (const JsonValue* sparse = own.find("sparse")) replace(*sparse, type, width, scaled, out);
    return out;
  }

  void replace(const JsonValue& sparse, std::size_t type, std::size_t width, bool scaled, std::vector<double>& out) {
    const JsonValue *where = sparse.find("indices"), *what = sparse.find("values");
    const std::size_t count = whole(sparse, "count");
    if (!where || !what || count > out.size())
      refuse_gltf(sparse, "sparse", "gltf-missing", "it has no indices and values that fit");
    const std::vector<double> places =
        elements(*where, whole(*where, "byteOffset", 0), count, whole(*where, "componentType"), 1, false);
    const std::vector<double> values = elements(*what, whole(*what, "byteOffset", 0), count, type, width, scaled);
    for (std::size_t k = 0; k < count; ++k) {
      if (!(places[k] >= 0 && places[k] < static_cast<double>(out.size()) / static_cast<double>(width)))
        refuse_gltf(sparse, "sparse", "gltf-index", "an index is beyond the accessor");
      for (std::size_t c = 0; c < width; ++c)
        out[static_cast<std::size_t>(places[k]) * width + c] = values[k * width + c];
    }
  }

  std::vector<double> elements(const JsonValue& own, std::size_t offset, std::size_t count, std::size_t type,
                               std::size_t width, bool scaled) {
    const std::size_t bytes_each = type == 5120 || type == 5121   ? 1
                                   : type == 5122 || type == 5123 ? 2
                                   : type == 5125 || type == 5126 ? 4
                                                                  : 0;
    if (bytes_each == 0) refuse_gltf(own, "componentType", "gltf-type", "there is no such type");
    std::size_t stride = 0;
    const std::string_view bytes = view(own, offset, stride);
    if (stride == 0) stride = bytes_each * width;
    if (stride < bytes_each * width || stride > 255)
      refuse_gltf(own, "byteStride", "gltf-range", "elements overlap, or lie too far apart");
    if (count > 0 && (count - 1 > bytes.size() / stride || (count - 1) * stride + bytes_each * width > bytes.size()))
      refuse_gltf(own, "accessors", "gltf-range", "it goes beyond its bufferView");
    std::vector<double> out;
    out.reserve(count * width);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t c = 0; c < width; ++c)
        out.push_back(component(bytes, k * stride + c * bytes_each, type, scaled));
    return out;
  }
};

}  // namespace

Result<MeshFile> read_gltf(std::string_view bytes, const std::string& file, const ReadMeshFile& beside) {
  std::string_view text = bytes;
  std::optional<std::string_view> chunk;
  const bool container = bytes.starts_with("glTF");
  if (container) {
    // a head of 12 bytes, then chunks: length, kind, bytes
    const auto broken = [&](const char* what) { return mesh_fault(file, 0, "", "glb", what, "is the file whole?"); };
    if (bytes.size() < 20 || little_endian_at(bytes, 4) != 2) return broken("it is no container of version 2");
    if (little_endian_at(bytes, 8) > bytes.size()) return broken("it is shorter than it states");
    const std::size_t length = little_endian_at(bytes, 12);
    if (little_endian_at(bytes, 16) != 0x4E4F534AU || length > bytes.size() - 20)
      return broken("its first chunk is no JSON");
    text = bytes.substr(20, length);
    const std::size_t next = 20 + (length + 3) / 4 * 4;
    if (next + 8 <= bytes.size() && little_endian_at(bytes, next + 4) == 0x004E4942U) {
      const std::size_t size = little_endian_at(bytes, next);
      if (size > bytes.size() - next - 8) return broken("its second chunk is shorter than it states");
      chunk = bytes.substr(next + 8, size);
    }
  }
  const Result<JsonValue> json = parse_json(text, file);
  if (!json) return json.faults();
  try {
    return Gltf(*json, chunk, beside).run(container ? "glTF, binary" : "glTF");
  } catch (const GltfError& e) {
    return mesh_fault(file, e.line, e.offender, e.rule, e.what, e.remedy);
  }
}

}  // namespace torsor::detail

// STL. Binary: 80 bytes, the number of triangles, 50 bytes each (normal, three corners, two bytes). Text: `facet normal`,
// `outer loop`, three times `vertex x y z`, `endloop`, `endfacet` between `solid` and `endsolid`. Normals are passed over:
// the order of the corners says which side is outside.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "torsor/files/mesh_reader.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

constexpr std::size_t stl_head = 84, stl_triangle = 50;

std::uint32_t little_endian(const char* bytes) {
  std::uint32_t x = 0;
  for (int k = 3; k >= 0; --k) x = x << 8U | static_cast<unsigned char>(bytes[k]);
  return x;
}

Result<MeshFile> read_binary(std::string_view bytes, const std::string& file) {
  MeshFile read{.mesh = {}, .format = "STL, binary"};
  const std::size_t count = little_endian(bytes.data() + 80);
  read.mesh.vertices.reserve(3 * count);
  read.mesh.triangles.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const char* at = bytes.data() + stl_head + k * stl_triangle + 12;
    for (int corner = 0; corner < 3; ++corner) {
      std::array<double, 3> x{};
      for (double& each : x) {
        each = static_cast<double>(std::bit_cast<float>(little_endian(at)));
        at += 4;
        if (!std::isfinite(each))
          return mesh_fault(file, 0, fmt::format("triangle {}", k + 1), "mesh-number", "a coordinate is not finite");
      }
      read.mesh.vertices.push_back({x[0], x[1], x[2]});
    }
    const auto v = static_cast<std::uint32_t>(3 * k);
    read.mesh.triangles.push_back({v, v + 1, v + 2});
  }
  return read;
}

class StlText {
 public:
  StlText(std::string_view given, const std::string& name) : text(given), file(name) {}

  Result<MeshFile> run() {
    bool any = false, inside = false, loop = false, facet = false;
    std::uint32_t corners = 0;
    const auto wrong = [&](std::string_view word) {
      return mesh_fault(file, line, "", "stl-text", fmt::format("\"{}\" is not what comes here", excerpt(word)),
                        "a text STL has solid, facet normal, outer loop, three vertex, endloop, endfacet, endsolid");
    };
    for (std::string_view word; next(word);) {
      if (!inside) {
        if (!same(word, "solid")) return wrong(word);
        skip_line();
        any = inside = true;
      } else if (same(word, "endsolid") && !facet) {
        skip_line();
        inside = false;
      } else if (same(word, "facet") && !facet) {
        if (!next(word) || !same(word, "normal")) return wrong(word);
        // a normal may be anything, so it is three words
        for (int k = 0; k < 3; ++k)
          if (!next(word)) return wrong("the end of the file");
        facet = true, corners = 0;
      } else if (same(word, "outer") && facet && !loop && corners == 0) {
        if (!next(word) || !same(word, "loop")) return wrong(word);
        loop = true;
      } else if (same(word, "vertex") && loop && corners < 3) {
        std::array<double, 3> x{};
        for (double& each : x) {
          if (!next(word)) return wrong("the end of the file");
          const ParsedNumber parsed = parse_number(word);
          // a coordinate below the smallest number is zero for us
          if (!parsed && parsed.fault != NumberFault::too_small)
            return number_error(parsed.fault, word, {file, line}, "vertex");
          each = parsed ? parsed.value : 0;
        }
        read.mesh.vertices.push_back({x[0], x[1], x[2]});
        ++corners;
      } else if (same(word, "endloop") && loop && corners == 3) {
        loop = false;
        const auto v = static_cast<std::uint32_t>(read.mesh.vertices.size());
        read.mesh.triangles.push_back({v - 3, v - 2, v - 1});
      } else if (same(word, "endfacet") && facet && !loop && corners == 3) {
        facet = false;
      } else {
        return wrong(word);
      }
    }
    if (inside || !any) return mesh_fault(file, line, "", "stl-text", "it ends before endsolid", "is the file whole?");
    return std::move(read);
  }

 private:
  std::string_view text;
  const std::string& file;
  MeshFile read{.mesh = {}, .format = "STL, text"};
  std::size_t at = 0;
  int line = 1;

  static bool same(std::string_view word, std::string_view wanted) {
    return word.size() == wanted.size() && std::equal(word.begin(), word.end(), wanted.begin(), [](char a, char b) {
             return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b;
           });
  }
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  bool next(std::string_view& word) {
    for (; at < text.size() && blank(text[at]); ++at) line += text[at] == '\n';
    const std::size_t first = at;
    while (at < text.size() && !blank(text[at])) ++at;
    word = text.substr(first, at - first);
    return at > first;
  }
  void skip_line() { at = std::min(text.find('\n', at), text.size()); }
};

}  // namespace

Result<MeshFile> read_stl(std::string_view bytes, const std::string& file) {
  // a binary file may begin with "solid", too: its size tells
  const std::size_t stated = bytes.size() >= stl_head ? little_endian(bytes.data() + 80) : 0;
  if (bytes.size() >= stl_head && bytes.size() == stl_head + stl_triangle * stated) return read_binary(bytes, file);
  const std::string_view begin = bytes.substr(0, 1024);
  std::string_view first = begin.substr(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
  const bool text = begin.find('\0') == std::string_view::npos &&
                    (first.starts_with("solid") || first.starts_with("SOLID") || first.starts_with("Solid"));
  if (text) return StlText(bytes, file).run();
  if (bytes.size() < stl_head)
    return mesh_fault(file, 0, "", "stl-size",
                      fmt::format("it has {} bytes, less than the head of an STL", bytes.size()), "is the file whole?");
  // some programs append to the file; what is missing nobody can know
  if (bytes.size() > stl_head + stl_triangle * stated && stated > 0) return read_binary(bytes, file);
  return mesh_fault(file, 0, "", "stl-size",
                    fmt::format("it states {} triangles, {} bytes, and has {} bytes", stated,
                                stl_head + stl_triangle * stated, bytes.size()),
                    "is the file whole?");
}

}  // namespace torsor::detail

// Wavefront OBJ: corners `v x y z` and faces `f a b c ...`, each entry a place in the list of corners, from 1 or, negative,
// from the end; what follows a slash is looks. A polygon becomes a fan: integrals over a flat one are exact, whatever its
// shape, for areas have signs.
#include <fmt/format.h>

#include <cmath>

#include "torsor/files/mesh_reader.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

class ObjText {
 public:
  ObjText(std::string_view given, const std::string& name) : text(given), file(name) {}

  Result<MeshFile> run() {
    for (std::size_t at = 0; at < text.size();) {
      ++line;
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view row = text.substr(at, end - at);
      at = end + 1;
      joined.clear();
      // a backslash at the end continues the line
      while (trimmed(row).ends_with('\\') && at < text.size()) {
        if (joined.empty()) joined = trimmed(row);
        joined.back() = ' ';
        const std::size_t next = std::min(text.find('\n', at), text.size());
        joined += trimmed(text.substr(at, next - at));
        at = next + 1;
        ++line;
        row = joined;
      }
      if (!statement(row.substr(0, row.find('#')))) return fault;
    }
    return std::move(read);
  }

 private:
  std::string_view text;
  const std::string& file;
  MeshFile read{.mesh = {}, .format = "OBJ"};
  std::string joined;
  int line = 0;
  Fault fault;

  static std::string_view trimmed(std::string_view row) {
    const std::size_t last = row.find_last_not_of(" \t\r\v\f");
    return last == std::string_view::npos ? std::string_view{} : row.substr(0, last + 1);
  }
  static std::string_view word(std::string_view& row) {
    constexpr std::string_view blanks = " \t\r\v\f";
    row.remove_prefix(std::min(row.find_first_not_of(blanks), row.size()));
    const std::string_view out = row.substr(0, row.find_first_of(blanks));
    row.remove_prefix(out.size());
    return out;
  }
  bool refuse(std::string rule, std::string what, std::string remedy) {
    fault = mesh_fault(file, line, "", std::move(rule), std::move(what), std::move(remedy));
    return false;
  }

  bool statement(std::string_view row) {
    const std::string_view kind = word(row);
    if (kind == "v") return corner(row);
    if (kind == "f") return face(row);
    for (const std::string_view known :
         {"",       "vt",     "vn", "vp", "g",     "o",        "s",        "mg",  "usemtl",     "mtllib",
          "usemap", "maplib", "l",  "p",  "bevel", "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj"})
      if (kind == known) return true;
    for (const std::string_view curved :
         {"cstype", "deg", "curv", "curv2", "surf", "bmat", "step", "parm", "trim", "hole", "scrv", "sp", "end", "con"})
      if (kind == curved)
        return refuse("obj-curved", fmt::format("\"{}\" belongs to a curved surface, which is not read", kind),
                      "export triangles");
    return refuse("obj-statement", fmt::format("there is no statement \"{}\"", excerpt(kind)), "is it an OBJ file?");
  }

  bool corner(std::string_view row) {
    std::array<double, 3> x{};
    for (double& each : x) {
      const std::string_view number = word(row);
      const ParsedNumber parsed = parse_number(number);
      if (!parsed && parsed.fault != NumberFault::too_small) {
        fault = number_error(parsed.fault, number, {file, line}, "v");
        return false;
      }
      each = parsed ? parsed.value : 0;
    }
    read.mesh.vertices.push_back({x[0], x[1], x[2]});
    return true;
  }

  bool face(std::string_view row) {
    std::vector<std::uint32_t> corners;
    for (std::string_view entry; !(entry = word(row)).empty();) {
      const ParsedNumber parsed = parse_number(entry.substr(0, entry.find('/')));
      const auto count = static_cast<double>(read.mesh.vertices.size());
      if (!parsed || parsed.value != std::trunc(parsed.value) || parsed.value == 0 || std::abs(parsed.value) > count)
        return refuse("obj-index", fmt::format("\"{}\" is none of the {} corners so far", excerpt(entry), count),
                      "corners count from 1; negative numbers count from the last one");
      corners.push_back(static_cast<std::uint32_t>(parsed.value > 0 ? parsed.value - 1 : count + parsed.value));
    }
    if (corners.size() < 3) return refuse("obj-face", "a face has fewer than three corners", "export the mesh again");
    for (std::size_t k = 2; k < corners.size(); ++k)
      read.mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    return true;
  }
};

}  // namespace

Result<MeshFile> read_obj(std::string_view bytes, const std::string& file) { return ObjText(bytes, file).run(); }

}  // namespace torsor::detail

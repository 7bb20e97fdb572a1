#include "torsor/files/mjcf_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "torsor/files/robot_xml.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/spatial/quaternion.hpp"

namespace torsor::detail {
namespace {

/// Numbers of an attribute; empty where it is missing or holds none.
std::vector<double> numbers_at(const XmlElement& e, std::string_view key) {
  const std::string* text = e.attribute(key);
  return text ? numbers_of(*text).value_or(std::vector<double>{}) : std::vector<double>{};
}

double half(const XmlElement& e, std::string_view key) {
  const std::vector<double> n = numbers_at(e, key);
  return n.empty() ? 0 : n.front() / 2;
}

}  // namespace

void MjcfShapes::tell(std::string sentence) {
  if (std::ranges::find(told_, sentence) == told_.end()) told_.push_back(std::move(sentence));
}

std::string MjcfShapes::mesh(const XmlElement& urdf) {
  const std::string* file = urdf.attribute("filename");
  if (!file || file->empty()) return "";
  std::string path = *file;
  if (const std::size_t scheme = path.find("://"); scheme != std::string::npos) {
    path = path.substr(scheme + 3);
    tell("mesh files are named as the robot names them, without package:// or file://: set meshdir where they are");
  }
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>('A' <= c && c <= 'Z' ? c | 0x20 : c);
  if (ending != ".stl" && ending != ".obj" && ending != ".msh") {
    tell(fmt::format("meshes in files {} are left out: MuJoCo reads .stl, .obj and .msh",
                     ending.empty() ? "without ending" : ending));
    return "";
  }
  const std::string scale = urdf.attribute("scale") ? *urdf.attribute("scale") : "";
  for (const XmlElement& known : asset_.children) {
    const std::string* other = known.attribute("scale");
    if (*known.attribute("file") == path && (other ? *other : "") == scale) return *known.attribute("name");
  }
  std::string name = fmt::format("{}_{}", std::filesystem::path(path).stem().string(), asset_.children.size() + 1);
  XmlElement asset = element("mesh", Attributes{{"name", name}, {"file", path}});
  if (!scale.empty()) asset.attributes.push_back({"scale", scale, 0});
  asset_.children.push_back(std::move(asset));
  return name;
}

std::vector<XmlElement> MjcfShapes::geoms(const UrdfExtra& extra) {
  std::vector<XmlElement> geoms;
  if (extra.xml.empty()) return geoms;
  Result<XmlElement> kept = parse_xml("<kept>" + extra.xml + "</kept>", "");
  if (!kept) return geoms;
  for (const XmlElement& shape : kept->children) {
    const XmlElement* geometry = shape.child("geometry");
    if (!geometry || geometry->children.empty()) continue;
    const XmlElement& of = geometry->children.front();
    XmlElement geom = element("geom");
    const auto set = [&](const char* key, std::string value) { geom.attributes.push_back({key, std::move(value), 0}); };
    if (of.name == "mesh") {
      const std::string name = mesh(of);
      if (name.empty()) continue;
      set("type", "mesh"), set("mesh", name);
    } else if (of.name == "box") {
      const std::vector<double> n = numbers_at(of, "size");
      if (n.size() != 3) continue;
      set("type", "box"), set("size", numbers({n[0] / 2, n[1] / 2, n[2] / 2}));
    } else if (of.name == "sphere" || of.name == "cylinder" || of.name == "capsule") {
      set("type", of.name);
      const std::string radius = number(2 * half(of, "radius"));
      set("size", of.name == "sphere" ? radius : radius + ' ' + number(half(of, "length")));
    } else {
      tell(fmt::format("shapes <{}> are left out", of.name));
      continue;
    }
    UrdfLog log("");
    UrdfElement view(shape, "", log);
    const Transform<double> X = extra.X_link_xml * read_origin(view);
    const Quaternion<double> e = quaternion(X.R);
    if (!is_unmoved(X)) {
      set("pos", numbers(X.p));
      set("quat", number(e.e0) + ' ' + numbers({e.e1, e.e2, e.e3}));
    }
    const bool seen = shape.name == "visual";
    set("group", seen ? "2" : "3");
    if (seen) set("contype", "0"), set("conaffinity", "0");
    if (const XmlElement* material = shape.child("material"))
      if (const XmlElement* color = material->child("color"); color && numbers_at(*color, "rgba").size() == 4)
        set("rgba", *color->attribute("rgba"));
    geoms.push_back(std::move(geom));
  }
  return geoms;
}

}  // namespace torsor::detail

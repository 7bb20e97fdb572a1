#include "torsor/files/sdf_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/files/robot_xml.hpp"
#include "torsor/files/sdf_element.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor::detail {
namespace {

/// What a shape is measured by: the same words in both formats, but for the mesh.
struct ShapeSizes {
  std::string_view shape;
  std::vector<std::string_view> sizes;
};
const std::vector<ShapeSizes> shape_sizes{
    {"box", {"size"}}, {"sphere", {"radius"}}, {"cylinder", {"radius", "length"}}, {"capsule", {"radius", "length"}}};

std::string rpy_text(const Mat3<double>& R) {
  const auto [roll, pitch, yaw] = roll_pitch_yaw(R);
  return numbers({roll, pitch, yaw});
}

XmlElement urdf_shape(const XmlElement& sdf, bool& known) {
  XmlElement shape = element(sdf.name);
  const auto set = [&](std::string key, const std::string& value) {
    shape.attributes.push_back({std::move(key), value, 0});
  };
  known = sdf.name == "mesh";
  if (known) {
    const XmlElement *uri = sdf.child("uri"), *scale = sdf.child("scale");
    if (uri) set("filename", uri->text);
    if (scale) set("scale", scale->text);
    known = uri != nullptr && !sdf.child("submesh");
  }
  for (const ShapeSizes& each : shape_sizes) {
    if (each.shape != sdf.name) continue;
    known = true;
    for (const std::string_view size : each.sizes)
      if (const XmlElement* value = sdf.child(size))
        set(std::string(size), value->text);
      else
        known = false;
  }
  return shape;
}

}  // namespace

UrdfExtra read_sdf_looks(UrdfElement& link, const SdfFile& file) {
  UrdfExtra extra;
  const std::string own = link.xml().attribute("name") ? *link.xml().attribute("name") : "";
  link.leave("visual");
  link.leave("collision");
  for (const XmlElement& given : link.xml().children) {
    if (given.name != "visual" && given.name != "collision") continue;
    const XmlElement* geometry = given.child("geometry");
    if (!geometry || geometry->children.empty()) continue;
    bool known = false;
    const XmlElement shape = urdf_shape(geometry->children.front(), known);
    // its pose may be in any frame, and no torque depends on it
    const XmlElement* pose = given.child("pose");
    const std::string* frame = pose ? pose->attribute("relative_to") : nullptr;
    if (!known || (frame && !frame->empty() && *frame != own)) {
      link.note("shape-unused",
                "shapes other than box, sphere, cylinder, capsule and mesh in the frame of their link are not kept");
      continue;
    }
    XmlElement out = element(given.name);
    UrdfLog log(file.log.file());
    UrdfElement view(given, "", log);
    const Transform<double> X = read_own_pose(view, file, own);
    if (log.count() > 0) {
      link.note("shape-unused", "a shape whose pose cannot be read is not kept");
      continue;
    }
    if (!is_unmoved(X))
      out.children.push_back(element("origin", Attributes{{"xyz", numbers(X.p)}, {"rpy", rpy_text(X.R)}}));
    XmlElement holder = element("geometry");
    holder.children.push_back(shape);
    out.children.push_back(std::move(holder));
    const XmlElement* material = given.child("material");
    if (const XmlElement* colour = material ? material->child("diffuse") : nullptr; colour && given.name == "visual") {
      XmlElement urdf = element("material", Attributes{{"name", ""}});
      urdf.children.push_back(element("color", Attributes{{"rgba", colour->text}}));
      out.children.push_back(std::move(urdf));
    }
    append_xml(extra.xml, out);
  }
  return extra;
}

std::vector<XmlElement> sdf_shapes(const UrdfExtra& extra, const Transform<double>& X, const std::string& name,
                                   std::vector<std::string>& told) {
  std::vector<XmlElement> shapes;
  if (extra.xml.empty()) return shapes;
  const Result<XmlElement> kept = parse_xml("<kept>" + extra.xml + "</kept>", "");
  if (!kept) return shapes;
  for (const XmlElement& given : kept->children) {
    const XmlElement* geometry = given.child("geometry");
    if ((given.name != "visual" && given.name != "collision") || !geometry || geometry->children.empty()) continue;
    const XmlElement& of = geometry->children.front();
    XmlElement shape = element(of.name);
    const auto add = [&](std::string key, std::string_view attribute) {
      if (const std::string* value = of.attribute(attribute)) shape.children.push_back(element(std::move(key), *value));
    };
    if (of.name == "mesh") add("uri", "filename"), add("scale", "scale");
    const auto sizes = std::ranges::find(shape_sizes, of.name, &ShapeSizes::shape);
    if (sizes != shape_sizes.end())
      for (const std::string_view size : sizes->sizes) add(std::string(size), size);
    if (shape.children.empty()) {
      const std::string sentence = fmt::format("shapes <{}> are left out", of.name);
      if (std::ranges::find(told, sentence) == told.end()) told.push_back(sentence);
      continue;
    }
    UrdfLog log("");
    log.minor_version = 2;  // whatever form its rotation has
    UrdfElement view(given, "", log);
    const Transform<double> own = X * extra.X_link_xml * read_origin(view);
    XmlElement out =
        element(given.name, Attributes{{"name", fmt::format("{}_{}_{}", name, given.name, shapes.size() + 1)}});
    if (!is_unmoved(own)) out.children.push_back(element("pose", numbers(own.p) + ' ' + rpy_text(own.R)));
    XmlElement holder = element("geometry");
    holder.children.push_back(std::move(shape));
    out.children.push_back(std::move(holder));
    const XmlElement* material = given.child("material");
    if (const XmlElement* colour = material ? material->child("color") : nullptr; colour && colour->attribute("rgba")) {
      XmlElement sdf = element("material");
      for (const char* light : {"ambient", "diffuse"})
        sdf.children.push_back(element(light, *colour->attribute("rgba")));
      out.children.push_back(std::move(sdf));
    }
    shapes.push_back(std::move(out));
  }
  return shapes;
}

}  // namespace torsor::detail

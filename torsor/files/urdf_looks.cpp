// What a URDF says of looks: shapes, meshes, materials. None of it changes a number of ours and all of it is kept as text,
// so a fault here is a note; but other programs refuse the file, or show nothing where a link should be.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "torsor/files/urdf_blocks.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

constexpr std::array<std::string_view, 5> shapes{"box", "cylinder", "sphere", "capsule", "mesh"};

/// What a shape must have.
struct Size {
  std::string_view shape, name;
  std::size_t count = 1;
};
constexpr Size sizes[] = {{"box", "size", 3},     {"sphere", "radius"},  {"cylinder", "radius"},
                          {"cylinder", "length"}, {"capsule", "radius"}, {"capsule", "length"}};

bool are_sizes(std::string_view text, std::size_t count, bool positive) {
  const auto numbers = numbers_of(text);
  return numbers && numbers->size() == count &&
         std::ranges::none_of(*numbers, [&](double x) { return positive && x < 0; });
}

bool has_zero(std::string_view text) {
  const auto numbers = numbers_of(text);
  return numbers && std::ranges::find(*numbers, 0.0) != numbers->end();
}

class Looks {
 public:
  Looks(const XmlElement& robot, UrdfLog& log) : log_(log) {
    // a material is defined at the top, or by the first visual that gives it a colour or a texture
    for (const XmlElement& child : robot.children) {
      if (child.name == "material") define(child);
      if (child.name != "link") continue;
      for (const XmlElement& visual : child.children)
        if (const XmlElement* material = visual.child("material")) define(*material);
    }
    for (const XmlElement& child : robot.children) {
      if (child.name == "link") look_at(child);
      if (child.name == "material") look_at_material(child, "robot", false);
    }
  }

 private:
  UrdfLog& log_;
  std::unordered_set<std::string_view> materials_;

  static std::string_view name(const XmlElement& element) {
    const std::string* name = element.attribute("name");
    return name ? *name : std::string_view{};
  }
  static bool coloured(const XmlElement& material) { return material.child("color") || material.child("texture"); }
  void define(const XmlElement& material) {
    if (coloured(material)) materials_.insert(name(material));
  }

  void look_at(const XmlElement& link) {
    for (const XmlElement& child : link.children) {
      if (child.name != "visual" && child.name != "collision") continue;
      const std::string title = fmt::format("link \"{}\", {}", excerpt(name(link)), child.name);
      const XmlElement* geometry = child.child("geometry");
      if (!geometry || geometry->children.empty())
        log_.note(geometry ? geometry->line : child.line, title, "shape-missing",
                  fmt::format("a <{}> has no shape", child.name),
                  "write <geometry><box size=\"...\"/></geometry> or another shape");
      else
        look_at_shapes(*geometry, title);
      look_at_origin(child, title);
      if (const XmlElement* material = child.child("material")) look_at_material(*material, title, true);
    }
  }

  /// One that is used may be defined elsewhere; and it may have the empty name when nobody else uses it.
  void look_at_material(const XmlElement& material, const std::string& title, bool used) {
    const std::string* given = material.attribute("name");
    if (!given || (given->empty() && !used))
      log_.note(material.line, title, "material-name", "a <material> has no name", "write <material name=\"...\">");
    else if (!coloured(material) && !used)
      log_.note(material.line, title, "material-color",
                fmt::format("material \"{}\" has neither a colour nor a texture", excerpt(*given)),
                "give it one: <color rgba=\"...\"/>");
    else if (!coloured(material) && !materials_.contains(*given))
      log_.note(material.line, title, "material-unknown", fmt::format("there is no material \"{}\"", excerpt(*given)),
                "define it: <material name=\"...\"><color rgba=\"...\"/></material>");
    const XmlElement* color = material.child("color");
    const std::string* rgba = color ? color->attribute("rgba") : nullptr;
    if (color && !(rgba && are_sizes(*rgba, 4, true)))
      log_.note(color->line, title, "material-color",
                rgba ? fmt::format("the rgba of a <color> is \"{}\"", excerpt(*rgba)) : "a <color> has no rgba",
                "write four numbers from 0 to 1: red, green, blue, opacity");
  }

  void look_at_origin(const XmlElement& child, const std::string& title) {
    const XmlElement* origin = child.child("origin");
    if (!origin) return;
    constexpr std::pair<std::string_view, std::size_t> counts[] = {{"xyz", 3}, {"rpy", 3}, {"quat_xyzw", 4}};
    for (const auto& [key, count] : counts)
      if (const std::string* given = origin->attribute(key); given && !are_sizes(*given, count, false))
        log_.note(origin->line, title, "shape-origin",
                  fmt::format("\"{}\" of the <origin> of a <{}> is \"{}\"", key, child.name, excerpt(*given)),
                  fmt::format("write {} numbers with blanks between them", count == 3 ? "three" : "four"));
    if (!origin->attribute("quat_xyzw")) return;
    if (log_.minor_version == 0)
      log_.note(origin->line, title, "rotation-quaternion",
                "quat_xyzw is of URDF 1.1: a file of version 1.0 does not show it", "write version=\"1.1\" in <robot>");
    else if (origin->attribute("rpy"))
      log_.fault(origin->line, title, "rotation-twice", "quat_xyzw is given beside rpy", "keep one of them");
  }

  void look_at_shapes(const XmlElement& geometry, const std::string& title) {
    const auto is_shape = [](const XmlElement& e) { return std::ranges::find(shapes, e.name) != shapes.end(); };
    if (std::ranges::count_if(geometry.children, is_shape) > 1)
      log_.note(geometry.line, title, "shapes-several",
                "a <geometry> has several shapes, and programs read one of them",
                "give each shape a <visual> or <collision> of its own");
    for (const XmlElement& shape : geometry.children) {
      if (std::ranges::find(shapes, shape.name) == shapes.end())
        log_.note(shape.line, title, "shape-unknown", fmt::format("<{}> is no shape of a URDF", excerpt(shape.name)),
                  "use box, cylinder, sphere, capsule or mesh");
      const std::string* file = shape.attribute("filename");
      if (shape.name == "mesh" && (!file || file->empty()))
        log_.note(shape.line, title, "mesh-file", "a <mesh> names no file", "write <mesh filename=\"...\"/>");
      // mirrored meshes have negative scales
      const std::string* scale = shape.attribute("scale");
      if (shape.name == "mesh" && scale && !are_sizes(*scale, 3, false))
        log_.note(shape.line, title, "mesh-scale", fmt::format("the scale of a <mesh> is \"{}\"", excerpt(*scale)),
                  "write three numbers, or leave it out for 1 1 1");
      else if (shape.name == "mesh" && scale && has_zero(*scale))
        log_.note(shape.line, title, "mesh-scale",
                  fmt::format("the scale of a <mesh> is \"{}\": nothing is left of it", excerpt(*scale)),
                  "write three numbers other than zero, or leave it out for 1 1 1");
      for (const Size& size : sizes) {
        const std::string* given = size.shape == shape.name ? shape.attribute(size.name) : nullptr;
        if (size.shape != shape.name || (given && are_sizes(*given, size.count, true))) continue;
        log_.note(shape.line, title, "shape-dimensions",
                  given ? fmt::format("\"{}\" of a <{}> is \"{}\"", size.name, size.shape, excerpt(*given))
                        : fmt::format("a <{}> has no \"{}\"", size.shape, size.name),
                  fmt::format("write {} in metres, not negative", size.count == 1 ? "a number" : "three numbers"));
      }
    }
  }
};

}  // namespace

void check_looks(const XmlElement& robot, UrdfLog& log) { Looks(robot, log); }

}  // namespace torsor::detail

// What the links of a robot look like, for the Studio: boxes, cylinders, spheres and capsules by their sizes, meshes as triangles.
#include <fmt/format.h>

#include <array>

#include "cli/studio_robot.hpp"
#include "torsor/files/mesh_files.hpp"
#include "torsor/files/urdf_blocks.hpp"

namespace torsor {
namespace {

// a picture needs no more, and a page has to hold them
constexpr std::size_t most_triangles = 600'000;

std::optional<std::vector<double>> numbers_in(const XmlElement& shape, std::string_view key, std::size_t count) {
  const std::string* const text = shape.attribute(key);
  const auto numbers = text ? numbers_of(*text) : std::nullopt;
  return numbers && numbers->size() == count ? numbers : std::nullopt;
}

class ShapeWriter {
 public:
  ShapeWriter(MeshFiles& files, StudioAnswer& out) : files_(files), out_(out) {}

  /// All that one sees of a link; or, where it has nothing to be seen, what it touches with.
  void link(const UrdfExtra& extra, int body, const Transform<double>& X_body_link) {
    if (extra.xml.empty()) return;
    const Result<XmlElement> kept = parse_xml("<kept>" + extra.xml + "</kept>", "");
    if (!kept) return;
    const bool seen = kept->child("visual") != nullptr;
    for (const XmlElement& each : kept->children) {
      if (each.name != (seen ? "visual" : "collision")) continue;
      const XmlElement* const geometry = each.child("geometry");
      if (!geometry || geometry->children.empty()) continue;
      UrdfLog log("");
      log.minor_version = 2;  // whatever form its rotation has
      UrdfElement view(each, each.name, log);
      shape(geometry->children.front(), body, X_body_link * extra.X_link_xml * detail::read_origin(view));
    }
  }

  Faults faults;

 private:
  void begin(const char* kind, int body, const Transform<double>& X) {
    std::vector<double> pose;
    append_poses(std::span(&X, 1), pose);
    out_.json.begin_object().field("shape", kind).field("body", body).key("pose").value(std::span<const double>(pose));
  }

  void shape(const XmlElement& e, int body, const Transform<double>& X) {
    const auto plain = [&](const char* kind, std::span<const double> sizes) {
      begin(kind, body, X);
      out_.json.key("sizes").value(sizes).end_object();
    };
    if (e.name == "box") {
      if (const auto n = numbers_in(e, "size", 3)) plain("box", *n);
    } else if (e.name == "sphere") {
      if (const auto r = numbers_in(e, "radius", 1)) plain("sphere", *r);
    } else if (e.name == "cylinder" || e.name == "capsule") {
      const auto r = numbers_in(e, "radius", 1), l = numbers_in(e, "length", 1);
      if (r && l) plain(e.name == "cylinder" ? "cylinder" : "capsule", std::array{(*r)[0], (*l)[0]});
    } else if (e.name == "mesh") {
      mesh(e, body, X);
    }
  }

  void mesh(const XmlElement& e, int body, const Transform<double>& X) {
    const std::string* const name = e.attribute("filename");
    if (!name) return;
    const Result<MeshFile>& read = files_.mesh(*name);
    if (!read) {
      faults.insert(faults.end(), read.faults().begin(), read.faults().end());
      return;
    }
    TriangleMesh triangles = read->mesh;
    triangles_ += triangles.triangles.size();
    if (triangles_ > most_triangles) {
      faults.push_back({{},
                        *name,
                        "mesh-size",
                        fmt::format("the meshes have more than {} triangles", most_triangles),
                        "",
                        Severity::warning});
      return;
    }
    if (const auto factors = numbers_in(e, "scale", 3))
      scale(triangles, Vec3<double>{(*factors)[0], (*factors)[1], (*factors)[2]});
    begin("mesh", body, X);
    std::vector<double> corners, indices;
    for (const Vec3<double>& v : triangles.vertices) corners.insert(corners.end(), {v.x, v.y, v.z});
    for (const auto& t : triangles.triangles)
      for (const std::uint32_t k : t) indices.push_back(k);
    out_.rows("corners", corners, 3);
    out_.rows("triangles", indices, 3);
    out_.json.end_object();
  }

  MeshFiles& files_;
  StudioAnswer& out_;
  std::size_t triangles_ = 0;
};

}  // namespace

void StudioRobot::shapes(const std::string& file, const LoadOptions& options, StudioAnswer& out) {
  MeshFiles files(options, file);
  const Model<double>& m = robot_.model();
  const Description& d = robot_.description();
  out.json.key("shapes").begin_array();
  ShapeWriter writer(files, out);
  writer.link(d.base_urdf_extra, -1, m.base);
  for (const LinkDescription& l : d.links)
    if (const int body = m.body_index(l.name); body >= 0) writer.link(l.urdf_extra, body, m[body].link);
  out.json.end_array();
  write_faults(out.json, "faults_of_meshes", writer.faults);
}

}  // namespace torsor

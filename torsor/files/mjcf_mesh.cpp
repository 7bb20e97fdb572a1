// What the meshes of an MJCF weigh, by MuJoCo's own conventions. With f the mean of the triangles' centres, weighted by area,
// and signed pyramids from a point o to the triangles,
//
//   exact     centre by pyramids from f, volume and inertia by pyramids from that centre: of a closed mesh the integral
//   legacy    the same with pyramids that are all positive: too much where a mesh is not convex; the default
//   convex    exact, of the convex hull
//   shell     the surface as a sheet, density being mass per area
//
// (MuJoCo 4.0.0, documentation of <mesh inertia>; tests/mjcf/meshes.json holds its numbers.)
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "torsor/files/mesh_reader.hpp"
#include "torsor/files/mjcf_model.hpp"
#include "torsor/files/mjcf_pose.hpp"
#include "torsor/model/convex_hull.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

namespace fs = std::filesystem;

Fault not_read(std::string what,
               std::string remedy =
                   "give the body an <inertial>: load the file in MuJoCo and save it; or give the geom mass=\"0\"") {
  return {{}, "", "mesh-inertia", std::move(what), std::move(remedy)};
}

/// Pyramids from f for the centre, then from the centre for the rest.
MeshBody pyramids(const TriangleMesh& mesh, bool all_positive) {
  const Vec3<double> f = sheet_body(mesh).centre;
  const auto signed_or_not = [&](double v) { return all_positive ? std::abs(v) : v; };
  double volume = 0;
  Vec3<double> first;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3<double>&a = mesh.vertices[i], &b = mesh.vertices[j], &c = mesh.vertices[k];
    const double v = signed_or_not(dot(a - f, cross(b - f, c - f)) / 6);
    volume += v;
    first += (a + b + c + f) * (v / 4);
  }
  if (volume == 0) return {};
  const Vec3<double> centre = first * (1 / volume);
  volume = 0;
  Sym3<double> S;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3<double> a = mesh.vertices[i] - centre, b = mesh.vertices[j] - centre, c = mesh.vertices[k] - centre;
    const double v = signed_or_not(dot(a, cross(b, c)) / 6);
    volume += v;
    for (const Vec3<double>& x : {a + b + c, a, b, c})
      S += Sym3<double>{x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y, x.x * x.z, x.y * x.z} * (v / 20);
  }
  const Sym3<double> s = S * (1 / volume);
  return {volume, centre, {s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz}};
}

/// Corners and faces in the XML itself; without faces the convex hull is meant.
Result<TriangleMesh> inline_mesh(UrdfElement& e) {
  TriangleMesh mesh;
  const auto corners = read_list(e, "vertex", 12, 30'000'000);
  if (!corners || corners->size() % 3 != 0) return not_read("its vertex list is not x y z of four corners or more");
  for (std::size_t k = 0; k < corners->size(); k += 3)
    mesh.vertices.push_back({(*corners)[k], (*corners)[k + 1], (*corners)[k + 2]});
  if (!e.has("face")) {
    auto hull = convex_hull(mesh.vertices);
    if (!hull) return not_read("its corners lie in a plane");
    return *std::move(hull);
  }
  const auto faces = read_list(e, "face", 3, 30'000'000);
  if (!faces || faces->size() % 3 != 0) return not_read("its face list is not three corners each");
  for (std::size_t k = 0; k < faces->size(); k += 3) {
    TriangleMesh::Triangle t{};
    for (std::size_t c = 0; c < 3; ++c) {
      const double place = (*faces)[k + c];
      if (!(place >= 0 && place < static_cast<double>(mesh.vertices.size())) || place != std::trunc(place))
        return not_read(fmt::format("its face list names corner {}, of {}", place, mesh.vertices.size()));
      t[c] = static_cast<std::uint32_t>(place);
    }
    mesh.triangles.push_back(t);
  }
  return mesh;
}

/// The mesh in a file, which lies in the folder of the model, in a given one, or below.
Result<TriangleMesh> mesh_in_file(MjcfContext& context, std::string file) {
  const MjcfSettings& s = context.settings;
  if (s.strippath) file = fs::path(file).filename().string();
  const std::string path = context.document.beside((fs::path(s.meshdir) / file).string());
  if (!context.document.is_in_roots(path))
    return not_read(fmt::format("the mass of this body comes from the mesh \"{}\", outside the folder of the model",
                                excerpt(path, 200)),
                    "give the folder that it is in: --packages DIR");
  const Result<std::string> bytes = context.document.reader()(path);
  if (!bytes)
    return not_read(fmt::format("the mass of this body comes from the mesh \"{}\" beside the model: {}",
                                excerpt(path, 200), bytes.faults().front().what));
  Result<MeshFile> read = read_mesh(*bytes, path, [](const std::string& name) -> Result<std::string> {
    return not_read("it needs \"" + excerpt(name) + "\"");
  });
  if (!read) return read.faults();
  return std::move(read->mesh);
}

Result<MeshBody> weigh_mesh(MjcfContext& context, const MjcfNode& node) {
  const XmlElement merged = context.defaults.applied(node, "mesh", "");
  UrdfElement e(merged, "mesh", node.file->log);
  if (e.has("name")) e.rename(fmt::format("mesh \"{}\"", excerpt(*e.text("name"))));
  if (e.has("builtin") || e.has("plugin"))
    return not_read("the mass of this body comes from a mesh that MuJoCo makes itself");
  const std::string mode = read_word(e, "inertia", {"legacy", "exact", "convex", "shell"}).value_or("legacy");
  Result<TriangleMesh> mesh = e.has("file") ? mesh_in_file(context, *e.text("file")) : inline_mesh(e);
  if (!mesh) return mesh.faults();
  if (e.has("refpos") || e.has("refquat")) {
    const auto quaternion = read_list(e, "refquat", 4, 4).value_or(std::vector<double>{1, 0, 0, 0});
    const Quaternion<double> q{quaternion[0], quaternion[1], quaternion[2], quaternion[3]};
    const Mat3<double> back = ~rotation(normalized(q));
    transform(*mesh, back, -(back * e.vector("refpos").value_or(Vec3<double>{})));
  }
  if (const auto factors = e.vector("scale")) scale(*mesh, *factors);
  if (mode == "convex") {
    auto hull = convex_hull(mesh->vertices);
    if (!hull) return not_read("its mesh lies in a plane, and has no volume");
    return pyramids(*hull, false);
  }
  const MeshBody body = mode == "shell" ? sheet_body(*mesh) : pyramids(*mesh, mode == "legacy");
  if (!(body.size > 0) || !std::isfinite(body.size))
    return not_read(fmt::format("its mesh has the volume {:.3g} m^3: it is flat, or inside out", body.size),
                    "mend the mesh, or set inertia=\"shell\" or \"convex\"");
  return body;
}

}  // namespace

const Result<MeshBody>& mjcf_mesh(MjcfContext& context, const std::string& name) {
  if (!context.mesh_assets) {
    context.mesh_assets.emplace();
    for (const MjcfNode& asset : context.document.sections("asset"))
      for (const MjcfNode& each : context.document.children(asset)) {
        if (each.xml->name != "mesh") continue;
        const std::string *called = each.xml->attribute("name"), *file = each.xml->attribute("file");
        if (called || file) context.mesh_assets->emplace(called ? *called : fs::path(*file).stem().string(), each);
      }
  }
  auto known = context.meshes.find(name);
  if (known != context.meshes.end()) return known->second;
  const auto asset = context.mesh_assets->find(name);
  Result<MeshBody> body =
      asset == context.mesh_assets->end()
          ? Result<MeshBody>(Fault{{},
                                   "",
                                   "mesh-unknown",
                                   fmt::format("there is no mesh \"{}\" among the assets", excerpt(name)),
                                   "name a mesh of <asset>"})
          : weigh_mesh(context, asset->second);
  return context.meshes.emplace(name, std::move(body)).first->second;
}

}  // namespace torsor::detail

// Meshes in every format that is read: the same solid comes out of all of them; what is wrong with a file is named; no bytes
// crash a reader or keep it long.
#include "torsor/files/mesh_reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <ctime>
#include <map>

#include "tests/files/file_text.hpp"
#include "tests/support/mesh_text.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/mutate.hpp"
#include "torsor/model/mesh_solid.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const ReadMeshFile no_mesh_files = [](const std::string& name) -> Result<std::string> {
  return Fault{{name, 0}, "", "file-read", "there are no files here", "none"};
};

MeshFile mesh_from(const std::string& bytes, const std::string& name, const ReadMeshFile& beside = no_mesh_files) {
  auto mesh = read_mesh(bytes, name, beside);
  for (const Fault& fault : mesh.faults()) MESSAGE(to_string(fault));
  REQUIRE(mesh);
  return *std::move(mesh);
}

std::string mesh_rule(const std::string& bytes, const std::string& name) {
  const auto mesh = read_mesh(bytes, name, no_mesh_files);
  REQUIRE_FALSE(mesh);
  CHECK(mesh.faults().size() == 1);
  CHECK(mesh.faults().front().where.file == name);
  CHECK_FALSE(mesh.faults().front().remedy.empty());
  return mesh.faults().front().rule;
}

/// A solid without symmetry; multiples of 1/8, which every format holds exactly.
TriangleMesh wedge() {
  TriangleMesh mesh = prism({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}}, 0.5,
                            {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}});
  transform(mesh, {{1, 0.125, 0}, {0.25, 1, 0.5}, {0, 0.375, 1}}, {0.5, -1, 2});
  return mesh;
}

void check_same_mesh(const MeshFile& file, const TriangleMesh& wanted, double tolerance = 0) {
  const MeshSolid a = mesh_solid(file.mesh), b = mesh_solid(wanted);
  CHECK(a.watertight == b.watertight);
  CHECK(a.inside_out == b.inside_out);
  CHECK(a.triangles == b.triangles);
  CHECK(std::abs(a.solid.size - b.solid.size) <= (1e-14 + tolerance) * b.solid.size);
  CHECK(norm(a.solid.centre - b.solid.centre) <= 1e-14 + tolerance);
  CHECK(norm(a.solid.tensor_per_mass * Vec3<double>{1, 2, 3} - b.solid.tensor_per_mass * Vec3<double>{1, 2, 3}) <=
        1e-13 + 4 * tolerance);
}

/// As MuJoCo has it, with a normal and two texture coordinates that nobody reads.
std::string msh_bytes(const TriangleMesh& mesh) {
  std::string out;
  const auto word = [&](std::uint32_t x) {
    for (int k = 0; k < 4; ++k) out += static_cast<char>(x >> (8 * k) & 255U);
  };
  for (const std::size_t count : {mesh.vertices.size(), std::size_t{1}, std::size_t{2}, mesh.triangles.size()})
    word(static_cast<std::uint32_t>(count));
  const auto number = [&](double x) { word(std::bit_cast<std::uint32_t>(static_cast<float>(x))); };
  for (const Vec3<double>& v : mesh.vertices) number(v.x), number(v.y), number(v.z);
  for (int k = 0; k < 7; ++k) number(9);
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) word(corner);
  return out;
}

}  // namespace

TEST_CASE("a mesh of MuJoCo is as long as it says, and its corners are there") {
  const std::string sound = msh_bytes(wedge());
  CHECK(mesh_rule(sound.substr(0, sound.size() - 1), "a.msh") == "msh-size");
  CHECK(mesh_rule(sound + '\0', "a.msh") == "msh-size");
  CHECK(mesh_rule(sound.substr(0, 10), "a.msh") == "msh-size");
  CHECK(mesh_rule(std::string(16, '\xff'), "a.msh") == "msh-size");
  CHECK(mesh_rule(std::string(16, '\0'), "a.msh") == "mesh-empty");
  std::string beyond = sound;
  beyond[beyond.size() - 3] = 1;  // the last corner is 256 places further
  CHECK(mesh_rule(beyond, "a.msh") == "msh-index");
  std::string infinite = sound;
  infinite.replace(16, 4, std::string("\x00\x00\x80\x7f", 4));
  CHECK(mesh_rule(infinite, "a.msh") == "mesh-number");
}

TEST_CASE("one solid comes out of every format") {
  const TriangleMesh mesh = wedge();
  for (const auto& [name, bytes] : std::map<std::string, std::string>{{"a.stl", stl_text(mesh)},
                                                                      {"b.STL", stl_binary(mesh)},
                                                                      {"c.obj", obj_text(mesh)},
                                                                      {"d.dae", collada_text(mesh)},
                                                                      {"e.gltf", gltf_text(mesh, true)},
                                                                      {"f.gltf", gltf_text(mesh, false)},
                                                                      {"g.glb", glb_bytes(mesh)},
                                                                      {"h.msh", msh_bytes(mesh)}}) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    check_same_mesh(mesh_from(bytes, name), mesh);
  }
  CHECK(mesh_from(stl_text(mesh), "a.stl").format == "STL, text");
  CHECK(mesh_from(stl_binary(mesh), "a.stl").format == "STL, binary");
}

TEST_CASE("a binary STL that begins with solid is binary, and may have bytes after its end") {
  const TriangleMesh mesh = wedge();
  std::string bytes = stl_binary(mesh);
  bytes.replace(0, 9, "solid abc");
  check_same_mesh(mesh_from(bytes, "a.stl"), mesh);
  check_same_mesh(mesh_from(bytes + std::string(7, '\0'), "a.stl"), mesh);
  CHECK(mesh_rule(bytes.substr(0, bytes.size() - 1), "a.stl") == "stl-size");
  CHECK(mesh_rule(bytes.substr(0, 60) + std::string("\0", 1), "a.stl") == "stl-size");
  std::string nan = bytes;
  nan.replace(84 + 12, 4, "\xff\xff\xff\x7f", 4);
  CHECK(mesh_rule(nan, "a.stl") == "mesh-number");
}

TEST_CASE("STL as text is strict about words and numbers, not about case and blanks") {
  const std::string text =
      "SOLID two words\n facet  normal nan 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e-400 0\nENDLOOP "
      "endfacet\nendsolid\n";
  CHECK(mesh_from("\n" + text, "a.stl").mesh.triangles.size() == 1);
  CHECK(mesh_from(text + text, "a.stl").mesh.triangles.size() == 2);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return mesh_rule(other, "a.stl");
  };
  CHECK(changed("endsolid", "") == "stl-text");
  CHECK(changed("vertex 1 0 0\n", "") == "stl-text");
  CHECK(changed("outer", "inner") == "stl-text");
  CHECK(changed("vertex 1 0 0", "vertex 1 0,5 0") == "number");
  CHECK(changed("vertex 1 0 0", "vertex inf 0 0") == "number");
  CHECK(mesh_rule("solid nothing\nendsolid\n", "a.stl") == "mesh-empty");
}

TEST_CASE("faces of an OBJ are polygons, count from either end, and may have looks") {
  const std::string box =
      "# a box\nmtllib a.mtl\no box\nv -1 -1 -1\nv 1 -1 -1 1.0\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1 \\\n 0.5 0.5 "
      "0.5\nv 1 1 1\nv -1 1 1\n"
      "vn 0 0 1\nusemtl steel\ns off\nf 4 3 2 1\nf 5/1/1 6/2/1 7//1 8\nf -8 -7 -3 -4\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8 "
      "# the last\n";
  const MeshSolid found = mesh_solid(mesh_from(box, "a.obj").mesh);
  CHECK(found.watertight);
  CHECK(found.solid.size == doctest::Approx(8).epsilon(1e-14));
  CHECK(mesh_rule(box + "f 1 2 9\n", "a.obj") == "obj-index");
  CHECK(mesh_rule(box + "f 0 1 2\n", "a.obj") == "obj-index");
  CHECK(mesh_rule(box + "f -9 1 2\n", "a.obj") == "obj-index");
  CHECK(mesh_rule(box + "f 1.5 1 2\n", "a.obj") == "obj-index");
  CHECK(mesh_rule(box + "f 1 2\n", "a.obj") == "obj-face");
  CHECK(mesh_rule(box + "v 1 2\n", "a.obj") == "number");
  CHECK(mesh_rule(box + "curv 0 1 1 2\n", "a.obj") == "obj-curved");
  CHECK(mesh_rule(box + "face 1 2 3\n", "a.obj") == "obj-statement");
}

TEST_CASE("a polygon that is not convex is cut right") {
  const std::string text =
      "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 3 1\nv 0 3 1\n"
      "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
  const MeshSolid found = mesh_solid(mesh_from(text, "a.obj").mesh);
  CHECK(found.watertight);
  CHECK(found.solid.size == doctest::Approx(4).epsilon(1e-14));
  CHECK(found.solid.centre.x == doctest::Approx(0.75).epsilon(1e-14));
}

TEST_CASE("Collada puts geometries where nodes say, in metres") {
  const TriangleMesh mesh = wedge();
  ColladaScene scene;
  scene.unit = "0.125";
  scene.up = "Y_UP";
  scene.nodes =
      "<node id='a'><translate>8 16 24</translate><rotate>0 0 2 90</rotate><scale>1 2 4</scale><node><matrix>1 0 0 1 0 "
      "1 0 0 0 0 -1 0 0 0 0 1</matrix>"
      "<instance_geometry url='#shape'/></node></node><node><instance_node url='#again'/></node>";
  scene.shared_nodes =
      "<library_nodes><node id='again'><translate>-8 0 0</translate><instance_geometry "
      "url='#shape'/></node></library_nodes>";
  const MeshFile found = mesh_from(collada_text(mesh, scene), "a.dae");
  CHECK(found.unit == 0.125);
  CHECK(found.up_axis == "Y_UP");
  // by hand: T Rz(90) S M, then 1/8
  TriangleMesh one = mesh, other = mesh;
  transform(one, {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {1, 0, 0});
  scale(one, Vec3<double>{1, 2, 4});
  transform(one, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}, {8, 16, 24});
  transform(other, Mat3<double>::identity(), {-8, 0, 0});
  append(one, other);
  scale(one, Vec3<double>{0.125, 0.125, 0.125});
  check_same_mesh(found, one, 1e-7);  // the sine and cosine of 90 degrees in single precision
}

TEST_CASE("Collada lists of polygons, strips and fans are read, holes and skins refused") {
  const auto with = [](const std::string& pieces) {
    ColladaScene scene;
    scene.pieces = pieces;
    return collada_text(box_mesh({2, 2, 2}), scene);
  };
  const std::string input =
      "<input semantic='VERTEX' source='#corners' offset='1'/><input semantic='NORMAL' source='#points' offset='0'/>";
  const auto box = [&](const std::string& text) { return mesh_solid(mesh_from(text, "a.dae").mesh); };
  // corners 0 1 2 3 below, 4 5 6 7 above
  const std::string six =
      "9 0 9 3 9 2 9 1  9 4 9 5 9 6 9 7  9 0 9 1 9 5 9 4  9 1 9 2 9 6 9 5  9 2 9 3 9 7 9 6  9 3 9 0 9 4 9 7";
  CHECK(box(with("<polylist count='6'>" + input + "<vcount>4 4 4 4 4 4</vcount><p>" + six + "</p></polylist>"))
            .solid.size == doctest::Approx(8));
  std::string polygons = "<polygons count='6'>" + input, fans = "<trifans count='6'>" + input,
              strips = "<tristrips count='6'>" + input;
  for (const char* face : {"0 3 2 1", "4 5 6 7", "0 1 5 4", "1 2 6 5", "2 3 7 6", "3 0 4 7"}) {
    const std::string f = face;  // four digits with blanks between
    const auto p = [&](char a, char b, char c, char d) {
      return fmt::format("<p>0 {} 0 {} 0 {} 0 {}</p>", a, b, c, d);
    };
    polygons += p(f[0], f[2], f[4], f[6]);
    fans += p(f[0], f[2], f[4], f[6]);
    strips += p(f[0], f[2], f[6], f[4]);  // a strip turns every second triangle
  }
  for (const std::string& text : {polygons + "</polygons>", fans + "</trifans>", strips + "</tristrips>"}) {
    const MeshSolid found = box(with(text));
    CHECK(found.watertight);
    CHECK_FALSE(found.rewound);
    CHECK(found.solid.size == doctest::Approx(8).epsilon(1e-14));
  }
  CHECK(mesh_rule(with("<polygons count='1'>" + input + "<ph><p>0 0 0 1 0 2</p><h>0 3</h></ph></polygons>"), "a.dae") ==
        "dae-hole");
  CHECK(mesh_rule(with("<polylist count='1'>" + input + "<vcount>5</vcount><p>0 0 0 1 0 2 0 3</p></polylist>"),
                  "a.dae") == "dae-count");
  CHECK(mesh_rule(with("<triangles count='1'>" + input + "<p>0 0 0 1 0 8</p></triangles>"), "a.dae") == "dae-index");
  CHECK(mesh_rule(with("<triangles count='1'>" + input + "<p>0 0 0 1 0</p></triangles>"), "a.dae") == "dae-count");
  CHECK(mesh_rule(with("<triangles count='1'><p>0 0 0 1 0 8</p></triangles>"), "a.dae") == "dae-input");
  const auto showing = [](const std::string& nodes) {
    ColladaScene scene;
    scene.nodes = nodes;
    return collada_text(box_mesh({2, 2, 2}), scene);
  };
  CHECK(mesh_rule(showing("<node><instance_geometry url='#nothing'/></node>"), "a.dae") == "dae-reference");
  CHECK(mesh_rule(showing("<node><instance_geometry url='other.dae#shape'/></node>"), "a.dae") == "dae-outside");
  CHECK(mesh_rule(showing("<node><instance_controller url='#skin'/></node>"), "a.dae") == "dae-skin");
  CHECK(mesh_rule(showing("<node><skew>1 2 3 4 5 6 7</skew></node>"), "a.dae") == "dae-transform");
  CHECK(mesh_rule(showing("<node id='loop'><instance_node url='#loop'/></node>"), "a.dae") == "dae-depth");
  CHECK(mesh_rule("<robot/>", "a.dae") == "dae-root");
}

TEST_CASE("glTF nodes, strides, strips, buffers beside the file and quantised corners") {
  const TriangleMesh mesh = wedge();
  GltfScene scene;
  scene.nodes =
      R"([{"children": [1], "translation": [1, 2, 3], "rotation": [0, 0, 1, 0], "scale": [2, 1, -1]}, {"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0.5,0,0,1]}])";
  TriangleMesh wanted = mesh;
  transform(wanted, Mat3<double>::identity(), {0.5, 0, 0});
  transform(wanted, {{-2, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {1, 2, 3});
  check_same_mesh(mesh_from(gltf_text(mesh, true, scene), "a.gltf"), wanted);
  scene = {};
  scene.uri = "the%20buffer.bin";
  std::string asked;
  const std::string bytes = gltf_buffer(mesh);
  const MeshFile found =
      mesh_from(gltf_text(mesh, true, scene), "a.gltf", [&](const std::string& name) -> Result<std::string> {
        asked = name;
        return bytes;
      });
  CHECK(asked == "the buffer.bin");
  check_same_mesh(found, mesh);
  CHECK(mesh_rule(gltf_text(mesh, true, scene), "a.gltf") == "file-read");
  scene.uri = "http://somewhere/a.bin";
  CHECK(mesh_rule(gltf_text(mesh, true, scene), "a.gltf") == "gltf-buffer");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = gltf_text(mesh, true);
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
    return mesh_rule(text, "a.gltf");
  };
  CHECK(changed("\"2.0\"", "\"1.0\"") == "gltf-version");
  CHECK(changed("\"mesh\": 0", "\"mesh\": 1") == "gltf-index");
  CHECK(changed("\"mesh\": 0", "\"mesh\": 0, \"skin\": 0") == "gltf-skin");
  CHECK(changed("\"mesh\": 0", "\"mesh\": 0, \"children\": [0]") == "gltf-depth");
  CHECK(changed("\"SCALAR\"", "\"VEC2\"") == "gltf-type");
  CHECK(changed("\"scene\": 0", "\"scene\": 0, \"extensionsRequired\": [\"KHR_draco_mesh_compression\"]") ==
        "gltf-extension");
  CHECK(changed("base64,", "base64,!") == "gltf-buffer");
  CHECK(changed("\"scene\": 0", "\"scene\": 0,") == "json");
  CHECK(mesh_rule(glb_bytes(mesh).substr(0, 100), "a.glb") == "glb");
}

TEST_CASE("names decide the format, and other names are refused") {
  CHECK(mesh_rule("solid", "a.step") == "mesh-format");
  CHECK(mesh_rule("", "a.stl") == "mesh-empty");
  CHECK(is_mesh_name("A.Stl"));
  CHECK_FALSE(is_mesh_name("stl"));
}

TEST_CASE("mutated files give a mesh or one fault") {
  const TriangleMesh mesh = wedge();
  const std::map<std::string, std::string> files{{"a.stl", stl_text(mesh)},         {"b.stl", stl_binary(mesh)},
                                                 {"c.obj", obj_text(mesh)},         {"d.dae", collada_text(mesh)},
                                                 {"e.gltf", gltf_text(mesh, true)}, {"g.glb", glb_bytes(mesh)},
                                                 {"h.msh", msh_bytes(mesh)}};
  const std::vector<std::string> pieces{"vertex 1 2 3", "f 1 2 3\n", "<p>1 2 3</p>", "{}",       "[0]",
                                        "\\",           "\0",        "<node>",       "endfacet", "\"byteStride\": 1,"};
  const std::vector<std::string> numbers{"-1", "4294967295", "1e308", "0", "nan", "99999999999"};
  Random random(7);
  int sound = 0;
  for (int draw = 0; draw < draws(200); ++draw)
    for (const auto& [name, bytes] : files) {
      const auto result = read_mesh(mutated(bytes, {pieces, numbers}, random), name, no_mesh_files);
      if (!result) continue;
      ++sound;
      const MeshSolid found = mesh_solid(result->mesh);
      CHECK(found.triangles <= result->mesh.triangles.size());
      CHECK(std::isfinite(found.sheet.size));
    }
  CHECK(sound > draws(100));
}

TEST_CASE("large meshes take no more than their share of time") {
  const TriangleMesh ball = ball_mesh(300, 300, 1);
  for (const auto& [name, bytes] : std::map<std::string, std::string>{{"a.stl", stl_text(ball)},
                                                                      {"b.stl", stl_binary(ball)},
                                                                      {"c.obj", obj_text(ball)},
                                                                      {"d.dae", collada_text(ball)},
                                                                      {"g.glb", glb_bytes(ball)}}) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    const std::clock_t start = std::clock();
    const MeshFile file = mesh_from(bytes, name);
    CHECK(file.mesh.triangles.size() == 2 * 300 * 299);
    CHECK(double(std::clock() - start) / CLOCKS_PER_SEC < 2);
  }
  // nodes that show each other twice, thirty deep, make a thousand million
  std::string library = "<library_nodes>";
  for (int k = 0; k < 30; ++k)
    library +=
        fmt::format("<node id='n{}'><instance_node url='#n{}'/><instance_node url='#n{}'/></node>", k, k + 1, k + 1);
  ColladaScene scene;
  scene.shared_nodes = library + "<node id='n30'><instance_geometry url='#shape'/></node></library_nodes>";
  scene.nodes = "<node><instance_node url='#n0'/></node>";
  const std::clock_t start = std::clock();
  const std::string found = mesh_rule(collada_text(wedge(), scene), "a.dae");
  CHECK((found == "mesh-size" || found == "dae-depth"));
  CHECK(double(std::clock() - start) / CLOCKS_PER_SEC < 4);
}

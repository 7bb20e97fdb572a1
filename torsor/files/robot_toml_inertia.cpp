// The mass of a link as its file gives it: numbers about the mass centre or about the frame, or a solid shape; one
// piece or several.
#include <fmt/format.h>

#include <cmath>

#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/check/inertia_slips.hpp"
#include "torsor/model/shape.hpp"
#include "torsor/spatial/inertia.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor::detail {
namespace {

enum class Products { tensor, integral };

// entries of a tensor typed in full agree across the diagonal to the digits of their decimals
constexpr double symmetry = 1e-9;

// { xx, yy, zz, xy, xz, yz, about, products }
void read_inertia_table(TomlTable& table, Part& part) {
  for (const auto& [key, entry] :
       {std::pair{"xx", &part.tensor.xx}, {"yy", &part.tensor.yy}, {"zz", &part.tensor.zz}}) {
    if (const auto x = table.number(key))
      *entry = *x;
    else if (!table.has(key))
      table.missing(key, "write 0 for zero");
  }
  const auto products =
      table.word<Products>("products", {{"tensor", Products::tensor}, {"integral", Products::integral}});
  const double sign = products == Products::integral ? -1 : 1;
  for (const auto& [key, entry] : {std::pair{"xy", &part.tensor.xy}, {"xz", &part.tensor.xz}, {"yz", &part.tensor.yz}})
    if (const auto x = table.number(key)) *entry = sign * *x;
  const bool any = part.tensor.xy != 0 || part.tensor.xz != 0 || part.tensor.yz != 0;
  if (any && !table.has("products"))
    table.fault(
        "", "inertia-products", "the sign of its products of inertia is not stated",
        "add products = \"tensor\" (xy is the entry of the tensor, minus the integral of x y dm) or \"integral\"");
  const auto about =
      table.word<InertiaAbout>("about", {{"com", InertiaAbout::mass_centre}, {"frame", InertiaAbout::frame_origin}});
  part.about = about.value_or(InertiaAbout::mass_centre);
}

// [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
void read_inertia_matrix(TomlTable& table, Part& part) {
  const auto rows = table.matrix("inertia", units::inertia);
  if (!rows) return;
  const auto& a = *rows;
  if (a.size() != 3 || a[0].size() != 3)
    return table.fault("inertia", "array-length", "it is not 3 x 3", "write three rows of three numbers",
                       units::inertia);
  double largest = 0;
  for (const auto& row : a)
    for (const double x : row) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(a[i][j] - a[j][i]) > symmetry * largest)
        return table.fault(
            "inertia", "inertia-symmetric",
            fmt::format("its entries [{0}][{1}] and [{1}][{0}] differ: {2} and {3}", i + 1, j + 1, a[i][j], a[j][i]),
            "an inertia tensor is symmetric", units::inertia);
  part.tensor = {a[0][0], a[1][1], a[2][2], a[0][1], a[0][2], a[1][2]};
}

// a negative moment, with the slip that put it on the diagonal; of the link's size only its mass centre tells here
void check_moments(TomlTable& table, const Part& part) {
  // the tensor of a rod that was turned has moments of a last digit's size, and either sign
  const Sym3<double>& I = part.tensor;
  const double rounding = symmetry * std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz), std::abs(I.xy),
                                               std::abs(I.xz), std::abs(I.yz)});
  std::string negative;
  for (const auto& [key, moment] : {std::pair{"xx", I.xx}, {"yy", I.yy}, {"zz", I.zz}})
    if (moment < -rounding) negative += fmt::format("{}{} is {:.6g} kg m^2", negative.empty() ? "" : ", ", key, moment);
  if (negative.empty()) return;
  const auto slip = part.mass > 0 ? probable_slip(part, {}, true) : std::nullopt;
  table.fault("inertia", "inertia-negative", "its moment " + negative,
              slip ? "probable cause: " + slip->text : "moments of inertia are zero or positive", units::inertia);
}

void read_inertia(TomlTable& table, Part& part) {
  if (table.is_matrix("inertia", units::inertia)) {
    read_inertia_matrix(table, part);
  } else if (table.is_array("inertia", units::inertia)) {
    const auto moments = table.numbers("inertia", units::inertia);
    if (moments && moments->size() == 3)
      part.tensor = {(*moments)[0], (*moments)[1], (*moments)[2], 0, 0, 0};
    else if (moments)
      table.fault("inertia", "array-length", fmt::format("it has {} numbers", moments->size()),
                  "write three: xx, yy, zz; products of inertia go into a table or a full matrix", units::inertia);
  } else {
    table.table("inertia", units::inertia, [&](TomlTable& inertia) { read_inertia_table(inertia, part); });
  }
  check_moments(table, part);
}

// a dimension: missing and not positive are faults
double read_dimension(TomlTable& shape, std::string_view key) {
  const auto x = shape.number(key, units::length);
  if (!shape.has(key, units::length)) shape.missing(key, "give it in metres, or with _mm or _cm");
  if (x && !(*x > 0))
    shape.fault(key, "shape-size", fmt::format("it is {}", *x), "give a positive length", units::length);
  return x && *x > 0 ? *x : 1;
}

Solid read_solid(TomlTable& shape) {
  const int kinds = shape.at_most_one(
      {{"box", units::length}, {"cylinder", units::plain}, {"tube", units::plain}, {"sphere", units::plain}});
  if (kinds == 0) shape.missing("box", "give the shape as box, cylinder, tube or sphere");
  Solid solid;
  if (const auto size = shape.vector("box", units::length)) {
    if (!(size->x > 0 && size->y > 0 && size->z > 0))
      shape.fault("box", "shape-size", fmt::format("it measures {} x {} x {} m", size->x, size->y, size->z),
                  "give three positive lengths", units::length);
    solid = solid_box(*size);
  }
  shape.table("cylinder", [&](TomlTable& t) {
    const double radius = read_dimension(t, "radius"), length = read_dimension(t, "length");
    solid = solid_cylinder(radius, length);
  });
  shape.table("tube", [&](TomlTable& t) {
    const std::size_t before = t.fault_count();
    const double outer = read_dimension(t, "outer"), inner = read_dimension(t, "inner"),
                 length = read_dimension(t, "length");
    if (t.fault_count() == before && inner >= outer)
      t.fault("inner", "tube-radii", fmt::format("the inner radius {} is not below the outer {}", inner, outer),
              "swap them", units::length);
    solid = solid_tube(outer, inner, length);
  });
  shape.table("sphere", [&](TomlTable& t) { solid = solid_sphere(read_dimension(t, "radius")); });
  return solid;
}

// the rotation that lays z along the named axis
Mat3<double> read_shape_axis(TomlTable& shape) {
  const auto axis = shape.word<Vec3<double>>("axis", {{"x", {1, 0, 0}}, {"y", {0, 1, 0}}, {"z", {0, 0, 1}}});
  if (shape.has("axis") && !shape.has("cylinder") && !shape.has("tube"))
    shape.fault("axis", "axis-unused", "a box or sphere has no axis of its own", "leave it out; turn the shape by rpy");
  return axis ? rotation_z_onto(*axis) : Mat3<double>::identity();
}

Part read_shape(TomlTable& shape) {
  const Solid solid = read_solid(shape);
  const Mat3<double> axis = read_shape_axis(shape);
  const Transform<double> X = read_pose(shape, RotationKeys::without_axis);
  const int masses = shape.at_most_one({{"mass", units::mass}, {"density", units::plain}});
  if (masses == 0) shape.missing("density", "give density in kg/m^3, or mass");

  Part part;
  if (const auto density = shape.number("density")) {
    if (*density < 0)
      shape.fault("density", "shape-density", fmt::format("it is {}", *density),
                  "a density is zero or positive, in kg/m^3");
    else
      part.mass = *density * solid.volume;
  }
  if (const auto mass = shape.number("mass", units::mass)) part.mass = *mass;
  part.com = X.p;
  part.tensor = rotate(X.R * axis, solid.tensor_per_mass * part.mass);
  part.where = shape.where();
  return part;
}

// the piece described by the keys of one table, in the frame of that table; nothing if it has none of them
std::optional<Part> read_piece(TomlTable& table) {
  const bool given =
      table.has("mass", units::mass) || table.has("com", units::length) || table.has("inertia", units::inertia);
  const bool has_shape = table.has("shape");
  Part part;
  table.table("shape", [&](TomlTable& shape) { part = read_shape(shape); });
  if (has_shape && given)
    table.fault("shape", "key-twice", "mass, com or inertia stand beside it",
                "keep one; a shape has its own mass or density");
  const auto mass = table.number("mass", units::mass);
  const auto com = table.vector("com", units::length);
  if (!given) return has_shape ? std::optional(part) : std::nullopt;

  if (!table.has("mass", units::mass))
    table.missing("mass", "com and inertia go with a mass; write 0 if it is unknown");
  part = {};
  part.mass = mass.value_or(0);
  part.com = com.value_or(Vec3<double>{});
  part.where = table.where("mass", units::mass);
  if (table.has("inertia", units::inertia)) part.tensor_where = table.where("inertia", units::inertia);
  read_inertia(table, part);
  return part;
}

// the same piece in the frame that the table's frame is placed in
Part placed(const Transform<double>& X, Part part) {
  if (part.about == InertiaAbout::frame_origin)
    part.tensor = (X * Inertia<double>{part.mass, part.com * part.mass, part.tensor}).I;
  else
    part.tensor = rotate(X.R, part.tensor);
  part.com = X * part.com;
  part.typed_in = X.R;
  return part;
}

}  // namespace

std::vector<Part> read_parts(TomlTable& link) {
  std::vector<Part> parts;
  if (const auto whole = read_piece(link)) parts.push_back(*whole);
  const bool listed = link.has("parts") || link.has("part");
  if (listed && !parts.empty())
    link.fault(link.has("parts") ? "parts" : "part", "key-twice",
               "the link has a mass or shape of its own beside its parts", "make that one a part too, or leave it out");
  for (const std::string_view key : {"parts", "part"})
    link.tables(key, [&](TomlTable& table) {
      table.text("name");
      const Transform<double> X = read_pose(table);
      if (const auto piece = read_piece(table))
        parts.push_back(placed(X, *piece));
      else
        table.missing("mass", "a part has a mass or a shape");
    });
  return parts;
}

}  // namespace torsor::detail

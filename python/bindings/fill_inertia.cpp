// Masses from shapes, in Python.
#include "torsor/files/fill_inertia.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "python/bindings/errors.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

template <class Choice>
Choice choice_of(const char* argument, const std::string& word,
                 std::initializer_list<std::pair<const char*, Choice>> words) {
  std::string all;
  for (const auto& [name, value] : words) {
    if (word == name) return value;
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  refuse("fill_inertia", std::string(argument) + " is \"" + printable(word) + "\"; expected " + all);
}

nb::object filled(const Robot& robot, std::optional<double> density, std::optional<double> total_mass,
                  nb::handle masses, const std::string& shapes, const std::string& open,
                  std::optional<double> thickness, bool up_axis, nb::handle packages, bool partial) {
  robot.expect_tree();
  InertiaOptions options{.density = density, .total_mass = total_mass};
  if (!masses.is_none()) {
    if (!nb::isinstance<nb::dict>(masses)) refuse("fill_inertia", "masses is no dict; expected {link: kg}");
    for (const auto& [link, mass] : nb::borrow<nb::dict>(masses))
      options.masses[nb::cast<std::string>(nb::str(link))] = nb::cast<double>(mass);
  }
  options.shapes.shapes = choice_of<ShapeChoice>(
      "shapes", shapes,
      {{"auto", ShapeChoice::automatic}, {"collision", ShapeChoice::collision}, {"visual", ShapeChoice::visual}});
  options.shapes.open = choice_of<OpenMesh>("open", open,
                                            {{"closed", OpenMesh::closed},
                                             {"hull", OpenMesh::hull},
                                             {"sheet", OpenMesh::sheet},
                                             {"refuse", OpenMesh::refused}});
  if ((options.shapes.open == OpenMesh::sheet) != thickness.has_value() || (thickness && !(*thickness > 0)))
    refuse("fill_inertia", "thickness goes with open=\"sheet\"; expected metres there, and None elsewhere");
  options.shapes.thickness = thickness.value_or(0);
  options.shapes.apply_up_axis = up_axis;
  MeshFiles files(load_options(nb::none(), packages, nb::none()), robot.description().file);
  FilledRobot found = value_of(fill_inertia(robot.description(), options, files));
  if (!found.faults.empty() && !partial) raise(found.faults);
  return nb::make_tuple(nb::cast(make_robot(value_of(torsor::Robot::try_build(std::move(found.description))))),
                        answer_of(found.filling));
}

}  // namespace

void bind_fill_inertia(nb::module_& m) {
  m.def(
      "fill_inertia", filled, "robot"_a, nb::kw_only(), "density"_a = nb::none(), "total_mass"_a = nb::none(),
      "masses"_a = nb::none(), "shapes"_a = "auto", "open"_a = "closed", "thickness"_a = nb::none(),
      "up_axis"_a = false, "packages"_a = nb::none(), "partial"_a = false,
      nb::sig("def fill_inertia(robot: Robot, *, density: float | None = None, total_mass: float | None = None, "
              "masses: dict[str, float] | None = None, shapes: str = \"auto\", open: str = \"closed\", thickness: "
              "float | None = None, "
              "up_axis: bool = False, packages: dict[str, str | os.PathLike[str]] | str | os.PathLike[str] | list[str] "
              "| None = None, "
              "partial: bool = False) -> tuple[Robot, torsor.InertiaFilling]"),
      R"(Masses and inertias for links that have none, from their shapes: the robot with them, and what became of each link.

density: kg/m^3 of all such links; or total_mass: kg of the whole robot, shared by volume; masses: {link: kg} for some of
them. shapes: collision, visual, or auto (collision where a link has any). Meshes (STL, OBJ, DAE, glTF) are integrated
exactly; open ones are taken as `open` says: closed (rims of holes closed), hull, sheet (of a thickness in m) or refuse.
packages: where package://NAME/... is, as in :func:`load`. A link whose shapes cannot be weighed raises :class:`Error`
unless partial is True. Without any mass or density the shapes are only measured.

>>> import torsor as ts
>>> urdf = '''<robot name="arm"><link name="base"/><link name="bar"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision>
... </link><joint name="j" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/></joint></robot>'''
>>> robot, filling = ts.fill_inertia(ts.load(urdf, check=False), density=1000)
>>> round(float(robot.masses[0]), 9), filling.links[1].source
(10.0, 'collision: 1 box')
)");
}

}  // namespace torsor::python

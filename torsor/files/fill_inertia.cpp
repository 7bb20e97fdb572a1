#include "torsor/files/fill_inertia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/check/body_doubts.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

bool weighs_nothing(const std::vector<Part>& parts) {
  return std::ranges::all_of(parts, [](const Part& p) {
    const Sym3<double>& I = p.tensor;
    return p.mass == 0 && I.xx == 0 && I.yy == 0 && I.zz == 0 && I.xy == 0 && I.xz == 0 && I.yz == 0;
  });
}

/// `collision: 2 meshes, 1 box`.
std::string source_of(const std::vector<ShapeInertia>& shapes) {
  std::string text;
  for (const char* kind : {"mesh", "box", "cylinder", "sphere", "capsule"}) {
    const auto n = std::ranges::count(shapes, kind, &ShapeInertia::shape);
    if (n == 0) continue;
    const std::string word = kind;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", n, word,
                        n == 1                            ? ""
                        : word == "mesh" || word == "box" ? "es"
                                                          : "s");
  }
  return shapes.front().kind + ": " + text;
}

/// The shapes as one part of this mass, spread over them by volume; `body` gives the part of mass one of a shape.
template <class Body>
Part together(const std::vector<ShapeInertia>& shapes, double mass, double volume, const Body& body) {
  std::vector<Part> parts;
  for (const ShapeInertia& shape : shapes) {
    Part part = body(shape);
    part.mass = mass * (shape.volume / volume);
    part.tensor = part.tensor * part.mass;
    parts.push_back(part);
  }
  if (parts.size() == 1) return parts.front();
  const Inertia<double> J = inertia_of(parts);
  return {J.m, mass_centre(J), tensor_about_centre(J)};
}

Part as_taken(const ShapeInertia& shape) { return {1, shape.centre, shape.tensor_per_mass}; }

/// What the shapes hold at least or at most, at a density of one.
struct Content {
  double volume = 0;
  std::array<double, 3> moments{};
};

Content content_of(const std::vector<ShapeInertia>& shapes, Part ShapeInertia::*bound) {
  std::vector<Part> parts;
  for (const ShapeInertia& shape : shapes) {
    parts.push_back(shape.*bound);
    parts.back().tensor = parts.back().tensor * parts.back().mass;
  }
  const Inertia<double> J = inertia_of(parts);
  if (!(J.m > 0)) return {};
  return {J.m, mass_spread(J.m, tensor_about_centre(J)).moments};
}

/// For a mass of one anywhere in the box around the shapes, with half sizes a <= b <= c: about the long axis through its
/// middle nothing is farther than a^2 + b^2, about any other a^2 + b^2 + c^2; about the mass centre moments are less.
std::array<double, 3> farthest(const std::vector<ShapeInertia>& shapes) {
  Vec3<double> low = shapes.front().low, high = shapes.front().high;
  for (const ShapeInertia& s : shapes) {
    low = {std::min(low.x, s.low.x), std::min(low.y, s.low.y), std::min(low.z, s.low.z)};
    high = {std::max(high.x, s.high.x), std::max(high.y, s.high.y), std::max(high.z, s.high.z)};
  }
  const Vec3<double> half = (high - low) * 0.5;
  const double all = dot(half, half), longest = std::max({half.x, half.y, half.z});
  return {all - longest * longest, all, all};
}

class Filler {
 public:
  Filler(const Description& robot, const InertiaOptions& given, MeshFiles& mesh_files)
      : options(given), files(mesh_files) {
    out.description = robot;
    out.filling.robot = robot.name;
  }

  Result<FilledRobot> run() {
    Description& d = out.description;
    out.filling.links.reserve(d.links.size() + 1);
    look_at(d.base_name, d.base_parts, d.base_urdf_extra);
    for (LinkDescription& link : d.links) look_at(link.name, link.parts, link.urdf_extra);
    check_masses();
    settle_density();
    if (!errors.empty()) return errors;
    std::size_t k = 0;
    fill(out.filling.links[k++], d.base_parts);
    for (LinkDescription& link : d.links) fill(out.filling.links[k++], link.parts);
    return std::move(out);
  }

 private:
  const InertiaOptions& options;
  MeshFiles& files;
  FilledRobot out;
  Faults errors;

  void look_at(const std::string& name, const std::vector<Part>& parts, const UrdfExtra& extra) {
    FilledLink row;
    row.link = name;
    if (!weighs_nothing(parts)) {
      const Inertia<double> J = inertia_of(parts);
      row.state = LinkFilling::kept;
      // what the check calls a point is worth a word where tensors are made
      row.source =
          J.m > 0 && largest_entry(tensor_about_centre(J)) == 0 ? "the file: a point, its tensor is 0" : "the file";
      row.mass = J.m;
      row.centre = mass_centre(J);
      row.moments = mass_spread(J.m, tensor_about_centre(J)).moments;
      out.filling.links.push_back(std::move(row));
      return;
    }
    Faults faults;
    row.shapes = shape_inertias(extra, options.shapes, files, faults);
    for (Fault& fault : faults) {
      fault.offender = fmt::format("link \"{}\", {}", excerpt(name), fault.offender);
      out.faults.push_back(std::move(fault));
    }
    row.state = !faults.empty() ? LinkFilling::failed : row.shapes.empty() ? LinkFilling::bare : LinkFilling::measured;
    if (row.state == LinkFilling::measured) {
      double volume = 0;
      for (const ShapeInertia& shape : row.shapes) {
        volume += shape.volume;
        if (shape.mesh) row.watertight = row.watertight.value_or(true) && shape.mesh->watertight;
      }
      row.volume = volume;
      row.source = source_of(row.shapes);
    }
    out.filling.links.push_back(std::move(row));
  }

  void refuse(std::string offender, const char* rule, std::string what, std::string remedy) {
    errors.push_back({out.description.where, std::move(offender), rule, std::move(what), std::move(remedy)});
  }

  void check_masses() {
    std::vector<std::string_view> names;
    for (const FilledLink& row : out.filling.links) names.push_back(row.link);
    for (const auto& [name, mass] : options.masses) {
      const std::string offender = fmt::format("link \"{}\"", excerpt(name));
      const auto row = std::ranges::find(out.filling.links, name, &FilledLink::link);
      if (row == out.filling.links.end()) {
        const std::string hint = did_you_mean(name, names);
        refuse(offender, "link-unknown", "the robot has no such link",
               hint.empty() ? "name a link: torsor show lists them" : hint);
      } else if (row->state == LinkFilling::kept) {
        refuse(offender, "mass-known", fmt::format("it has a mass already, {} kg", *row->mass),
               "leave it out, or take its <inertial> out of the file");
      } else if (row->state == LinkFilling::bare) {
        refuse(offender, "shape-missing", "it has no shape over which a mass could be spread",
               "give the link a <collision> or <visual>, or an <inertial>");
      }
      if (!(mass > 0 && mass < 1e12))
        refuse(offender, "mass-value", fmt::format("{} kg is no mass", mass), "give a positive number of kilograms");
    }
    if (options.density && !(*options.density > 0 && *options.density < 1e9))
      refuse("density", "density-value", fmt::format("{} kg/m^3 is no density", *options.density),
             "give a positive number: water has 1000, aluminium 2700, steel 7850");
    if (options.density && options.total_mass)
      refuse("total mass", "density-twice", "a density is given, too", "give one of them");
  }

  /// The density of those whose mass is not given.
  void settle_density() {
    out.filling.density = options.density;
    if (!options.total_mass || !errors.empty()) return;
    double known = 0, volume = 0;
    for (const FilledLink& row : out.filling.links) {
      if (row.state == LinkFilling::kept) known += *row.mass;
      if (row.state != LinkFilling::measured) continue;
      if (const auto given = options.masses.find(row.link); given != options.masses.end())
        known += given->second;
      else
        volume += *row.volume;
    }
    const double left = *options.total_mass - known;
    if (!(left > 0) || !std::isfinite(left))
      return refuse("total mass", "total-mass",
                    fmt::format("links with a mass have {} kg together, which leaves nothing of {} kg", known,
                                *options.total_mass),
                    "the total is that of all links; give a larger one");
    if (!(volume > 0))
      return refuse("total mass", "total-mass", "there is no link left that has a shape and no mass",
                    "leave the total out");
    out.filling.density = left / volume;
  }

  void fill(FilledLink& row, std::vector<Part>& parts) {
    if (row.state == LinkFilling::measured) weigh(row, parts);
    out.filling.total_mass += row.mass.value_or(0);
  }

  /// Where a body is part of another of the same density its moments are less about every axis, as each is the least about
  /// all parallel axes. So at a known density they lie between those of the least and the most content; of a known mass the
  /// density lies between its quotients by their volumes.
  static void bound_moments(FilledLink& row, double mass, bool mass_given) {
    const Content least = content_of(row.shapes, &ShapeInertia::least),
                  most = content_of(row.shapes, &ShapeInertia::most);
    const std::array<double, 3> far = farthest(row.shapes);
    const double density = mass / *row.volume;
    std::array<double, 3> low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = (mass_given ? mass / most.volume : density) * least.moments[k];
      high[k] = density * most.moments[k];
      if (mass_given)
        high[k] = least.volume > 0 ? std::min(mass / least.volume * most.moments[k], mass * far[k]) : mass * far[k];
      // fans that close rims may cut through each other, and are no part of the hull then: what was taken is allowed
      low[k] = std::min(low[k], row.moments[k]);
      high[k] = std::max(high[k], row.moments[k]);
    }
    row.moments_least = low;
    row.moments_most = high;
  }

  void weigh(FilledLink& row, std::vector<Part>& parts) {
    const auto given = options.masses.find(row.link);
    const bool asked = given != options.masses.end() || out.filling.density;
    const double volume = *row.volume;
    if (!(volume > 0)) {
      row.state = LinkFilling::failed;
      out.faults.push_back({{},
                            fmt::format("link \"{}\"", excerpt(row.link)),
                            "volume-zero",
                            "its shapes enclose no volume",
                            "say how thick its sheets are: --open sheet --thickness 0.002"});
      return;
    }
    const double mass = given != options.masses.end() ? given->second
                        : out.filling.density         ? *out.filling.density * volume
                                                      : 1;
    Part part = together(row.shapes, mass, volume, as_taken);
    row.centre = part.com;
    row.moments = mass_spread(mass, part.tensor).moments;
    if (!asked) return;
    row.state = LinkFilling::filled;
    row.mass = mass;
    double least = 0, most = 0;
    for (const ShapeInertia& shape : row.shapes) least += shape.volume_least, most += shape.volume_most;
    row.mass_least = mass * (least / volume);
    row.mass_most = mass * (most / volume);
    if (given != options.masses.end()) row.mass_least = row.mass_most = mass;
    bound_moments(row, mass, given != options.masses.end());
    if (std::ranges::any_of(row.shapes, [](const ShapeInertia& s) { return s.mesh.has_value(); })) {
      row.moments_sheet =
          mass_spread(mass, together(row.shapes, mass, volume,
                                     [](const ShapeInertia& s) { return s.sheet ? *s.sheet : as_taken(s); })
                                .tensor)
              .moments;
      row.moments_hull =
          mass_spread(mass, together(row.shapes, mass, volume,
                                     [](const ShapeInertia& s) { return s.hull ? *s.hull : as_taken(s); })
                                .tensor)
              .moments;
    }
    part.where = part.tensor_where = out.description.where;
    parts = {part};
  }
};

}  // namespace

std::optional<std::vector<double>> FilledLink::moments_if_any() const {
  if (!mass) return std::nullopt;
  return std::vector<double>(moments.begin(), moments.end());
}

std::size_t InertiaFilling::count(LinkFilling state) const {
  return static_cast<std::size_t>(std::ranges::count(links, state, &FilledLink::state));
}

Result<FilledRobot> fill_inertia(const Description& robot, const InertiaOptions& options, MeshFiles& files) {
  return Filler(robot, options, files).run();
}

}  // namespace torsor

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/scalar/modular.hpp"
#include "torsor/reduction/counterbalance.hpp"
#include "torsor/reduction/design_change.hpp"

namespace torsor {
namespace {

using Coordinate = double Vec3<double>::*;
constexpr std::array<Coordinate, 3> coordinates{&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z};

/// Twelve significant digits: what a file would say.
double tidy(double x) { return std::stod(fmt::format("{:.12g}", x)); }
double near_zero(double x, double scale) { return abs(x) <= 1e-12 * scale ? 0 : tidy(x); }

/// All parts of a link as one, its tensor about the mass centre.
Part one_part(const LinkDescription& link) {
  if (link.parts.size() == 1 && link.parts[0].about == InertiaAbout::mass_centre) return link.parts[0];
  const Inertia<double> J = inertia_of(link.parts);
  const Vec3<double> c = mass_centre(J);
  const Sym3<double> I = tensor_about_centre(J);
  const double trace = abs(I.xx) + abs(I.yy) + abs(I.zz);
  Part out;
  out.mass = tidy(J.m);
  out.com = {near_zero(c.x, 1), near_zero(c.y, 1), near_zero(c.z, 1)};
  out.tensor = {near_zero(I.xx, trace), near_zero(I.yy, trace), near_zero(I.zz, trace),
                near_zero(I.xy, trace), near_zero(I.xz, trace), near_zero(I.yz, trace)};
  return out;
}

/// Sums of products of masses and lengths must be decimals to be balanced by one: none keeps more than seven digits.
bool shorten(std::vector<Part>& parts) {
  bool any = false;
  const auto shorten_one = [&any](double& x) {
    if (shortest_decimal(x).digits.size() <= 7) return;
    x = std::stod(fmt::format("{:.7g}", x));
    any = true;
  };
  for (Part& part : parts)
    for (double* x : {&part.mass, &part.com.x, &part.com.y, &part.com.z}) shorten_one(*x);
  return any;
}

std::string text(const Vec3<double>& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z); }

/// A line along one coordinate of a link's frame: the axis of its own joint, or of one that it carries.
struct Axis {
  std::string joint;
  std::size_t along = 0;
  Vec3<double> point;
};

class Masses {
 public:
  Masses(const Description& d, const Model<double>& model) : d_(d), model_(model) {}

  std::vector<DesignChange> run() {
    for (std::size_t k = 0; k < d_.links.size(); ++k) {
      const int body = model_.body_index(d_.links[k].name);
      if (!d_.links[k].parts.empty() && body >= 0) of_link(k, body);
      if (body >= 0) balance(k, body);
    }
    return std::move(out_);
  }

 private:
  void add(ChangeKind kind, std::size_t k, std::string what, int numbers, const Part& part) {
    DesignChange change{kind, d_.links[k].name, std::move(what), numbers, false, d_};
    change.robot.links[k].parts = {part};
    out_.push_back(std::move(change));
  }

  /// The axes of joints that lie along coordinates of the link's frame.
  std::vector<Axis> axes(int body) const {
    std::vector<Axis> found;
    const auto see = [&](int joint, const Transform<double>& X_link_joint) {
      if (model_[joint].nv != 1) return;
      const Vec3<double>& z = X_link_joint.R.z;
      for (std::size_t c = 0; c < 3; ++c)
        if (abs(abs(z.*coordinates[c]) - 1) < 1e-12) {
          const Vec3<double>& p = X_link_joint.p;
          found.push_back({model_.joint_names[static_cast<std::size_t>(joint)],
                           c,
                           {near_zero(p.x, 1), near_zero(p.y, 1), near_zero(p.z, 1)}});
        }
    };
    const Transform<double>& link = model_[body].link;
    see(body, ~link * Transform<double>{});
    for (int child = 0; child < model_.size(); ++child)
      if (model_[child].parent == body && static_cast<std::size_t>(child) < d_.links.size())
        see(child, ~link * model_[child].placement);
    return found;
  }

  void of_link(std::size_t k, int body) {
    const LinkDescription& link = d_.links[k];
    const Part part = one_part(link);
    const std::vector<Axis> near = axes(body);
    const auto move = [&](const Vec3<double>& to, const std::string& where) {
      int numbers = 0;
      for (const Coordinate c : coordinates) numbers += part.com.*c != to.*c;
      if (numbers == 0 || part.mass == 0) return;
      Part moved = part;
      moved.com = to;
      add(ChangeKind::mass_centre, k,
          fmt::format("mass centre of {} {}: from {} to {} m", link.name, where, text(part.com), text(to)), numbers,
          moved);
    };

    // into planes that hold an axis, onto the axis, to where it meets the frame
    for (const Axis& axis : near) {
      Vec3<double> onto = axis.point;
      onto.*coordinates[axis.along] = part.com.*coordinates[axis.along];
      for (const Coordinate c : coordinates) {
        Vec3<double> to = part.com;
        to.*c = onto.*c;
        move(to, fmt::format("into a plane through the axis of {}", axis.joint));
      }
      move(onto, fmt::format("onto the axis of {}", axis.joint));
      move(axis.point, fmt::format("onto the axis of {}, at the origin of its frame", axis.joint));
    }

    // the tensor
    Part plain = part;
    plain.tensor.xy = plain.tensor.xz = plain.tensor.yz = 0;
    const Sym3<double>& I = part.tensor;
    if (I.xy != 0 || I.xz != 0 || I.yz != 0)
      add(ChangeKind::mass_shape, k, fmt::format("products of inertia of {} to 0", link.name), 3, plain);
    for (const Axis& axis : near) {
      constexpr std::array<double Sym3<double>::*, 3> moments{&Sym3<double>::xx, &Sym3<double>::yy, &Sym3<double>::zz};
      double Sym3<double>::*const one = moments[(axis.along + 1) % 3];
      double Sym3<double>::*const other = moments[(axis.along + 2) % 3];
      Part round = plain;
      round.tensor.*one = round.tensor.*other = tidy((I.*one + I.*other) / 2);
      add(ChangeKind::mass_shape, k,
          fmt::format("{} round about the axis of {}: equal moments {:.6g} kg m2, no products", link.name, axis.joint,
                      round.tensor.*one),
          4, round);
      const double along = round.com.*coordinates[axis.along];
      round.com = axis.point;
      round.com.*coordinates[axis.along] = along;
      add(ChangeKind::mass_shape, k,
          fmt::format("{} round about the axis of {}, and its mass centre on it: at {} m, equal moments {:.6g} kg m2, "
                      "no products",
                      link.name, axis.joint, text(round.com), round.tensor.*one),
          6, round);
    }
  }

  /// A counterbalance on the link of this joint; and where that is not all, on those of the joints beyond as well.
  void balance(std::size_t k, int body) {
    if (model_[body].kind != JointKind::revolute) return;
    DesignChange plain{ChangeKind::counterbalance, d_.links[k].name, "", 0, false, d_};
    const std::vector<std::size_t> moved = beyond(body);
    std::string shortened;
    for (const std::size_t j : moved)
      if (shorten(plain.robot.links[j].parts)) shortened += (shortened.empty() ? "" : ", ") + d_.links[j].name;
    if (!shortened.empty()) shortened = "; masses and mass centres to 7 digits: " + shortened;

    // in the plane of the frame, or at the height of the link's own mass centre
    const double own = near_zero((model_[body].link * mass_centre(inertia_of(d_.links[k].parts))).z, 1);
    for (const double z : own == 0 ? std::vector{0.0} : std::vector{0.0, own}) {
      DesignChange change = plain;
      if (!attach(change, k, z)) continue;
      change.text += shortened;
      out_.push_back(std::move(change));
    }
    DesignChange change = std::move(plain);
    int count = 0;
    for (const std::size_t j : moved) count += attach(change, j, 0);
    change.text += shortened;
    if (count > 1) out_.push_back(std::move(change));
  }

  /// The links that a joint moves, from the tips inward; itself last.
  std::vector<std::size_t> beyond(int body) const {
    std::vector<std::size_t> found;
    for (int outer = model_.size() - 1; outer >= body; --outer) {
      const auto link =
          std::ranges::find(d_.links, model_.link_names[static_cast<std::size_t>(outer)], &LinkDescription::name);
      if (link == d_.links.end()) continue;  // a rotor is no link
      for (int i = outer; i >= 0; i = model_[i].parent)
        if (i == body) found.push_back(static_cast<std::size_t>(link - d_.links.begin()));
    }
    return found;
  }

  /// Puts a counterbalance on a link of the changed robot; false where it needs none.
  bool attach(DesignChange& change, std::size_t k, double z) const {
    const auto model = build(change.robot);
    if (!model) return false;
    const auto c = counterweight(*model, model->body_index(d_.links[k].name), z);
    if (!c) return false;
    Part part;
    part.mass = c->mass;
    part.com = c->com;
    change.robot.links[k].parts.push_back(part);
    change.text += (change.text.empty() ? "" : "; ") + sentence(k, *c);
    change.numbers += 4;
    return true;
  }

  std::string sentence(std::size_t k, const Counterweight& c) const {
    return fmt::format(
        "counterbalance on {}, across the axis of {}: {:.6g} kg at {} m, or another mass with {:.6g} kg m",
        d_.links[k].name, d_.links[k].joint_name, c.mass, text(c.com), c.moment);
  }

  const Description& d_;
  const Model<double>& model_;
  std::vector<DesignChange> out_;
};

}  // namespace

std::vector<DesignChange> mass_changes(const Description& d, const Model<double>& model) {
  return Masses(d, model).run();
}

}  // namespace torsor

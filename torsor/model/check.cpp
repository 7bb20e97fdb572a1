#include "torsor/model/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "torsor/model/check_loops.hpp"
#include "torsor/model/cycles.hpp"
#include "torsor/numeric/invert.hpp"

namespace torsor {
namespace {

bool finite(double x) { return std::isfinite(x); }
bool finite(const Vec3<double>& v) { return finite(v.x) && finite(v.y) && finite(v.z); }
bool finite(const Sym3<double>& s) {
  return finite(Vec3<double>{s.xx, s.yy, s.zz}) && finite(Vec3<double>{s.xy, s.xz, s.yz});
}

// m; kg and kg m^2. No machine is larger, and squares and products of smaller numbers neither overflow nor swallow
// what is added to them
constexpr double largest_length = 1e6, largest_mass = 1e12;
// kg and kg m^2, where it is not zero: nothing weighs less, and what is divided by its square stays finite
constexpr double smallest_mass = 1e-100;

double largest_of(std::initializer_list<double> numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  return largest;
}
double largest_of(const Vec3<double>& v) { return largest_of({v.x, v.y, v.z}); }

/// Numbers that are finite and yet beyond any machine, or too near to zero to be divided by.
void check_size(const Where& where, const std::string& offender, const char* what, double number, double largest,
                const char* unit, double smallest, Faults& errors) {
  const bool small = number > 0 && number < smallest;
  if (!small && !(finite(number) && number > largest)) return;
  errors.push_back({where, offender, "number-size", fmt::format("{} {:.4g} {}", what, number, unit),
                    fmt::format("nothing {} {:.0e} {}{} is taken: check digits and exponent",
                                small ? "below" : "beyond", small ? smallest : largest, unit, small ? " but 0" : "")});
}

/// Largest entry of R^T R - 1; infinite when R is not finite. A reflection counts as not a rotation at all.
double orthonormality_error(const Mat3<double>& R) {
  if (!finite(R.x) || !finite(R.y) || !finite(R.z)) return std::numeric_limits<double>::infinity();
  if (dot(cross(R.x, R.y), R.z) <= 0) return std::numeric_limits<double>::infinity();
  const Mat3<double> E = ~R * R - Mat3<double>::identity();
  double worst = 0;
  for (const Vec3<double>& column : {E.x, E.y, E.z})
    for (const double e : {column.x, column.y, column.z}) worst = std::max(worst, std::abs(e));
  return worst;
}

class Checker {
 public:
  Checker(const Description& description, std::vector<int>& parents) : d(description), parent(parents) {}

  Faults run() {
    whole_robot();
    names();
    rotor_names();
    tree();
    for (const LinkDescription& link : d.links) numbers(link), drive(link);
    mimics();
    for (const TransmissionDescription& t : d.transmissions) transmission(t);
    tools();
    for (Fault& error : check_loops(d)) errors.push_back(std::move(error));
    return std::move(errors);
  }

 private:
  const Description& d;
  std::vector<int>& parent;
  Faults errors;
  std::unordered_map<std::string, int> link_index, joint_index;
  std::unordered_map<std::string, Where> driven;  // joints that already have a gear or a transmission
  std::unordered_set<std::string> motors;         // the motor of a gear is named after its joint

  void fault(const Where& where, std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({in_file(where), std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }
  static std::string link(const LinkDescription& l) { return fmt::format("link \"{}\"", l.name); }
  static std::string joint(const LinkDescription& l) { return fmt::format("joint \"{}\"", l.joint_name); }

  void whole_robot() {
    if (d.links.empty()) fault(d.where, "robot", "robot-empty", "it has no links", "give at least one [[link]]");
    if (!finite(d.gravity))
      fault({}, "gravity", "number-finite", "it is not a finite vector", "give three finite numbers in m/s^2");
    size({}, "gravity", "it has a component of", largest_of(d.gravity), 1e6, "m/s^2");
    if (!finite(d.base.p))
      fault({}, "base", "number-finite", "its position is not finite", "give three finite numbers in metres");
    length({}, "base", "its position has a coordinate of", largest_of(d.base.p));
    rotation(d.base.R, {}, "base");
    for (const Part& part : d.base_parts) piece(part, d.where, "base");
  }

  Where in_file(const Where& where) const { return {where.file.empty() ? d.file : where.file, where.line}; }
  void size(const Where& where, const std::string& offender, const char* what, double number, double largest,
            const char* unit, double smallest = 0) {
    check_size(in_file(where), offender, what, number, largest, unit, smallest, errors);
  }
  void length(const Where& where, const std::string& offender, const char* what, double number) {
    size(where, offender, what, number, largest_length, "m");
  }

  void piece(const Part& part, const Where& owner, const std::string& offender) {
    for (const Fault& e : check_part(part, part.where.line > 0 ? part.where : owner, offender))
      fault(e.where, e.offender, e.rule, e.what, e.remedy);
  }

  void rotation(const Mat3<double>& R, const Where& where, const std::string& offender) {
    const double error = orthonormality_error(R);
    if (!(error < 1e-9))
      fault(where, offender, "rotation-orthonormal",
            fmt::format("its rotation is off by {:.1e} from orthonormal and right-handed", error),
            "give a proper rotation: unit, mutually perpendicular, right-handed axes");
  }

  void names() {
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      const LinkDescription& l = d.links[i];
      bool taken = false;
      if (l.name.empty())
        fault(l.where, fmt::format("link {}", i + 1), "link-name", "it has no name", "give it a name of its own");
      else if (l.name == d.base_name)
        fault(l.where, link(l), "link-name", fmt::format("\"{}\" is the fixed base", d.base_name),
              "give the link another name");
      else if (taken = !link_index.emplace(l.name, static_cast<int>(i)).second; taken)
        fault(l.where, link(l), "link-name", "another link has this name already", "give each link a name of its own");
      if (l.joint_name.empty())
        fault(l.where, link(l), "joint-name", "its joint has no name", "give the joint a name of its own");
      else if (const bool new_joint = joint_index.emplace(l.joint_name, static_cast<int>(i)).second;
               !new_joint &&
               !(taken && l.joint_name == l.name))  // a joint named after its link repeats the link's fault
        fault(l.where, joint(l), "joint-name", "another joint has this name already",
              "give each joint a name of its own");
    }
  }

  /// A rotor that is a body takes the name of its link and joint, with `.rotor` behind; nobody else may have it.
  void rotor_names() {
    for (const LinkDescription& l : d.links) {
      if (!l.rotor || !l.rotor->as_body) continue;
      const auto taken = [&](const auto& index, const std::string& name, const char* rule, const auto& offender) {
        if (const auto found = index.find(name + ".rotor"); found != index.end())
          fault(d.links[found->second].where, offender(d.links[found->second]), rule,
                fmt::format("the rotor of \"{}\", a body of its own, has this name", name), "give it another name");
      };
      if (link_index.contains(l.name + ".rotor"))
        taken(link_index, l.name, "link-name", link);
      else
        taken(joint_index, l.joint_name, "joint-name", joint);
    }
  }

  void tree() {
    parent.assign(d.links.size(), -1);
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      const LinkDescription& l = d.links[i];
      if (!l.parent)
        parent[i] = static_cast<int>(i) - 1;
      else if (*l.parent != d.base_name) {
        const auto found = link_index.find(*l.parent);
        if (found != link_index.end())
          parent[i] = found->second;
        else
          fault(l.where, link(l), "parent-unknown", fmt::format("there is no link \"{}\" to be its parent", *l.parent),
                fmt::format("name an existing link, or \"{}\"", d.base_name));
      }
    }
    for (const int i : first_of_each_cycle(d.links.size(), [&](int k) { return parent[k]; }))
      fault(d.links[i].where, link(d.links[i]), "parent-cycle", "it is its own ancestor",
            "a tree has no loops: let one of these links hang from another parent");
  }

  static const Where& geometry_line(const LinkDescription& l) {
    return l.geometry_where.line > 0 ? l.geometry_where : l.where;
  }

  void numbers(const LinkDescription& l) {
    if (const auto* dh = std::get_if<DhRow>(&l.geometry)) {
      if (d.convention == Convention::placement)
        fault(l.where, link(l), "dh-convention", "it has a DH row but the robot names no DH convention",
              "set convention = \"standard-dh\" or \"modified-dh\"");
      if (row(l.kind).nv > 1)
        fault(l.where, joint(l), "dh-joint", fmt::format("a DH row cannot place a {} joint", row(l.kind).name),
              "give this link an explicit placement");
      for (const double x : {dh->theta, dh->d, dh->a, dh->alpha, dh->beta})
        if (!finite(x))
          fault(l.where, link(l), "number-finite", "its DH row holds a number that is not finite",
                "give finite numbers");
      length(geometry_line(l), link(l), "its DH row has a length of", largest_of({dh->a, dh->d}));
    } else {
      const auto& place = std::get<JointPlacement>(l.geometry);
      rotation(place.X_parent_joint.R, l.where, link(l));
      if (!finite(place.X_parent_joint.p))
        fault(l.where, link(l), "number-finite", "its position is not finite", "give finite numbers");
      length(geometry_line(l), link(l), "its position has a coordinate of", largest_of(place.X_parent_joint.p));
      const Vec3<double>& axis = place.axis;
      if (has_axis(l.kind) && (!finite(axis) || (axis.x == 0 && axis.y == 0 && axis.z == 0)))
        fault(l.where, joint(l), "axis-zero", "its axis has no direction",
              "give a vector of non-zero length, such as [0, 0, 1]");
    }
    if (!finite(l.pitch))
      fault(l.where, joint(l), "number-finite", "its pitch is not finite", "give the pitch in metres per radian");
    length(l.where, joint(l), "its pitch is", std::abs(l.pitch));
    for (const Part& part : l.parts) piece(part, l.where, link(l));
    const Limits& b = l.limits;
    if (!(b.lower <= b.upper))
      fault(l.where, joint(l), "limits-order",
            fmt::format("its position limits [{}, {}] are reversed", b.lower, b.upper), "give the lower one first");
    if (!(b.velocity > 0) || !(b.effort > 0) || !(b.acceleration > 0) || !(b.deceleration > 0) || !(b.jerk > 0))
      fault(l.where, joint(l), "limits-sign", "a limit of velocity, acceleration, jerk or torque is not positive",
            "give the largest magnitude allowed, a positive number");
  }

  void drive(const LinkDescription& l) {
    if (l.friction) {
      const Friction<double>& f = *l.friction;
      if (row(l.kind).nv != 1)
        fault(l.where, joint(l), "friction-kind", fmt::format("a {} joint has no friction law here", row(l.kind).name),
              "friction belongs to joints of one degree of freedom");
      for (const double x : {f.viscous, f.coulomb_positive, f.coulomb_negative, f.breakaway_positive,
                             f.breakaway_negative, f.stribeck_velocity})
        if (!(x >= 0) || !finite(x)) {
          fault(l.where, joint(l), "friction-sign", fmt::format("a friction coefficient is {}", x),
                "friction opposes motion: give magnitudes, zero or positive");
          break;
        }
      const auto below = [](double breakaway, double coulomb) { return breakaway >= 0 && breakaway < coulomb; };
      if (f.stribeck_velocity > 0 &&
          (below(f.breakaway_positive, f.coulomb_positive) || below(f.breakaway_negative, f.coulomb_negative)))
        fault(l.where, joint(l), "friction-breakaway", "its breakaway level is below the coulomb level",
              "friction is largest at rest: give breakaway >= coulomb in each direction");
      const auto& t = f.table;
      for (const auto* numbers : {&t.q, &t.qd, &t.values})
        for (const double x : *numbers)
          if (!finite(x)) {
            fault(l.where, joint(l), "friction-table", fmt::format("its friction table holds {}", x),
                  "give finite numbers");
            break;
          }
      if (!t.values.empty() && t.values.size() != std::max<std::size_t>(t.q.size(), 1) * t.qd.size())
        fault(
            l.where, joint(l), "friction-table", fmt::format("its friction table has {} values", t.values.size()),
            fmt::format("give one for each of {} x {} grid points", std::max<std::size_t>(t.q.size(), 1), t.qd.size()));
      for (const auto* grid : {&t.q, &t.qd})
        for (std::size_t k = 0; k + 1 < grid->size(); ++k)
          if (!((*grid)[k] < (*grid)[k + 1])) {
            fault(l.where, joint(l), "friction-table", "a grid of its friction table does not increase",
                  "sort the grid, without repetitions");
            break;
          }
      if (l.friction_at_motor && !t.values.empty())
        fault(l.where, joint(l), "friction-table", "a friction table cannot be given on the motor side",
              "give the table at the joint");
    }
    if (l.friction_at_motor && !l.rotor)
      fault(l.where, joint(l), "friction-motor", "its friction is given at the motor but it has no gear",
            "add rotor = { inertia = ..., gear = ... }, or give the friction at the joint");
    if (!l.rotor) return;
    const Where& where = l.rotor->where.line > 0 ? l.rotor->where : l.where;
    if (l.kind == JointKind::spherical) {
      if (l.rotor->gear != 1 || l.rotor->as_body)
        fault(where, joint(l), "rotor-kind", "a spherical joint has no motor with a gear, and none that is a body",
              "give the inertia alone: it is added to each of its three velocities");
    } else if (row(l.kind).nv != 1) {
      fault(where, joint(l), "rotor-kind", fmt::format("a {} joint cannot carry a rotor", row(l.kind).name),
            l.kind == JointKind::free ? "write three prismatic joints and a spherical one, and give the rotor to them"
                                      : "rotors belong to spherical joints and those of one degree of freedom");
    }
    if (l.mimic)
      fault(where, joint(l), "rotor-mimic", "a mimic joint has no motor of its own",
            "give the rotor to the joint it follows");
    if (!(l.rotor->inertia >= 0) || !finite(l.rotor->inertia))
      fault(where, joint(l), "rotor-inertia", fmt::format("its rotor inertia is {}", l.rotor->inertia),
            "give a number zero or positive, in kg m^2 on the motor side");
    size(where, joint(l), "its rotor inertia is", l.rotor->inertia, largest_mass, "kg m^2", smallest_mass);
    // the square is what the joint feels
    if (const double square = l.rotor->gear * l.rotor->gear; !(square > 0) || !finite(square))
      fault(where, joint(l), "rotor-gear", fmt::format("its gear ratio is {}", l.rotor->gear),
            "give motor speed / joint speed: not zero, and its square must be a finite number too");
    if (l.kind == JointKind::spherical) return;  // no motor, only an inertia
    driven.emplace(l.joint_name, where);
    motors.insert(l.joint_name);
  }

  void mimics() {
    for (const LinkDescription& l : d.links) {
      if (!l.mimic) continue;
      const Where& where = l.mimic->where.line > 0 ? l.mimic->where : l.where;
      if (row(l.kind).nv != 1)
        fault(where, joint(l), "mimic-kind", fmt::format("a {} joint cannot follow another", row(l.kind).name),
              "only joints of one degree of freedom can");
      if (!finite(l.mimic->ratio) || !finite(l.mimic->offset))
        fault(where, joint(l), "number-finite", "its mimic ratio or offset is not finite", "give finite numbers");
      if (l.mimic->ratio == 0)
        fault(where, joint(l), "mimic-ratio", "its mimic ratio is 0: it never moves",
              "make it a fixed joint, or give the ratio of its speed to the other joint's");
      const auto master = joint_index.find(l.mimic->joint);
      if (master == joint_index.end())
        fault(where, joint(l), "mimic-unknown", fmt::format("there is no joint \"{}\" to follow", l.mimic->joint),
              "name an existing joint");
      else if (const JointKind kind = d.links[master->second].kind; row(kind).nv != 1)
        fault(where, joint(l), "mimic-kind", fmt::format("it follows a {} joint", row(kind).name),
              "only joints of one degree of freedom can be followed");
    }
    const auto master = [&](int i) {
      if (!d.links[i].mimic) return -1;
      const auto found = joint_index.find(d.links[i].mimic->joint);
      return found == joint_index.end() ? -1 : found->second;
    };
    for (const int i : first_of_each_cycle(d.links.size(), master)) {
      const LinkDescription& l = d.links[i];
      fault(l.mimic->where.line > 0 ? l.mimic->where : l.where, joint(l), "mimic-cycle",
            "it follows itself, directly or through others", "let one of these joints move on its own");
    }
  }

  void transmission(const TransmissionDescription& t) {
    const std::string offender = "transmission of \"" + (t.joints.empty() ? std::string("?") : t.joints.front()) + "\"";
    const std::size_t n = t.joints.size();
    bool square = n > 0 && t.motors.size() == n && t.matrix.size() == n &&
                  (t.rotor_inertia.empty() || t.rotor_inertia.size() == n);
    std::vector<double> matrix;
    for (const auto& matrix_row : t.matrix) {
      square = square && matrix_row.size() == n;
      matrix.insert(matrix.end(), matrix_row.begin(), matrix_row.end());
    }
    if (!square) {
      fault(t.where, offender, "transmission-size",
            fmt::format("{} motors, {} joints and a matrix of {} rows do not fit", t.motors.size(), n, t.matrix.size()),
            "give as many motors as joints and a square matrix: joint speeds = matrix * motor speeds");
      return;
    }
    for (const double x : matrix)
      if (!finite(x))
        return fault(t.where, offender, "number-finite", "its matrix holds a number that is not finite",
                     "give finite numbers");
    if (!invert(matrix, static_cast<int>(n)))
      fault(t.where, offender, "transmission-singular", "its matrix has no inverse",
            "each joint motion must belong to exactly one motor motion");
    for (const double J : t.rotor_inertia)
      if (!(J >= 0) || !finite(J))
        fault(t.where, offender, "rotor-inertia", fmt::format("a rotor inertia is {}", J),
              "give numbers zero or positive, in kg m^2 on the motor side");
    for (const std::string& name : t.motors)
      if (!motors.insert(name).second)
        fault(t.where, offender, "transmission-motor", fmt::format("motor \"{}\" is there already", name),
              "give each motor a name of its own; that of a rotor with gear has the name of its joint");
    for (const std::string& name : t.joints) {
      const auto found = joint_index.find(name);
      if (found == joint_index.end()) {
        fault(t.where, offender, "transmission-joint", fmt::format("there is no joint \"{}\"", name),
              "name existing joints");
        continue;
      }
      const LinkDescription& l = d.links[found->second];
      if (row(l.kind).nv != 1 || l.mimic)
        fault(t.where, offender, "transmission-joint", fmt::format("joint \"{}\" cannot be driven by it", name),
              "name joints of one degree of freedom that mimic no other");
      if (!driven.emplace(name, t.where).second)
        fault(t.where, offender, "transmission-twice", fmt::format("joint \"{}\" has a drive already", name),
              "drive each joint once: by a rotor with gear, or by one transmission");
    }
  }

  void tools() {
    std::unordered_set<std::string> seen;
    for (const ToolDescription& t : d.tools) {
      const std::string offender = fmt::format("tool \"{}\"", t.name);
      if (t.name.empty() || !seen.insert(t.name).second)
        fault(t.where, offender, "tool-name", "its name is empty or taken", "give each tool a name of its own");
      if (!link_index.contains(t.link))
        fault(t.where, offender, "tool-link", fmt::format("there is no link \"{}\"", t.link), "name an existing link");
      rotation(t.X_link_tool.R, t.where, offender);
      if (!finite(t.X_link_tool.p))
        fault(t.where, offender, "number-finite", "its position is not finite", "give finite numbers");
      length(t.where, offender, "its position has a coordinate of", largest_of(t.X_link_tool.p));
    }
  }
};

}  // namespace

Faults check_part(const Part& part, const Where& where, const std::string& offender) {
  Faults errors;
  if (!finite(part.mass) || !finite(part.com) || !finite(part.tensor))
    errors.push_back(
        {where, offender, "number-finite", "its mass, mass centre or inertia is not finite", "give finite numbers"});
  if (part.mass < 0)
    errors.push_back(
        {where, offender, "mass-negative", fmt::format("its mass is {} kg", part.mass), "a mass is zero or positive"});
  const Sym3<double>& I = part.tensor;
  const double aside = largest_of(part.com), entry = largest_of({I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
  check_size(where, offender, "its mass is", part.mass, largest_mass, "kg", smallest_mass, errors);
  check_size(where, offender, "its mass centre has a coordinate of", aside, largest_length, "m", 0, errors);
  check_size(part.tensor_where.line > 0 ? part.tensor_where : where, offender, "its inertia has an entry of", entry,
             largest_mass, "kg m^2", smallest_mass, errors);
  return errors;
}

Faults check_structure(const Description& description, std::vector<int>& parent) {
  return Checker(description, parent).run();
}

}  // namespace torsor

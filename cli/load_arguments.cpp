#include "cli/load_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/io/number.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/mass_spread.hpp"

namespace torsor {
namespace {

using List = std::vector<double>;

Vec3<double> vec(const List& list, std::size_t at) { return {list[at], list[at + 1], list[at + 2]}; }

std::string words(std::span<const double> numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : " ") + print_number(x);
  return text;
}

void check_count(const std::optional<List>& list, const char* option, std::initializer_list<std::size_t> counts,
                 const char* meaning, Faults& errors) {
  if (!list || std::find(counts.begin(), counts.end(), list->size()) != counts.end()) return;
  errors.push_back(
      count_error(option, list->size(), fmt::format("{}", fmt::join(counts, " or ")), fmt::format("give {}", meaning)));
}

Part body_of(const List& p) {
  Part part;
  part.mass = p[0];
  if (p.size() > 1) part.com = vec(p, 1);
  if (p.size() > 4) part.tensor = {p[4], p[5], p[6]};
  return part;
}

// a rigid body: mass and moments not negative, no moment larger than the other two together, none without mass
void check_payload(const List& p, Faults& errors) {
  const auto fault = [&errors](std::string what, std::string remedy) {
    errors.push_back({{}, "--payload", "payload", std::move(what), std::move(remedy)});
  };
  if (p[0] < 0)
    return fault(fmt::format("the mass is {}", print_number(p[0])), "give a mass in kg that is not negative");
  const Part part = body_of(p);
  if (Faults sizes = check_part(part, {}, "--payload"); !sizes.empty()) {
    errors.insert(errors.end(), sizes.begin(), sizes.end());
    return;
  }
  const MassSpread spread = mass_spread(part.mass, part.tensor);
  if (can_be_a_body(spread, part.com)) return;
  if (spread.moments[0] < 0)
    fault("a moment of inertia is negative", "give them in kg m^2 about the payload's mass centre");
  else if (p[0] == 0)
    fault("it has a mass centre or moments of inertia, and the mass is 0", "give its mass, or leave out the rest");
  else
    fault(fmt::format("no body has the moments of inertia {} {} {}", print_number(p[4]), print_number(p[5]), print_number(p[6])),
          "each is at most the sum of the other two, about the payload's mass centre");
}

}  // namespace

void LoadArguments::add_to(Options& options, bool moving_base) {
  options.group("Loads")
      .numbers("--payload", "LIST", payload,
               "mass[,cx,cy,cz[,ixx,iyy,izz]] at the tool frame: kg, m, kg m^2 about its mass centre")
      .numbers("--wrench", "LIST", wrench,
               "fx,fy,fz,nx,ny,nz exerted on the robot at the tool frame, along its axes: N, N m");
  if (moving_base)
    options.numbers("--base-motion", "LIST", base_motion,
                    "wx,wy,wz,wdx,wdy,wdz,ax,ay,az of the base in the world: angular velocity, angular acceleration, "
                    "acceleration of its origin");
  options.numbers("--gravity", "LIST", gravity, "gx,gy,gz in the world, m/s^2; default: the file's").group("Options");
}

Faults check_loads(const LoadArguments& a) {
  Faults errors;
  check_count(a.payload, "--payload", {1, 4, 7}, "mass, or mass,cx,cy,cz, or mass,cx,cy,cz,ixx,iyy,izz", errors);
  check_count(a.wrench, "--wrench", {6}, "fx,fy,fz,nx,ny,nz", errors);
  check_count(a.base_motion, "--base-motion", {9}, "wx,wy,wz,wdx,wdy,wdz,ax,ay,az", errors);
  check_count(a.gravity, "--gravity", {3}, "gx,gy,gz", errors);
  if (a.payload && (a.payload->size() == 1 || a.payload->size() == 4 || a.payload->size() == 7))
    check_payload(*a.payload, errors);
  return errors;
}

Part payload_of(const LoadArguments& a) { return body_of(*a.payload); }

AppliedLoads apply_loads(const LoadArguments& a, const Frame<double>& tool, Model<double>& model) {
  AppliedLoads loads;
  if (a.gravity) {
    model.gravity = vec(*a.gravity, 0);
    loads.sentences.push_back(fmt::format("gravity {} m/s²", words(*a.gravity)));
  }
  if (a.payload) {
    model = with_payload(std::move(model), tool.body, tool.X_body_frame, inertia_of({payload_of(a)}));
    loads.sentences.push_back(fmt::format("payload {} kg at \"{}\"", print_number((*a.payload)[0]), tool.name));
  }
  if (a.wrench) {
    loads.external.assign(model.bodies.size(), {});
    loads.external[static_cast<std::size_t>(tool.body)] =
        tool.X_body_frame * Force<double>{vec(*a.wrench, 3), vec(*a.wrench, 0)};
    loads.sentences.push_back(fmt::format("wrench on the robot at \"{}\", its axes: force {} N, moment {} N m",
                                          tool.name, words(std::span(*a.wrench).first(3)),
                                          words(std::span(*a.wrench).last(3))));
  }
  if (a.base_motion) {
    loads.base = {vec(*a.base_motion, 0), vec(*a.base_motion, 3), vec(*a.base_motion, 6)};
    loads.base_moves = true;
    loads.sentences.push_back(fmt::format("base motion {}", words(*a.base_motion)));
  }
  return loads;
}

}  // namespace torsor

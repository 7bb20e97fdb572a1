#include "cli/load_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/robot_argument.hpp"
#include "torsor/text/number.hpp"

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

Payload payload_of(const List& p) {
  Payload payload{.mass = p[0]};
  if (p.size() > 1) payload.com = vec(p, 1);
  if (p.size() > 4) payload.inertia = {p[4], p[5], p[6]};
  return payload;
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
  if (!a.payload || (a.payload->size() != 1 && a.payload->size() != 4 && a.payload->size() != 7)) return errors;
  for (Fault fault : faults_of(payload_of(*a.payload))) {
    fault.offender = "--payload";
    errors.push_back(std::move(fault));
  }
  return errors;
}

LoadedRobot apply_loads(const LoadArguments& a, const Frame<double>& tool, const Robot& robot) {
  LoadedRobot out{robot};
  if (a.gravity) {
    out.robot = out.robot.with_gravity(vec(*a.gravity, 0));
    out.sentences.push_back(fmt::format("gravity {} m/s²", words(*a.gravity)));
  }
  if (a.payload) {
    out.robot = out.robot.with_payload(payload_of(*a.payload), tool);
    out.sentences.push_back(fmt::format("payload {} kg at \"{}\"", print_number((*a.payload)[0]), tool.name));
  }
  if (a.wrench) {
    out.loads.add_wrench(tool, {vec(*a.wrench, 3), vec(*a.wrench, 0)});
    out.sentences.push_back(fmt::format("wrench on the robot at \"{}\", its axes: force {} N, moment {} N m", tool.name,
                                        words(std::span(*a.wrench).first(3)), words(std::span(*a.wrench).last(3))));
  }
  if (a.base_motion) {
    out.loads.base = {vec(*a.base_motion, 0), vec(*a.base_motion, 3), vec(*a.base_motion, 6)};
    out.sentences.push_back(fmt::format("base motion {}", words(*a.base_motion)));
  }
  return out;
}

Result<LoadedRobot> read_loads(const LoadArguments& arguments, const Robot& robot,
                               const std::optional<std::string>& tool, Faults& errors) {
  Faults faults = check_loads(arguments);
  const auto frame = find_tool(robot, tool, faults);
  errors.insert(errors.end(), faults.begin(), faults.end());
  if (!faults.empty()) return faults;
  return apply_loads(arguments, *frame, robot);
}

}  // namespace torsor

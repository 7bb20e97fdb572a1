// What a motion asks of the motors of a drive file, for the Studio: torque over speed at every instant, inside what the motor can give.
#include "cli/studio_robot.hpp"
#include "torsor/drives/assign_drives.hpp"
#include "torsor/drives/sizing.hpp"
#include "torsor/files/drive_toml.hpp"

namespace torsor {

void StudioRobot::drives(const StudioRequest& in, StudioAnswer& out) {
  StudioLoaded& at = loaded(in);
  const auto sheet = read_drive_toml(in.text("drives"), in.text_or("name", "drives.toml"));
  if (!sheet) throw_error(sheet.faults());
  auto assigned = assign_drives(*sheet, at.robot.description(), at.robot.model());
  if (!assigned) throw_error(assigned.faults());
  const Robot bare(without_rotors(at.robot.description()));
  const StudioMotion motion = sampled(in, at);
  const auto n = static_cast<std::size_t>(robot_.nv());
  Sizing sizing({at.robot.model(), bare.model(), {}, *std::move(assigned), {}});
  std::vector<double> instant(sizing.width());
  std::vector<std::vector<double>> speed(sizing.drives().size()), torque(speed.size());
  for (std::size_t k = 0; k < motion.t.size(); ++k) {
    const auto row = [&](const std::vector<double>& all) { return std::span<const double>(all).subspan(k * n, n); };
    sizing.evaluate(row(motion.q), row(motion.qd), row(motion.qdd), instant);
    for (std::size_t d = 0; d < speed.size(); ++d) {
      speed[d].push_back(sizing.motor_speed(instant, d));
      torque[d].push_back(sizing.motor_torque(instant, d));
    }
  }
  JsonWriter& json = out.json;
  json.key("drives").begin_array();
  for (std::size_t d = 0; d < speed.size(); ++d) {
    const AssignedDrive& drive = sizing.drives()[d];
    const auto curve = [&json](const char* name, const TorqueCurve& c) {
      json.key(name).begin_object().key("speed").value(std::span<const double>(c.speed));
      json.key("torque").value(std::span<const double>(c.torque)).end_object();
    };
    json.begin_object().field("name", drive.name);
    if (drive.gear) json.field("gear", *drive.gear);
    if (drive.motor) {
      json.field("motor", drive.motor->name);
      curve("peak", drive.motor->peak);
      curve("continuous", drive.motor->continuous);
    }
    out.rows("speed", speed[d]);
    out.rows("torque", torque[d]);
    json.end_object();
  }
  json.end_array();
}

}  // namespace torsor

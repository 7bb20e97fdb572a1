#include "torsor/files/tool_csv.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "torsor/text/csv_writer.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/trajectory/published_path.hpp"

using namespace torsor;

namespace {

Faults errors_of(const std::string& text) {
  std::istringstream in(text);
  ToolReader reader(in, "hand.csv");
  ToolRow row;
  while (reader.next(row)) {
  }
  return reader.faults();
}

std::string rules_of_table(const std::string& text) {
  std::string rules;
  for (const Fault& error : errors_of(text))
    rules += (rules.empty() ? "" : ", ") + std::to_string(error.where.line) + ' ' + error.rule;
  return rules;
}

}  // namespace

TEST_CASE("angles beside a quaternion must say the same") {
  const std::string header = "x,y,z,e0,e1,e2,e3,roll,pitch,yaw\n", place = "0,0,0,";
  // a quarter turn about z
  CHECK(rules_of_table(header + place + "0.70710678,0,0,0.70710678,0,0,1.570796\n") == "");
  CHECK(rules_of_table(header + place + "-0.70710678,0,0,-0.70710678,0,0,1.570796\n") == "");
  CHECK(rules_of_table(header + place + "0.70710678,0,0,0.70710678,0,0,1.570796\n" + place +
                 "0.70710678,0,0,0.70710678,0.2,0,1.570796\n") == "3 motion-orientation");
}

TEST_CASE("what is written of a motion of the hand reads back") {
  const PathMotion motion = published_path("sixr_sim")->make();
  std::vector<std::string> header{"t"};
  header.insert(header.end(), tool_columns().begin(), tool_columns().end());
  std::stringstream file;
  {
    CsvWriter csv(file, "hand.csv", header);
    Quaternion<double> before;
    sample_cartesian(motion, 0.1, [&](double t, const CartesianState& state) {
      std::vector<double> row{t};
      append_tool(state, before, row);
      REQUIRE(row.size() == header.size());
      csv.row(row);
    });
  }
  ToolReader reader(file, "hand.csv");
  CHECK(reader.has_time());
  CHECK(reader.has_accelerations());
  CHECK(reader.ignored().empty());
  ToolRow row;
  int rows = 0;
  while (reader.next(row)) {
    const CartesianState state = motion.sample(row.t);
    CHECK(row.state.X.p.x == state.X.p.x);
    CHECK(norm(row.state.X.R.x - state.X.R.x) + norm(row.state.X.R.z - state.X.R.z) < 1e-14);
    CHECK(row.state.twist.w.y == state.twist.w.y);
    CHECK(row.state.acceleration.v.z == state.acceleration.v.z);
    ++rows;
  }
  CHECK(reader.ok());
  CHECK(rows == sample_count(motion.duration(), 0.1));
}

TEST_CASE("the sign of the quaternion does not jump along a motion") {
  Quaternion<double> before;
  std::vector<double> last;
  for (int k = 0; k <= 40; ++k) {
    CartesianState state;
    state.X.R = rotation_z(0.3 * k);
    std::vector<double> row;
    append_tool(state, before, row);
    if (!last.empty()) CHECK(std::abs(row[3] - last[3]) + std::abs(row[6] - last[6]) < 0.4);
    last = row;
  }
}

TEST_CASE("roll, pitch, yaw do instead of a quaternion, and rates may be missing") {
  std::istringstream in("x;y;z;roll;pitch;yaw;speed\n1;2;3;0;0;0.5;7\n");
  ToolReader reader(in, "hand.csv");
  ToolRow row;
  REQUIRE(reader.next(row));
  CHECK_FALSE(reader.has_time());
  CHECK_FALSE(reader.has_velocities());
  CHECK(reader.ignored() == std::vector<std::string>{"speed"});
  CHECK(row.state.X.R.x.y == doctest::Approx(std::sin(0.5)));
  CHECK_FALSE(reader.next(row));
  CHECK(reader.ok());
}

TEST_CASE("faults of a path of the hand are told by line, all of them") {
  CHECK(rules_of_table("x,y,z\n1,2,3\n") == "0 motion-column, 0 motion-column, 0 motion-column, 0 motion-column");
  CHECK(rules_of_table("t,x,y,e0,e1,e2,e3,wx,wy,wz\n") ==
        "0 motion-column, 0 motion-column, 0 motion-column, 0 motion-column");
  CHECK(
      rules_of_table("t,x,y,z,e0,e1,e2,e3\n0,0,0,0,1,0,0,0\n0,0,0,0,1,0,0,0\n1,0,0,0,0.5,0,0,0\n2,0,0,0,1,0,0,abc\n") ==
      "3 motion-time, 4 quaternion-unit, 5 number");
  CHECK(rules_of_table("t,time,x,y,z,roll,pitch,yaw\n0,0,0,0,0,0,0,0\n") == "0 motion-column");
  CHECK(rules_of_table("") != "");
  CHECK(rules_of_table("x,y,z,roll,pitch,yaw\n") == "0 csv-no-data");
}

TEST_CASE("poses in millimetres and degrees are those in metres and radians") {
  const auto first = [](const std::string& text, bool degrees = false) {
    std::istringstream in(text);
    ToolReader reader(in, "tool.csv", degrees);
    ToolRow row;
    REQUIRE(reader.next(row));
    return row;
  };
  for (const ToolRow& row : {first("t (ms),x_mm,y [cm],z,roll (deg),pitch_deg,yaw\n500,400,20,0.6,90,0,0\n"),
                             first("t,x,y,z,roll,pitch,yaw (rad)\n0.5,0.4,0.2,0.6,90,0,0\n", true)}) {
    CHECK(row.t == 0.5);
    CHECK(row.state.X.p.x == 0.4);
    CHECK(row.state.X.p.y == 0.2);
    CHECK(norm(row.state.X.R.y - Vec3<double>{0, 0, 1}) < 1e-15);
  }
  // rates beside roll, pitch, yaw are in degrees with them; a table with quaternions stays in radians, as ours are
  CHECK(first("x,y,z,roll,pitch,yaw,wx,wy,wz,vx,vy,vz\n0,0,0,0,0,0,180,0,0,0,0,0\n", true).state.twist.w.x ==
        std::numbers::pi);
  CHECK(first("x,y,z,e0,e1,e2,e3,wx,wy,wz,vx,vy,vz\n0,0,0,1,0,0,0,2,0,0,0,0,0\n", true).state.twist.w.x == 2);
  const ToolRow moving = first("x,y,z,e0,e1,e2,e3,wx_deg_s,wy,wz,vx (mm/s),vy,vz\n0,0,0,1,0,0,0,180,0,0,100,0,0\n");
  CHECK(moving.state.twist.w.x == std::numbers::pi);
  CHECK(moving.state.twist.v.x == 0.1);
  CHECK(rules_of_table("x (in),y,z,roll,pitch,yaw\n0,0,0,0,0,0\n") == "0 column-unit");
  CHECK(rules_of_table("x,x_mm,y,z,roll,pitch,yaw\n0,0,0,0,0,0,0\n") == "0 motion-column");
}

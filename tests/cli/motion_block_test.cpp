#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

#include "command.hpp"

using namespace cli_test;

namespace {

using NumberTable = std::vector<std::vector<double>>;

// t, q, qd, qdd of a smooth motion of so many joints; long enough for several blocks
NumberTable smooth_motion(int rows, int joints) {
  NumberTable table;
  for (int k = 0; k < rows; ++k) {
    const double t = 0.001 * k;
    table.push_back({t});
    for (int order = 0; order < 3; ++order)
      for (int i = 0; i < joints; ++i) {
        const double w = 1 + i / 3.0, sine = std::sin(w * t), cosine = std::cos(w * t);
        table.back().push_back(order == 0 ? sine : order == 1 ? w * cosine : -w * w * sine);
      }
  }
  return table;
}

std::string csv_text(const NumberTable& table, int joints) {
  std::ostringstream text;
  text.precision(17);
  text << 't';
  for (const char* prefix : {"q", "qd", "qdd"})
    for (int i = 1; i <= joints; ++i) text << ',' << prefix << i;
  text << '\n';
  for (const auto& row : table)
    for (std::size_t k = 0; k < row.size(); ++k) text << row[k] << (k + 1 < row.size() ? ',' : '\n');
  return text.str();
}

// the array under a name in the folder of the tests, as NumPy writes it; from column `first` on
void write_npy(const std::string& name, const NumberTable& table, std::size_t first = 0) {
  const std::size_t columns = table.front().size() - first;
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(table.size()) + ", " +
                     std::to_string(columns) + "), }";
  text.resize(117, ' ');
  std::string bytes = "\x93NUMPY\x01" + std::string("\0\x76\0", 3) + text + '\n';
  for (const auto& row : table)
    bytes.append(reinterpret_cast<const char*>(row.data() + first), columns * sizeof(double));
  write(name, bytes);
}

// the numbers of an array with a head of 128 bytes, in rows
NumberTable npy_numbers(const std::string& name, std::size_t columns) {
  const std::string bytes = read(path(name));
  REQUIRE(bytes.size() >= 128);
  NumberTable table;
  for (std::size_t at = 128; at + columns * sizeof(double) <= bytes.size(); at += columns * sizeof(double)) {
    table.emplace_back(columns);
    std::memcpy(table.back().data(), bytes.data() + at, columns * sizeof(double));
  }
  CHECK(contains(bytes, "'shape': (" + std::to_string(table.size()) + ", " + std::to_string(columns) + "), }"));
  CHECK(bytes.size() == 128 + table.size() * columns * sizeof(double));
  return table;
}

// the numbers below a header line
NumberTable csv_numbers(const std::string& name) {
  NumberTable table;
  std::istringstream lines(read(path(name)));
  std::string line, cell;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    table.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) table.back().push_back(std::stod(cell));
  }
  return table;
}

// the largest difference of two tables over the largest number of all
double table_difference(const NumberTable& a, const NumberTable& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(a[k].size() == b[k].size());
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      worst = std::max(worst, std::abs(a[k][i] - b[k][i]));
      size = std::max(size, std::abs(a[k][i]));
    }
  }
  return worst / size;
}

// what the command makes of windows of a motion that are too short for a block, computed row by row: where they start, and
// the numbers of each
constexpr int window_rows = 20;
std::vector<std::pair<std::size_t, NumberTable>> by_rows(const std::string& command, const std::string& file) {
  std::vector<std::string> lines;
  std::istringstream text(read(path(file)));
  for (std::string line; std::getline(text, line);) lines.push_back(line + '\n');
  std::vector<std::pair<std::size_t, NumberTable>> windows;
  for (std::size_t first = 0; first + window_rows < lines.size(); first += 700) {
    std::string part = lines.front();
    for (std::size_t k = 0; k < window_rows; ++k) part += lines[first + 1 + k];
    write("window.csv", part);
    REQUIRE(torsor(command + " window.csv -o window_out.csv").code == 0);
    windows.emplace_back(first, csv_numbers("window_out.csv"));
  }
  return windows;
}

void check_windows(const std::string& command, const std::string& motion, const std::string& results, double bound) {
  const NumberTable all = csv_numbers(results);
  for (const auto& [first, rows] : by_rows(command, motion)) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    CHECK(table_difference({begin, begin + window_rows}, rows) < bound);
  }
}

}  // namespace

TEST_CASE("rows in blocks are those computed one by one, on any number of threads") {
  write("long.csv", csv_text(smooth_motion(2500, 6), 6));
  for (const std::string loads :
       {" --base-motion 0.1,0,0.2,0,1,0,0,0,1", " --wrench 5,-3,8,0.1,0.2,-0.5",
        " --wrench 5,-3,8,0.1,0.2,-0.5 --base-motion 0.1,0,0.2,0,1,0,0,0,1 --payload 2,0,0,0.1"}) {
    CAPTURE(loads);
    const std::string command = "id puma560_drives" + loads + " --motion";
    CHECK(torsor(command + " long.csv -o blocks.csv").code == 0);
    check_windows(command, "long.csv", "blocks.csv", 1e-13);
    CHECK(torsor(command + " long.csv -o threads.csv --threads 3").code == 0);
    CHECK(read(path("threads.csv")) == read(path("blocks.csv")));
  }
  CHECK(tells(torsor("id puma560 --q zero --threads 2").err, "option-mode", {"--threads", "--motion"}));
  CHECK(torsor("id puma560 --motion long.csv --threads 0").code == 2);
}

TEST_CASE("forward dynamics in blocks gives the accelerations back") {
  const NumberTable motion = smooth_motion(1500, 6);
  write("long.csv", csv_text(motion, 6));
  CHECK(torsor("id puma560 --motion long.csv -o torques.csv").code == 0);
  CHECK(torsor("fd puma560 --states torques.csv -o blocks.csv").code == 0);
  check_windows("fd puma560 --states", "torques.csv", "blocks.csv", 1e-11);
  const NumberTable back = csv_numbers("blocks.csv");
  REQUIRE(back.size() == motion.size());
  for (std::size_t k = 0; k < back.size(); k += 97)
    for (std::size_t i = 0; i < 6; ++i) CHECK(back[k][19 + i] == doctest::Approx(motion[k][13 + i]).epsilon(1e-9));
  CHECK(contains(torsor("fd puma560 --states torques.csv -o blocks.csv --json").out, "\"formulation\": \"batch\""));

  // a wrench, on the chain's tip or on a branch of a tree, is no reason to go row by row
  const std::string wrench = " --wrench 1,2,3,0.1,0.2,0.3";
  CHECK(contains(torsor("fd puma560" + wrench + " --states torques.csv -o blocks.csv --json").out,
                 "\"formulation\": \"batch\""));
  check_windows("fd puma560" + wrench + " --states", "torques.csv", "blocks.csv", 1e-11);
  write("long.csv", csv_text(smooth_motion(1500, 13), 13));
  CHECK(torsor("id two_arm --motion long.csv" + wrench + " -o torques.csv").code == 0);
  check_windows("id two_arm" + wrench + " --motion", "long.csv", "torques.csv", 1e-13);
  CHECK(contains(torsor("fd two_arm" + wrench + " --states torques.csv -o blocks.csv --json").out,
                 "\"formulation\": \"batch\""));
  check_windows("fd two_arm" + wrench + " --states", "torques.csv", "blocks.csv", 1e-10);
}

TEST_CASE("a fault inside a block has its line, and the rows before it are kept") {
  NumberTable motion = smooth_motion(2000, 2);
  std::string text = csv_text(motion, 2);
  std::size_t at = 0;
  for (int line = 1; line < 1502; ++line) at = text.find('\n', at) + 1;
  text.replace(at, 1, "x");
  write("bad.csv", text);
  const Outcome blocks = torsor("id two_link --motion bad.csv -o kept.csv");
  CHECK(blocks.code == 2);
  CHECK(tells(blocks.err, "number", {"bad.csv:1502", "\"t\"", "\"x.5\""}));
  CHECK(csv_numbers("kept.csv.partial").size() == 1500);

  // so has an instant whose torques are beyond all numbers
  motion[1200][3] = 1e200;
  write("vast.csv", csv_text(motion, 2));
  const Outcome vast = torsor("id two_link --motion vast.csv -o kept.csv");
  CHECK(vast.code == 1);
  CHECK(tells(vast.err, "not-finite", {"1.2"}));
  CHECK(csv_numbers("kept.csv.partial").size() == 1200);
}

TEST_CASE("arrays in give what CSV gives, and arrays out have the efforts alone") {
  const NumberTable motion = smooth_motion(1300, 6);
  write("motion.csv", csv_text(motion, 6));
  write_npy("motion.npy", motion);
  write_npy("untimed.npy", motion, 1);
  const Outcome text = torsor("id puma560 --motion motion.csv -o csv.csv");
  CHECK(text.code == 0);
  const Outcome id = torsor("id puma560 --motion motion.npy -o npy.csv");
  CHECK(id.code == 0);
  CHECK(id.err == text.err);
  CHECK(read(path("npy.csv")) == read(path("csv.csv")));

  NumberTable tau;
  for (const auto& row : csv_numbers("csv.csv")) tau.emplace_back(row.end() - 6, row.end());
  CHECK(torsor("id puma560 --motion motion.npy -o tau.npy").code == 0);
  CHECK(npy_numbers("tau.npy", 6) == tau);
  CHECK(torsor("id puma560 --motion untimed.npy -o tau.npy").code == 0);
  CHECK(npy_numbers("tau.npy", 6) == tau);
  CHECK(contains(torsor("id puma560 --motion untimed.npy -o tau.npy --json").out, "\"output\": \"tau.npy\""));

  // and on to forward dynamics
  NumberTable states = motion;
  for (std::size_t k = 0; k < states.size(); ++k) std::copy(tau[k].begin(), tau[k].end(), states[k].begin() + 13);
  write_npy("states.npy", states);
  CHECK(torsor("fd puma560 --states states.npy -o qdd.npy").code == 0);
  NumberTable qdd;
  for (const auto& row : motion) qdd.emplace_back(row.begin() + 13, row.end());
  CHECK(table_difference(npy_numbers("qdd.npy", 6), qdd) < 1e-9);
}

TEST_CASE("arrays that are not a motion of the robot are refused, and what was sound of a cut one is kept") {
  const NumberTable motion = smooth_motion(40, 2);
  write_npy("two.npy", motion);
  write_npy("untimed.npy", motion, 1);
  const Outcome wide = torsor("id puma560 --motion untimed.npy -o none.npy");
  CHECK(wide.code == 2);
  CHECK(tells(wide.err, "motion-column", {"untimed.npy", "6"}));
  CHECK(tells(wide.err, "motion-column", {"18", "19"}));
  CHECK_FALSE(std::filesystem::exists(path("none.npy")));

  write("text.npy", "t,q1\n0,1\n");
  CHECK(tells(torsor("id two_link --motion text.npy").err, "npy-magic", {"text.npy"}));

  const std::string bytes = read(path("two.npy"));
  write("cut.npy", bytes.substr(0, bytes.size() - 100));
  const Outcome cut = torsor("id two_link --motion cut.npy -o kept.npy");
  CHECK(cut.code == 2);
  CHECK(tells(cut.err, "npy-truncated", {"cut.npy", "38", "40", "7"}));
  CHECK(tells(cut.err, "npy-truncated", {"38"}));
  CHECK(npy_numbers("kept.npy.partial", 2).size() == 38);
  CHECK(tells(torsor("id two_link --motion two.npy -o ./two.npy").err, "same-file"));
}

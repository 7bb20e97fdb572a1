// torsor demo: the whole way on a built-in robot, from the robot file to torques as CSV, a page with plots and a moving picture.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/row_output.hpp"
#include "cli/torque_run.hpp"
#include "torsor/report/puma_picture.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/trajectory/pick_and_place.hpp"

namespace torsor {
namespace {

constexpr double period = 0.01;

Faults make_directory(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code) return {};
  return {{{path, 0}, "", "file-write", "the folder cannot be made: " + code.message(), "give another one with -o"}};
}

/// The exit code where it cannot be written.
std::optional<int> write_picture(const Robot& robot, std::span<const RobotMotion::Instant> motion,
                                 const std::string& path) {
  OutputFile file(path);
  if (file.faults().empty()) write_puma_picture(robot.model(), motion, file.stream());
  if (!file.finish()) return complain(file.faults(), exit_not_written);
  return std::nullopt;
}

}  // namespace

int demo_verb(Arguments arguments) {
  std::optional<std::string> directory_option;
  PrintArguments print;
  print.digits = 4;
  Options options(
      "demo",
      "The torques of a PUMA 560 over a built-in pick-and-place motion: a CSV file, a page with plots, and a "
      "moving picture (SVG).");
  options.text("-o,--output", "DIR", directory_option, "folder for the files; default torsor-demo");
  print.add_to(options);
  options.example("", "writes puma560-torques.csv, puma560-torques.html and puma560.svg into torsor-demo")
      .example("-o results", "somewhere else");
  if (const auto code = options.parse(arguments)) return *code;
  if (directory_option == "-")
    return complain({{{}, "--output", "option-value", "\"-\" is not allowed: it writes three files", "name a folder"}},
                    exit_bad_input);

  const auto robot = read_robot("puma560");
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const std::filesystem::path directory = directory_option.value_or("torsor-demo");
  const std::string table = directory / "puma560-torques.csv", page = directory / "puma560-torques.html",
                    picture = directory / "puma560.svg";
  for (const std::string& file : {table, page, picture})
    if (const Faults errors = options.also_writes(file); !errors.empty()) return complain(errors, exit_bad_input);
  if (const Faults errors = make_directory(directory); !errors.empty()) return complain(errors, exit_not_written);

  TorqueRun torques(*robot, {}, true);
  std::vector<std::string> header = torques.header();
  header.insert(header.begin(), "t");
  RowOutput output(table, false, header, false, nullptr);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  bool written = true;
  std::vector<RobotMotion::Instant> instants;
  sample_motion(pick_and_place_puma560(), period, [&](const MotionRow& row) {
    std::vector<double> results{row.t};
    torques.add(row, row.t, results);
    const auto tau = results.begin() + 1 + 3 * static_cast<std::ptrdiff_t>(row.q.size());
    instants.push_back({row.t, row.q, {tau, tau + static_cast<std::ptrdiff_t>(row.q.size())}});
    written = written && output.row(results);
  });
  if (!output.finish_rows(written)) return output.complain_unwritten();

  Report report{"PUMA 560: pick and place",
                "Joint torques by inverse dynamics (recursive Newton-Euler) along a built-in motion"};
  torques.describe(report, true, print);
  describe_robot(report, *robot, print);
  report.footer = "Made by torsor demo.";
  if (const auto code = write_page(report, page)) return *code;
  if (const auto code = write_picture(*robot, instants, picture)) return *code;

  if (print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", robot->model().name).field("row_count", torques.joints().count());
    write_fields(json, torques.summary(true));
    json.field("csv", table).field("html", page).field("picture", picture).end_object();
    return finish_json(json);
  }
  std::cout << fmt::format("{} picks and places in {} s ({} instants)\n", robot->model().name,
                           format_number(torques.joints().end(), 4), torques.joints().count());
  for (const TextTable& each : torques.tables(true, print)) std::cout << '\n' << to_text(each);
  std::cout << fmt::format("\ntorques: {}\npicture: {}\n", table, picture);
  say_page(page);
  return finish_standard_output();
}

}  // namespace torsor

#include "torsor/files/sdf_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "torsor/files/loops_of_sdf.hpp"
#include "torsor/files/sdf_places.hpp"
#include "torsor/model/check.hpp"
#include "torsor/text/fault_log.hpp"

namespace torsor {
namespace {

/// The first hundred, by file and line.
Faults hundred_of(Faults all) {
  std::ranges::stable_sort(all, [](const Fault& a, const Fault& b) {
    return std::tie(a.where.file, a.where.line) < std::tie(b.where.file, b.where.line);
  });
  FaultLog log;
  for (const Fault& each : all) log.add(each);
  return log.faults();
}

}  // namespace

Result<Description> read_sdf(std::string_view text, const std::string& file, const LoadOptions& options) {
  detail::SdfPlaces places(options, file);
  return read_sdf(text, file, [&](const std::string& uri, const std::string& from) { return places.open(uri, from); });
}

Result<Description> read_sdf(std::string_view text, const std::string& file, const detail::OpenUri& open) {
  return detail::read_sdf_tree(text, file, open, nullptr);
}

Result<Description> detail::read_sdf_tree(std::string_view text, const std::string& file, const OpenUri& open,
                                          std::vector<SdfLoop>* loops) {
  Faults errors, notes;
  const SdfDocument document = read_sdf_document(text, file, open, errors, notes);
  if (!errors.empty()) return hundred_of(errors);
  std::vector<SdfLoop> own;
  Description robot = describe_sdf(document, errors, notes, loops ? *loops : own);
  if (!errors.empty()) return hundred_of(errors);
  if (!loops) errors = close_loops(own, robot);
  if (!errors.empty()) return hundred_of(errors);
  robot.file = file;
  robot.where = document.world.where;
  if (robot.name.empty()) robot.name = std::filesystem::path(file).stem().string();
  std::vector<int> parents;
  for (Fault& error : check_structure(robot, parents)) errors.push_back(std::move(error));
  if (!errors.empty()) return hundred_of(errors);
  robot.notes = std::move(notes);
  return robot;
}

}  // namespace torsor

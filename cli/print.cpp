#include "cli/print.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iostream>

#include "cli/files.hpp"
#include "cli/printable_output.hpp"
#include "cli/wrap.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor {

void PrintArguments::add_to(Options& options) {
  options.flag("--json", json, "the answer as JSON on standard output, numbers at full precision")
      .whole("--digits", 1, 17, digits, "significant digits on the screen; default 6");
}

std::optional<Fault> first_not_finite(const TextTable& table) {
  for (const TextTable::Row& row : table.rows)
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* number = std::get_if<double>(&row[k]);
      if (number == nullptr || std::isfinite(*number)) continue;
      const auto* name = std::get_if<std::string>(&row.front());
      return not_finite(name != nullptr ? fmt::format("\"{}\"", printable(*name)) : table.caption,
                        table.columns[k].name, *number, "input");
    }
  return std::nullopt;
}

std::optional<Fault> first_not_finite(const Report& report) {
  for (const ReportSection& section : report.sections)
    for (const ReportBlock& block : section.blocks)
      if (const auto* table = std::get_if<TextTable>(&block))
        if (auto fault = first_not_finite(*table)) return fault;
  return std::nullopt;
}

void print_report(const Report& report, std::ostream& out) {
  if (!report.title.empty()) out << report.title << '\n';
  if (!report.subtitle.empty()) out << report.subtitle << '\n';
  for (const ReportSection& section : report.sections) {
    if (!section.heading.empty())
      out << '\n' << section.heading << '\n' << std::string(text_width(section.heading), '=') << '\n';
    for (const ReportBlock& block : section.blocks) {
      if (const auto* paragraph = std::get_if<Paragraph>(&block)) out << '\n' << wrapped(paragraph->text) << '\n';
      if (const auto* code = std::get_if<Preformatted>(&block)) out << '\n' << code->text << '\n';
      if (const auto* table = std::get_if<TextTable>(&block)) out << '\n' << to_text(*table);
    }
  }
}

std::optional<int> write_page(const Report& report, const std::string& path) {
  OutputFile file(path);
  if (file.faults().empty()) write_html(report, file.stream());
  if (file.finish()) return std::nullopt;
  return complain(file.faults(), exit_not_written);
}

void say_page(const std::optional<std::string>& page) {
  if (page && *page != "-") std::cout << fmt::format("page: {}\n", printable(*page));
}

void say_page_beside(const std::optional<std::string>& page) {
  if (page && *page != "-") std::cerr << fmt::format("page: {}\n", printable(*page));
}

JsonWriter& field(JsonWriter& json, std::string_view name, const Vec3<double>& v) {
  return field(json, name, std::array{v.x, v.y, v.z});
}

JsonWriter& field(JsonWriter& json, std::string_view name, std::span<const double> numbers) {
  return json.key(name).value(numbers);
}

JsonWriter& field(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  return json.key(name).value(std::span<const std::string>(texts));
}

JsonWriter& matrix_field(JsonWriter& json, std::string_view name, std::span<const double> entries,
                         std::size_t columns) {
  json.key(name).begin_array();
  for (std::size_t k = 0; k + columns <= entries.size() && columns > 0; k += columns)
    json.value(entries.subspan(k, columns));
  return json.end_array();
}

JsonWriter& pose_fields(JsonWriter& json, const Transform<double>& X, bool degrees) {
  const Quaternion<double> e = quaternion(X.R);
  const RollPitchYaw angles = roll_pitch_yaw(X.R);
  field(json, "position", X.p);
  field(json, "quaternion", std::array{e.e0, e.e1, e.e2, e.e3});
  const auto shown = [degrees](double x) { return in_unit(x, CoordinateKind::angle, degrees); };
  return field(json, "rpy", std::array{shown(angles.roll), shown(angles.pitch), shown(angles.yaw)});
}

JsonWriter& angle_unit_field(JsonWriter& json, bool degrees) {
  return json.field("angle_unit", degrees ? "deg" : "rad");
}

int finish_json(JsonWriter& json) {
  std::cout << '\n';
  if (const int code = finish_standard_output(); code != exit_done) return code;
  const std::vector<std::string> notes = json.notes();
  if (notes.empty()) return exit_done;
  for (std::size_t k = 1; k < notes.size(); ++k) note(notes[k]);
  return complain({{{}, "", "not-finite", notes.front(), "the numbers of the input are too large or too small"}},
                  exit_impossible);
}

}  // namespace torsor

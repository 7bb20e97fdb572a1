// Results on the screen and as JSON, in the same shapes for every verb: tables, vectors, matrices, poses.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "torsor/text/json.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor {

/// How results are printed: --json and --digits; degrees as --degrees asks.
struct PrintArguments : PrintStyle {
  bool json = false;

  void add_to(Options& options);
};

/// The fault of the first number that is not finite, if there is one: such a table, or report, is not given.
std::optional<Fault> first_not_finite(const TextTable& table);
std::optional<Fault> first_not_finite(const Report& report);

/// Headings, paragraphs and tables as text; figures are left to the page.
void print_report(const Report& report, std::ostream& out);

/// Writes the report as a page; nothing, or the exit code with the fault printed.
std::optional<int> write_page(const Report& report, const std::string& path);

/// `page: FILE`, where a page was written to a file: in one spelling by every verb that writes one, and its last line.
void say_page(const std::optional<std::string>& page);
/// The same on standard error, where standard output is for rows or a file; in an answer as JSON, `html` says it.
void say_page_beside(const std::optional<std::string>& page);

JsonWriter& field(JsonWriter& json, std::string_view name, const Vec3<double>& v);
JsonWriter& field(JsonWriter& json, std::string_view name, std::span<const double> numbers);
JsonWriter& field(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts);
/// Row-major, as a list of rows.
JsonWriter& matrix_field(JsonWriter& json, std::string_view name, std::span<const double> entries, std::size_t columns);
/// {position, quaternion, rpy}: metres; e0 e1 e2 e3; roll, pitch, yaw in radians, or in degrees if so.
JsonWriter& pose_fields(JsonWriter& json, const Transform<double>& X, bool degrees = false);
/// The member angle_unit of an answer: "rad" or "deg".
JsonWriter& angle_unit_field(JsonWriter& json, bool degrees);

/// Ends a JSON answer on standard output. The verb's exit code: that of what is impossible where a value is not finite.
int finish_json(JsonWriter& json);

}  // namespace torsor

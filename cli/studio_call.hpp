// A call of the Studio: what is asked, read strictly from JSON, and what is answered: JSON, with long rows of numbers as float64
// behind it.
//
//   request   {"call": "state", "id": 1, "q": [...]}
//   answer    JSON; or, with rows: u32 (little-endian) length of the JSON, the JSON padded with blanks to a multiple of eight,
//             then all rows; in the JSON {"f64": [first, count], "columns": n} stands for them
//   refusal   {"faults": [{"rule", "what", ...}]}
#pragma once

#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "cli/studio_http.hpp"
#include "torsor/spatial/transform.hpp"
#include "torsor/text/json.hpp"
#include "torsor/text/json_reader.hpp"

namespace torsor {

/// Throws Error with one fault: what is wrong with a call.
[[noreturn]] void refuse_call(std::string offender, std::string rule, std::string what, std::string remedy = "");

class StudioRequest {
 public:
  explicit StudioRequest(const JsonValue& value) : value_(value) {}

  bool has(std::string_view key) const;
  StudioRequest part(std::string_view key) const;
  /// The items of a list, each an object; none where it is not there.
  std::vector<StudioRequest> items(std::string_view key) const;
  std::string text(std::string_view key) const;
  std::string text_or(std::string_view key, std::string otherwise) const;
  double number(std::string_view key) const;
  double number_or(std::string_view key, double otherwise) const;
  /// A whole number from low to high.
  int whole(std::string_view key, int low, int high) const;
  int whole_or(std::string_view key, int low, int high, int otherwise) const;
  bool truth_or(std::string_view key, bool otherwise) const;
  std::vector<std::string> texts(std::string_view key) const;
  /// Finite numbers, so many of them.
  std::vector<double> numbers(std::string_view key, std::size_t count) const;
  std::optional<std::vector<double>> numbers_if(std::string_view key, std::size_t count) const;

 private:
  const JsonValue& value_;
  const JsonValue& need(std::string_view key, JsonValue::Kind kind, const char* what) const;
};

class StudioAnswer {
  std::ostringstream text_;

 public:
  StudioAnswer() : json(text_, {0, false}) {}
  JsonWriter json;  // an object is open where a call writes into it

  /// A field with rows of so many numbers.
  void rows(std::string_view name, std::span<const double> numbers, std::size_t columns = 1);
  HttpAnswer finish();

 private:
  std::vector<double> numbers_;
};

/// x y z e0 e1 e2 e3 of each, appended.
void append_poses(std::span<const Transform<double>> poses, std::vector<double>& out);

/// What a reader passed over, behind the faults: notes, and the warnings among them.
void append_notes(const Faults& notes, Faults& faults);

/// "faults" or "findings": [{severity, rule, file, line, offender, what, remedy}].
void write_faults(JsonWriter& json, std::string_view name, const Faults& faults);

}  // namespace torsor

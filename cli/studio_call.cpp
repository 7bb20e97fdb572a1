#include "cli/studio_call.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "torsor/spatial/quaternion.hpp"

namespace torsor {

void refuse_call(std::string offender, std::string rule, std::string what, std::string remedy) {
  throw_error({{{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)}});
}

bool StudioRequest::has(std::string_view key) const {
  const JsonValue* found = value_.find(key);
  return found && !found->is(JsonValue::Kind::null);
}

const JsonValue& StudioRequest::need(std::string_view key, JsonValue::Kind kind, const char* what) const {
  const JsonValue* found = value_.find(key);
  if (!found || !found->is(kind)) refuse_call(std::string(key), "call-field", fmt::format("it is not {}", what));
  return *found;
}

StudioRequest StudioRequest::part(std::string_view key) const {
  return StudioRequest(need(key, JsonValue::Kind::object, "an object"));
}

std::vector<StudioRequest> StudioRequest::items(std::string_view key) const {
  std::vector<StudioRequest> out;
  if (!has(key)) return out;
  for (const JsonValue& item : need(key, JsonValue::Kind::list, "a list").items) {
    if (!item.is(JsonValue::Kind::object))
      refuse_call(std::string(key), "call-field", "an item of it is not an object");
    out.emplace_back(item);
  }
  return out;
}

std::string StudioRequest::text(std::string_view key) const { return need(key, JsonValue::Kind::text, "a text").text; }
std::string StudioRequest::text_or(std::string_view key, std::string otherwise) const {
  return has(key) ? text(key) : std::move(otherwise);
}

double StudioRequest::number(std::string_view key) const {
  return need(key, JsonValue::Kind::number, "a number").number;
}
double StudioRequest::number_or(std::string_view key, double otherwise) const {
  return has(key) ? number(key) : otherwise;
}

int StudioRequest::whole(std::string_view key, int low, int high) const {
  const double x = number(key);
  if (!(x >= low && x <= high) || x != std::floor(x))
    refuse_call(std::string(key), "call-field", fmt::format("it is not a whole number from {} to {}", low, high));
  return static_cast<int>(x);
}
int StudioRequest::whole_or(std::string_view key, int low, int high, int otherwise) const {
  return has(key) ? whole(key, low, high) : otherwise;
}

bool StudioRequest::truth_or(std::string_view key, bool otherwise) const {
  return has(key) ? need(key, JsonValue::Kind::truth, "true or false").truth : otherwise;
}

std::vector<std::string> StudioRequest::texts(std::string_view key) const {
  std::vector<std::string> out;
  if (!has(key)) return out;
  for (const JsonValue& item : need(key, JsonValue::Kind::list, "a list").items) {
    if (!item.is(JsonValue::Kind::text)) refuse_call(std::string(key), "call-field", "an item of it is not a text");
    out.push_back(item.text);
  }
  return out;
}

std::vector<double> StudioRequest::numbers(std::string_view key, std::size_t count) const {
  const JsonValue& list = need(key, JsonValue::Kind::list, "a list of numbers");
  std::vector<double> out;
  for (const JsonValue& item : list.items) {
    if (!item.is(JsonValue::Kind::number)) refuse_call(std::string(key), "call-field", "an item of it is not a number");
    out.push_back(item.number);
  }
  if (out.size() != count)
    refuse_call(std::string(key), "call-field",
                fmt::format("it has {} numbers where {} are needed", out.size(), count));
  return out;
}

std::optional<std::vector<double>> StudioRequest::numbers_if(std::string_view key, std::size_t count) const {
  return has(key) ? std::optional(numbers(key, count)) : std::nullopt;
}

void StudioAnswer::rows(std::string_view name, std::span<const double> numbers, std::size_t columns) {
  json.key(name).begin_object().key("f64").begin_array().value(numbers_.size()).value(numbers.size()).end_array();
  json.field("columns", columns).end_object();
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
}

HttpAnswer StudioAnswer::finish() {
  std::string text = std::move(text_).str();
  if (numbers_.empty()) return {200, "application/json", std::move(text)};
  while ((text.size() + 4) % 8 != 0) text += ' ';
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string body;
  body.reserve(4 + text.size() + 8 * numbers_.size());
  for (int k = 0; k < 4; ++k) body += static_cast<char>((length >> (8 * k)) & 0xffU);
  body += text;
  static_assert(std::endian::native == std::endian::little, "rows travel as they are in memory");
  body.append(reinterpret_cast<const char*>(numbers_.data()), numbers_.size() * sizeof(double));
  return {200, "application/octet-stream", std::move(body)};
}

void append_poses(std::span<const Transform<double>> poses, std::vector<double>& out) {
  for (const Transform<double>& X : poses) {
    const Quaternion<double> e = quaternion(X.R);
    out.insert(out.end(), {X.p.x, X.p.y, X.p.z, e.e0, e.e1, e.e2, e.e3});
  }
}

void append_notes(const Faults& notes, Faults& faults) {
  for (Fault note : notes) {
    if (note.severity == Severity::error) note.severity = Severity::note;
    faults.push_back(std::move(note));
  }
}

void write_faults(JsonWriter& json, std::string_view name, const Faults& faults) {
  json.key(name).begin_array();
  for (const Fault& f : faults) {
    json.begin_object().field("severity", severity_name(f.severity)).field("rule", f.rule);
    if (!f.where.file.empty()) json.field("file", f.where.file);
    if (f.where.line > 0) json.field("line", f.where.line);
    json.field("offender", f.offender).field("what", f.what).field("remedy", f.remedy).end_object();
  }
  json.end_array();
}

}  // namespace torsor

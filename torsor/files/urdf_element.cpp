#include "torsor/files/urdf_element.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/text/fault_log.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Whether a word of the name, in small letters, begins with one of these; one that ends in a blank is the whole word.
bool called_after(std::string_view name, std::initializer_list<std::string_view> words) {
  const auto letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  std::string word;
  const auto fits = [&](std::string_view known) { return (word + ' ').starts_with(known); };
  for (std::size_t k = 0; k <= name.size(); ++k) {
    if (k < name.size() && letter(name[k])) {
      word += static_cast<char>(name[k] | 0x20);
      continue;
    }
    if (std::ranges::any_of(words, fits)) return true;
    word.clear();
  }
  return false;
}

/// The pieces of a text between blanks.
template <class Visit>
void each_word(std::string_view text, Visit visit) {
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    visit(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
}

bool only_zeros(std::string_view text) {
  const auto numbers = numbers_of(text);
  return numbers && std::ranges::all_of(*numbers, [](double x) { return x == 0; });
}

bool only_zeros(const XmlElement& e) {
  return only_zeros(e.text) &&
         std::ranges::all_of(e.attributes, [](const XmlAttribute& a) { return only_zeros(a.value); }) &&
         std::ranges::all_of(e.children, [](const XmlElement& c) { return only_zeros(c); });
}

bool has_number(std::string_view text) {
  bool found = false;
  each_word(text, [&](std::string_view word) { found = found || parse_number(word); });
  return found;
}

Fault beside_faults(Fault note) {
  note.severity = Severity::note;
  return note;
}

// more than these are counted, not kept
constexpr std::size_t kept_faults = 10'000, kept_notes = 100;

}  // namespace

std::optional<std::vector<double>> numbers_of(std::string_view text) {
  std::optional<std::vector<double>> numbers(std::in_place);
  each_word(text, [&](std::string_view word) {
    const ParsedNumber number = parse_number(word);
    if (!number) numbers.reset();
    if (numbers) numbers->push_back(number.value);
  });
  return numbers;
}

void UrdfLog::fault(int line, std::string offender, std::string_view rule, std::string what, std::string remedy) {
  ++count_;
  if (faults_.size() < kept_faults)
    faults_.push_back({{file_, line}, std::move(offender), std::string(rule), std::move(what), std::move(remedy)});
}

Fault* UrdfLog::note(int line, std::string offender, std::string_view rule, std::string what, std::string remedy) {
  std::string key = fmt::format("{}: {}", rule, what);
  if (const auto known = known_.find(key); known != known_.end()) {
    ++notes_[known->second].times;
    return nullptr;
  }
  if (notes_.size() == kept_notes) return nullptr;
  known_.emplace(std::move(key), notes_.size());
  notes_.push_back({{{file_, line}, std::move(offender), std::string(rule), std::move(what), std::move(remedy)}});
  return &notes_.back().error;
}

Faults UrdfLog::faults() const {
  Faults sorted = faults_;
  for (const auto& [note, times] : notes_)
    if (note.remedy.starts_with("did you mean")) sorted.push_back(beside_faults(note));
  std::ranges::stable_sort(sorted, {}, [](const Fault& error) { return error.where.line; });
  FaultLog log;
  for (Fault& error : sorted) log.add(std::move(error));
  for (std::size_t more = faults_.size(); more < count_; ++more) log.add({});
  return log.faults();
}

Faults UrdfLog::other_notes() const {
  Faults all;
  for (Fault& note : notes())
    if (!note.remedy.starts_with("did you mean")) all.push_back(beside_faults(std::move(note)));
  return all;
}

Faults UrdfLog::notes() const {
  Faults all;
  for (const auto& [error, times] : notes_) {
    all.push_back(error);
    if (times > 1) all.back().what += fmt::format(" (and {} more times)", times - 1);
  }
  std::ranges::stable_sort(all, {}, [](const Fault& error) { return error.where.line; });
  return all;
}

UrdfElement::UrdfElement(const XmlElement& element, std::string title, UrdfLog& log)
    : element_(&element), title_(std::move(title)), log_(&log) {}

const XmlAttribute* UrdfElement::find(std::string_view key) {
  asked_attributes_.push_back(key);
  for (const XmlAttribute& a : element_->attributes)
    if (a.name == key) return &a;
  return nullptr;
}

std::string UrdfElement::offender(std::string_view attribute) const {
  return attribute.empty() ? title() : fmt::format("{}, {}", title(), attribute);
}

std::optional<double> UrdfElement::checked(std::string_view text, int line, std::string_view key) {
  const std::size_t first = text.find_first_not_of(blanks);
  text = first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
  const ParsedNumber number = parse_number(text);
  if (number) return number.value;
  Fault error = number_error(number.fault, excerpt(text), {}, "");
  log_->fault(line, offender(key), error.rule, std::move(error.what), std::move(error.remedy));
  return std::nullopt;
}

std::optional<double> UrdfElement::number(std::string_view key) {
  const XmlAttribute* a = find(key);
  if (!a) return std::nullopt;
  return checked(a->value, a->line, key);
}

std::optional<std::vector<double>> UrdfElement::list(std::string_view key, std::size_t size) {
  const XmlAttribute* a = find(key);
  if (!a) return std::nullopt;
  const std::string_view text = a->value;
  if (text.find(',') != std::string_view::npos) {
    fault(key, "number", fmt::format("\"{}\" has commas", excerpt(text)),
          "write blanks between the numbers, and decimals after a point");
    return std::nullopt;
  }
  std::vector<double> values;
  std::size_t count = 0;
  bool sound = true;
  each_word(text, [&](std::string_view word) {
    if (count++ >= size) return;
    const auto value = checked(word, a->line, key);
    sound = sound && value;
    values.push_back(value.value_or(0));
  });
  if (count != size) {
    fault(key, "vector-length", fmt::format("it has {} numbers", count),
          fmt::format("write {}, with blanks between them", size == 3 ? "three" : "four"));
    return std::nullopt;
  }
  if (!sound) return std::nullopt;
  return values;
}

std::optional<Vec3<double>> UrdfElement::vector(std::string_view key) {
  const auto values = list(key, 3);
  if (!values) return std::nullopt;
  return Vec3<double>{(*values)[0], (*values)[1], (*values)[2]};
}

std::optional<std::string> UrdfElement::text(std::string_view key) {
  const XmlAttribute* a = find(key);
  if (!a) return std::nullopt;
  return a->value;
}

std::optional<double> UrdfElement::content_number() {
  asked_content_ = true;
  return checked(element_->text, element_->line, "");
}

const std::string& UrdfElement::content() {
  asked_content_ = true;
  return element_->text;
}

std::string UrdfElement::name(std::string_view key, std::string_view rule) {
  const auto given = text(key);
  if (!given || given->empty()) {
    fault(key, rule, given ? "it is empty" : fmt::format("it has no attribute \"{}\"", key), "give a name");
    return "";
  }
  if (!is_utf8(*given)) {
    fault(key, "name-text", fmt::format("\"{}\" is not UTF-8", excerpt(*given)),
          "save the file as UTF-8, or begin it with its encoding: <?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>");
    return "";
  }
  // names head columns and appear in messages
  const bool clean = *given == single_line(*given) && given->find_first_of(",;\"'") == std::string::npos;
  if (clean && given->front() != ' ' && given->back() != ' ') return *given;
  fault(key, "name-text", fmt::format("\"{}\" would not print well as the head of a column", excerpt(*given)),
        "use a name without quotes, commas, semicolons, line breaks, or blanks at its ends");
  return "";
}

bool UrdfElement::child(std::string_view key, const Visit& visit) {
  asked_children_.push_back(key);
  const XmlElement* first = nullptr;
  for (const XmlElement& c : element_->children) {
    if (c.name != key) continue;
    if (!first)
      first = &c;
    else if (same_xml(*first, c))
      log_->note(c.line, title(), "element-twice", fmt::format("<{}> is given again with the same contents", key), "");
    else
      log_->fault(c.line, title(), "element-twice",
                  fmt::format("<{}> is given twice, first in line {}", key, first->line), "keep one of them");
  }
  if (!first) return false;
  UrdfElement inner(*first, *this);
  visit(inner);
  inner.finish();
  return true;
}

void UrdfElement::children(std::string_view key, const Visit& visit) {
  asked_children_.push_back(key);
  for (const XmlElement& c : element_->children) {
    if (c.name != key) continue;
    UrdfElement inner(c, *this);
    visit(inner);
    inner.finish();
  }
}

void UrdfElement::fault(std::string_view key, std::string_view rule, std::string what, std::string remedy) {
  int line = element_->line;
  for (const XmlAttribute& a : element_->attributes)
    if (a.name == key) line = a.line;
  log_->fault(line, offender(key), rule, std::move(what), std::move(remedy));
}

void UrdfElement::note(std::string_view rule, std::string what, std::string remedy) {
  log_->note(element_->line, title(), rule, std::move(what), std::move(remedy));
}

void UrdfElement::missing_attribute(std::string_view key, std::string remedy) {
  fault("", "attribute-missing", fmt::format("it has no attribute \"{}\"", key), std::move(remedy));
}

void UrdfElement::missing_element(std::string_view key, std::string remedy) {
  fault("", "element-missing", fmt::format("it has no <{}>", key), std::move(remedy));
}

bool UrdfElement::known(const XmlAttribute& attribute) const {
  return std::ranges::find(asked_attributes_, attribute.name) != asked_attributes_.end();
}

bool UrdfElement::known(const XmlElement& child) const {
  return std::ranges::find(asked_children_, child.name) != asked_children_.end() ||
         std::ranges::find(left_children_, child.name) != left_children_.end();
}

std::vector<std::string_view> UrdfElement::known_children() const {
  std::vector<std::string_view> names = asked_children_;
  names.insert(names.end(), left_children_.begin(), left_children_.end());
  return names;
}

void UrdfElement::refuse_unread(std::initializer_list<std::string_view> words, const std::string& remedy) {
  std::vector<std::string_view> refused;
  for (const XmlAttribute& a : element_->attributes) {
    if (known(a) || a.name.starts_with("xmlns") || only_zeros(a.value)) continue;
    if (!called_after(a.name, words) && closest(a.name, asked_attributes_).empty()) continue;
    fault(a.name, "attribute-unknown", unread(a), remedy);
    refused.push_back(a.name);
  }
  asked_attributes_.insert(asked_attributes_.end(), refused.begin(), refused.end());

  refused.clear();
  const std::vector<std::string_view> children = known_children();
  for (const XmlElement& c : element_->children) {
    if (known(c) || only_zeros(c)) continue;
    const bool called = called_after(c.name, words);
    const std::string near = closest(c.name, children);
    if (!called && std::ranges::find(asked_children_, near) == asked_children_.end()) continue;
    log_->fault(c.line, title(), "element-unknown", unread(c),
                called ? remedy : fmt::format("did you mean <{}>?", near));
    refused.push_back(c.name);
  }
  left_children_.insert(left_children_.end(), refused.begin(), refused.end());

  if (asked_content_ || !has_number(element_->text) || only_zeros(element_->text)) return;
  fault("", "text-unknown", fmt::format("\"{}\" in <{}> is not read", excerpt(element_->text), element_->name), remedy);
  asked_content_ = true;
}

void UrdfElement::refuse_called(std::initializer_list<std::string_view> words, const std::string& remedy) {
  std::vector<std::string_view> refused;
  for (const XmlElement& c : element_->children) {
    if (known(c) || only_zeros(c) || !called_after(c.name, words)) continue;
    log_->fault(c.line, title(), "element-unknown", unread(c), remedy);
    refused.push_back(c.name);
  }
  left_children_.insert(left_children_.end(), refused.begin(), refused.end());
}

void UrdfElement::refuse_quaternion() {
  const auto quaternion = [](std::string_view name) { return called_after(name, {"quat", "xyzw", "wxyz"}); };
  const std::string remedy = "write the same rotation as rpy=\"roll pitch yaw\", in radians";
  for (const XmlAttribute& a : element_->attributes)
    if (quaternion(a.name) && !known(a)) {
      const bool later = a.name == "quat_xyzw";
      fault(a.name, "rotation-quaternion",
            later ? "quat_xyzw is of URDF 1.1: in version 1.0 it means nothing, and the rotation would be lost"
                  : unread(a),
            later ? "write version=\"1.1\" in <robot>, or the same rotation as rpy=\"roll pitch yaw\", in radians"
                  : remedy);
      leave_attribute(a.name);
    }
  for (const XmlElement& c : element_->children)
    if (quaternion(c.name)) {
      log_->fault(c.line, title(), "rotation-quaternion", unread(c), remedy);
      leave(c.name);
    }
}

std::string UrdfElement::unread(const XmlAttribute& a) const {
  return fmt::format("\"{}\" of <{}> is not read", excerpt(a.name), element_->name);
}

std::string UrdfElement::unread(const XmlElement& child) const {
  return fmt::format("<{}> in <{}> is not read", excerpt(child.name), element_->name);
}

void UrdfElement::finish() {
  if (left_) return;
  // the likely slip is looked for once per kind, not once per case
  for (const XmlAttribute& a : element_->attributes)
    if (!known(a) && !a.name.starts_with("xmlns"))
      if (Fault* note = log_->note(a.line, title(), "attribute-ignored", unread(a), ""))
        note->remedy = did_you_mean(a.name, asked_attributes_);
  for (const XmlElement& c : element_->children)
    if (!known(c))
      if (Fault* note = log_->note(c.line, title(), "element-ignored", unread(c), ""))
        note->remedy = did_you_mean(c.name, known_children());
  if (!element_->text.empty() && !asked_content_)
    note("text-ignored", fmt::format("the text in <{}> is not read", element_->name));
}

}  // namespace torsor

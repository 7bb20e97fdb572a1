#include "torsor/files/mechanism_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/files/time_expression.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name(const std::string& text) {
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

struct Parameter {
  std::string name;
  double value = 0;
  int line = 0;
  bool used = false;
};

class Parameters {
 public:
  Parameters(const std::string& file, std::span<const ParameterSetting> settings) : file_(file), settings_(settings) {}

  /// The numbers of the table, each of those before it.
  void read(const TomlValue& value) {
    const auto* const table = std::get_if<TomlValue::Table>(&value.data);
    if (!table) return fault(value.line, "parameters", "type", "it is no table", "write [parameters]");
    for (const TomlEntry& entry : *table) {
      const std::string offender = fmt::format("parameters.{}", excerpt(entry.key));
      // a word that formulas know already would not be this one
      if (!is_name(entry.key) || read_time_expression(entry.key) || read_time_expression(entry.key, "x") ||
          read_time_expression(entry.key + "(1)") || read_time_expression(entry.key + "(1, 1)")) {
        fault(entry.value.line, offender, "parameter-name", "formulas have no such name, or know it as another thing",
              "take a name of letters, digits and _ that is no function and none of t, x, pi, e");
        continue;
      }
      const auto set = std::ranges::find(settings_, entry.key, &ParameterSetting::name);
      Parameter parameter{entry.key, 0, entry.value.line};
      // one fault of each is enough
      if (const auto* const number = std::get_if<double>(&entry.value.data)) {
        parameter.value = *number;
      } else if (const auto* const text = std::get_if<std::string>(&entry.value.data); text && text->starts_with('=')) {
        const auto value_of = number_of(*text, entry.value.line, offender);
        parameter.value = value_of.value_or(0), parameter.used = !value_of;
      } else {
        fault(entry.value.line, offender, "type", fmt::format("it is {}", describe(entry.value)),
              "give a number, or \"= a formula of parameters before it\"");
        parameter.used = true;
      }
      if (set != settings_.end()) parameter.value = set->value;
      known_.push_back(parameter);
    }
  }

  void replace(TomlValue& value, const std::string& offender) {
    if (auto* const text = std::get_if<std::string>(&value.data); text && text->starts_with('=')) {
      const std::string formula = with_numbers(*text);
      if (has_variable(formula))
        value.data = is_readable(*text, value.line, offender) ? formula : "0";
      else if (const auto number = number_of(*text, value.line, offender))
        value.data = *number;
      else
        value.data = 0.0;
    } else if (auto* const list = std::get_if<TomlValue::Array>(&value.data)) {
      for (TomlValue& each : *list) replace(each, offender);
    } else if (auto* const table = std::get_if<TomlValue::Table>(&value.data)) {
      for (TomlEntry& each : *table) replace(each.value, each.key);
    }
  }

  Faults finish() {
    std::vector<std::string> names;
    for (const Parameter& each : known_) {
      names.push_back(each.name);
      if (!each.used)
        fault(each.line, fmt::format("parameters.{}", each.name), "parameter-unused", "nothing of the file uses it",
              fmt::format("write \"= {}\" where it counts, or leave it out", each.name));
    }
    for (const ParameterSetting& each : settings_)
      if (std::ranges::find(names, each.name) == names.end()) {
        const std::string hint = did_you_mean(each.name, names);
        faults_.push_back({{file_, 0},
                           fmt::format("parameter \"{}\"", excerpt(each.name)),
                           "parameter-unknown",
                           "the file has no such parameter",
                           !hint.empty()   ? hint
                           : names.empty() ? "it has none: write [parameters]"
                                           : fmt::format("it has {}", fmt::join(names, ", "))});
      }
    return std::move(faults_);
  }

 private:
  const std::string& file_;
  std::span<const ParameterSetting> settings_;
  std::vector<Parameter> known_;
  Faults faults_;

  void fault(int line, std::string offender, const char* rule, std::string what, std::string remedy) {
    faults_.push_back({{file_, line}, std::move(offender), rule, std::move(what), std::move(remedy)});
  }

  /// Calls for every word of a formula, with its place and length; 1e-3 has none.
  template <class Call>
  static void for_words(std::string_view text, const Call& call) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t from = at;
      if (is_letter(text[at])) {
        while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
        call(from, at - from);
      } else if (is_digit(text[at]) || text[at] == '.') {
        while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) ++at;
        if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
          std::size_t digits = at + 1;
          if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
          if (digits < text.size() && is_digit(text[digits])) at = digits;
        }
        while (at < text.size() && is_digit(text[at])) ++at;
      } else {
        ++at;
      }
    }
  }

  /// The text behind `=`, numbers in place of the names of parameters.
  std::string with_numbers(std::string_view text) {
    text.remove_prefix(1);
    std::string out;
    std::size_t done = 0;
    for_words(text, [&](std::size_t from, std::size_t length) {
      const auto parameter = std::ranges::find(known_, text.substr(from, length), &Parameter::name);
      if (parameter == known_.end()) return;
      parameter->used = true;
      out += text.substr(done, from - done);
      out += fmt::format("({})", parameter->value);
      done = from + length;
    });
    return out += text.substr(done);
  }

  static bool has_variable(std::string_view formula) {
    bool has = false;
    for_words(formula, [&](std::size_t from, std::size_t length) {
      has = has || formula.substr(from, length) == "t" || formula.substr(from, length) == "x";
    });
    return has;
  }

  /// The text with a 1 in place of each parameter and of as many characters: what is wrong with it is at the column of the file.
  std::string in_place(std::string_view text) const {
    std::string out(text);
    for_words(text, [&](std::size_t from, std::size_t length) {
      if (std::ranges::find(known_, text.substr(from, length), &Parameter::name) == known_.end()) return;
      out.replace(from, length, length, ' ');
      out[from] = '1';
    });
    out[0] = ' ';
    return out;
  }

  /// Whether it is a formula in t or in x; if it is none, the fault is told.
  bool is_readable(std::string_view text, int line, const std::string& offender) {
    const std::string formula = in_place(text);
    const auto of_time = read_time_expression(formula);
    if (of_time || read_time_expression(formula, "x")) return true;
    tell(text, of_time.faults().front(), line, offender);
    return false;
  }

  void tell(std::string_view text, const Fault& error, int line, const std::string& offender) {
    fault(line, offender, "expression", fmt::format("\"{}\": {}", excerpt(text), error.what),
          known_.empty() ? error.remedy : error.remedy + "; or name a parameter");
  }

  std::optional<double> number_of(std::string_view text, int line, const std::string& offender) {
    const auto f = read_time_expression(with_numbers(text));
    if (!f) {
      const auto there = read_time_expression(in_place(text));
      tell(text, (there ? f : there).faults().front(), line, offender);
      return std::nullopt;
    }
    const double value = (*f)(0).f;
    if (std::isfinite(value)) return value;
    fault(line, offender, "not-finite", fmt::format("\"{}\" is no finite number", excerpt(text)), "mend the formula");
    return std::nullopt;
  }
};

}  // namespace

Faults apply_parameters(TomlValue& document, const std::string& file, std::span<const ParameterSetting> settings) {
  auto& root = std::get<TomlValue::Table>(document.data);
  Parameters parameters(file, settings);
  if (const auto table = std::ranges::find(root, "parameters", &TomlEntry::key); table != root.end()) {
    parameters.read(table->value);
    root.erase(table);
  }
  parameters.replace(document, "");
  return parameters.finish();
}

}  // namespace torsor

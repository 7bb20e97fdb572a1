#include "torsor/text/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

const TomlValue::Table no_entries;

// `"a", "b" or "c"`
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

std::string spelt(std::string_view key, Unit unit) {
  std::vector<std::string> ways;
  for (const UnitSuffix& suffix : unit) ways.push_back(fmt::format("{}{}", key, suffix.text));
  return alternatives(ways);
}

}  // namespace

TomlTable::TomlTable(const TomlValue& table_value, std::string table_title, const std::string& file_name,
                     Faults& error_list)
    : value(&table_value),
      entries(std::get_if<TomlValue::Table>(&table_value.data)),
      name(std::move(table_title)),
      file(&file_name),
      errors(&error_list) {
  if (!entries) entries = &no_entries;
}

TomlTable::Found TomlTable::find(std::string_view key, Unit unit) {
  const auto known = std::ranges::find_if(asked, [&](const auto& a) { return a.first == key; });
  if (known == asked.end())
    asked.emplace_back(key, unit);
  else if (unit.size() > known->second.size())
    known->second = unit;
  for (const TomlEntry& entry : *entries)
    if (entry.key.starts_with(key))
      for (const UnitSuffix& suffix : unit)
        if (std::string_view(entry.key).substr(key.size()) == suffix.text) return {&entry, suffix};
  return {};
}

TomlTable::Found TomlTable::find_once(std::string_view key, Unit unit) {
  const auto found = find(key, unit);
  if (!found) return found;
  for (const UnitSuffix& suffix : unit)
    for (const TomlEntry& entry : *entries)
      if (&entry != found.entry && entry.key == fmt::format("{}{}", key, suffix.text))
        report(entry.value.line, entry.key, "key-twice", fmt::format("{} gives the same quantity", found.entry->key),
               "keep one of them");
  return found;
}

void TomlTable::report(int line, std::string_view key, std::string_view rule, std::string what, std::string remedy) {
  // `link "elbow", inertia.xx`; the key alone at the top of the file
  std::string path =
      key.empty() && !prefix.empty() ? prefix.substr(0, prefix.size() - 1) : fmt::format("{}{}", prefix, excerpt(key));
  std::string offender = name.empty() ? path : path.empty() ? name : name + ", " + path;
  errors->push_back({{*file, line}, std::move(offender), std::string(rule), std::move(what), std::move(remedy)});
}

Where TomlTable::where(std::string_view key, Unit unit) {
  const auto found = key.empty() ? Found{} : find(key, unit);
  return {*file, found ? found.entry->value.line : value->line};
}

void TomlTable::fault(std::string_view key, std::string_view rule, std::string what, std::string remedy, Unit unit) {
  const auto found = key.empty() ? Found{} : find(key, unit);
  report(found ? found.entry->value.line : value->line, found ? std::string_view(found.entry->key) : key, rule,
         std::move(what), std::move(remedy));
}

void TomlTable::fault_at(Where where, std::string offender, std::string_view rule, std::string what,
                         std::string remedy) {
  errors->push_back(
      {std::move(where), std::move(offender), std::string(rule), std::move(what), std::move(remedy)});
}

void TomlTable::missing(std::string_view key, std::string remedy) {
  report(value->line, key, "key-missing", "it is missing", std::move(remedy));
}

int TomlTable::at_most_one(const std::vector<std::pair<std::string_view, Unit>>& keys) {
  std::vector<const TomlEntry*> present;
  for (const auto& [key, unit] : keys)
    if (const auto found = find(key, unit)) present.push_back(found.entry);
  std::ranges::sort(present);  // entries stand in the order of the file
  for (std::size_t i = 1; i < present.size(); ++i)
    report(present[i]->value.line, present[i]->key, "key-twice",
           fmt::format("{} says it already", present.front()->key), "keep one of them");
  return static_cast<int>(present.size());
}

void TomlTable::wrong_type(const Found& found, const TomlValue& culprit, std::string remedy) {
  report(culprit.line > 0 ? culprit.line : found.entry->value.line, found.entry->key, "type",
         "it is " + describe(culprit), std::move(remedy));
}

std::optional<double> TomlTable::scalar(const Found& found, const TomlValue& item, Unit unit) {
  const double* x = std::get_if<double>(&item.data);
  if (!x) {
    const bool quoted = std::holds_alternative<std::string>(item.data);
    const std::string stem = found.entry->key.substr(0, found.entry->key.size() - found.suffix.text.size());
    wrong_type(found, item,
               quoted && unit.size() > 1 ? "write a bare number; the unit goes into the key: " + spelt(stem, unit)
                                         : "write a number");
    return std::nullopt;
  }
  if (!std::isfinite(*x)) {
    report(item.line, found.entry->key, "number-finite", fmt::format("it is {}", print_number(*x)),
           "write a finite number, or leave the key out");
    return std::nullopt;
  }
  return to_si(to_si(*x, found.suffix), scale);
}

std::optional<std::vector<double>> TomlTable::scalars(const Found& found, const TomlValue& list, Unit unit) {
  const auto* items = std::get_if<TomlValue::Array>(&list.data);
  if (!items) {
    wrong_type(found, list, "write numbers in brackets: [1, 2, 3]");
    return std::nullopt;
  }
  std::vector<double> out;
  for (const TomlValue& item : *items)
    if (const auto x = scalar(found, item, unit))
      out.push_back(*x);
    else
      return std::nullopt;
  return out;
}

std::optional<double> TomlTable::number(std::string_view key, Unit unit) {
  const auto found = find_once(key, unit);
  return found ? scalar(found, found.entry->value, unit) : std::nullopt;
}

std::optional<std::vector<double>> TomlTable::numbers(std::string_view key, Unit unit) {
  const auto found = find_once(key, unit);
  return found ? scalars(found, found.entry->value, unit) : std::nullopt;
}

std::optional<Vec3<double>> TomlTable::vector(std::string_view key, Unit unit) {
  const auto v = numbers(key, unit);
  if (!v) return std::nullopt;
  if (v->size() == 3) return Vec3<double>{(*v)[0], (*v)[1], (*v)[2]};
  fault(key, "array-length", fmt::format("it has {} numbers", v->size()), "write three: x, y, z", unit);
  return std::nullopt;
}

std::optional<std::vector<std::vector<double>>> TomlTable::matrix(std::string_view key, Unit unit) {
  const auto found = find_once(key, unit);
  if (!found) return std::nullopt;
  const auto* rows = std::get_if<TomlValue::Array>(&found.entry->value.data);
  if (!rows) {
    wrong_type(found, found.entry->value, "write its rows in brackets: [[1, 0], [0, 1]]");
    return std::nullopt;
  }
  std::vector<std::vector<double>> out;
  for (const TomlValue& item : *rows) {
    auto row = scalars(found, item, unit);
    if (!row) return std::nullopt;
    if (!out.empty() && row->size() != out.front().size()) {
      report(item.line, found.entry->key, "array-length",
             fmt::format("its rows have {} and {} numbers", out.front().size(), row->size()),
             "give rows of equal length");
      return std::nullopt;
    }
    out.push_back(std::move(*row));
  }
  return out;
}

std::optional<std::string> TomlTable::text(std::string_view key) {
  const auto found = find(key, units::plain);
  if (!found) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&found.entry->value.data)) return *text;
  wrong_type(found, found.entry->value, "write a text in quotes");
  return std::nullopt;
}

std::optional<std::vector<std::string>> TomlTable::texts(std::string_view key) {
  const auto found = find(key, units::plain);
  if (!found) return std::nullopt;
  const auto* items = std::get_if<TomlValue::Array>(&found.entry->value.data);
  std::vector<std::string> out;
  for (const TomlValue& item : items ? *items : TomlValue::Array{found.entry->value}) {
    const auto* text = items ? std::get_if<std::string>(&item.data) : nullptr;
    if (!text) {
      wrong_type(found, item, "write texts in brackets: [\"a\", \"b\"]");
      return std::nullopt;
    }
    out.push_back(*text);
  }
  return out;
}

std::optional<std::size_t> TomlTable::word_index(std::string_view key, const std::vector<std::string_view>& allowed,
                                                 std::string_view rule) {
  const auto found = find(key, units::plain);
  if (!found) return std::nullopt;
  std::vector<std::string> quoted;
  for (const std::string_view word : allowed) quoted.push_back(fmt::format("\"{}\"", word));
  const auto* text = std::get_if<std::string>(&found.entry->value.data);
  if (!text) {
    wrong_type(found, found.entry->value, "write " + alternatives(quoted));
    return std::nullopt;
  }
  const auto match = std::ranges::find(allowed, *text);
  if (match != allowed.end()) return static_cast<std::size_t>(match - allowed.begin());
  const std::string hint = did_you_mean(*text, allowed);
  report(found.entry->value.line, key, rule, "it is " + describe(found.entry->value),
         (hint.empty() ? "" : hint + " ") + "it may be " + alternatives(quoted));
  return std::nullopt;
}

bool TomlTable::has(std::string_view key, Unit unit) { return static_cast<bool>(find(key, unit)); }

bool TomlTable::holds(std::string_view key) const {
  return std::ranges::any_of(*entries, [&](const TomlEntry& entry) { return entry.key == key; });
}

bool TomlTable::is_table(std::string_view key, Unit unit) {
  const auto found = find(key, unit);
  return found && std::holds_alternative<TomlValue::Table>(found.entry->value.data);
}

bool TomlTable::is_text(std::string_view key, Unit unit) {
  const auto found = find(key, unit);
  return found && std::holds_alternative<std::string>(found.entry->value.data);
}

bool TomlTable::is_array(std::string_view key, Unit unit) {
  const auto found = find(key, unit);
  return found && std::holds_alternative<TomlValue::Array>(found.entry->value.data);
}

bool TomlTable::is_matrix(std::string_view key, Unit unit) {
  const auto found = find(key, unit);
  const auto* items = found ? std::get_if<TomlValue::Array>(&found.entry->value.data) : nullptr;
  return items && !items->empty() && std::holds_alternative<TomlValue::Array>(items->front().data);
}

void TomlTable::visit_child(const TomlValue& child, std::string child_title, std::string child_prefix,
                            const UnitSuffix& suffix, const Visit& visit) {
  TomlTable view(child, std::move(child_title), *file, *errors);
  view.prefix = std::move(child_prefix);
  view.scale = suffix;
  visit(view);
  view.finish();
}

void TomlTable::table(std::string_view key, const Visit& visit) { table(key, units::plain, visit); }

void TomlTable::table(std::string_view key, Unit unit, const Visit& visit) {
  const auto found = find_once(key, unit);
  if (!found) return;
  const TomlValue& child = found.entry->value;
  if (!std::holds_alternative<TomlValue::Table>(child.data))
    return wrong_type(found, child, fmt::format("write a table: {} = {{ ... }}", found.entry->key));
  visit_child(child, name, prefix + found.entry->key + ".", found.suffix, visit);
}

void TomlTable::tables(std::string_view key, const Visit& visit) {
  const auto found = find(key, units::plain);
  if (!found) return;
  const auto* items = std::get_if<TomlValue::Array>(&found.entry->value.data);
  if (!items)
    return wrong_type(found, found.entry->value,
                      fmt::format("write a list of tables: [[{0}]], or {0} = [{{ ... }}]", key));
  int number = 0;
  for (const TomlValue& item : *items) {
    ++number;
    const std::string_view one = key.substr(0, key.size() - (key.ends_with('s') ? 1 : 0));
    const std::string child_title = fmt::format("{}{}{} {}", name, name.empty() ? "" : ", ", one, number);
    if (std::holds_alternative<TomlValue::Table>(item.data))
      visit_child(item, child_title, "", UnitSuffix{""}, visit);
    else
      wrong_type(found, item, fmt::format("write a list of tables: [[{0}]], or {0} = [{{ ... }}]", key));
  }
}

void TomlTable::unknown(const TomlEntry& entry) {
  // a known quantity with a unit that is not its own
  for (const auto& [key, unit] : asked)
    for (const std::string_view suffix : units::suffixes)
      if (entry.key == fmt::format("{}{}", key, suffix))
        return report(entry.value.line, entry.key, "unit",
                      fmt::format("{} cannot be given in {}", key, suffix.substr(1)), "write " + spelt(key, unit));
  std::vector<std::string> ways, keys;
  for (const auto& [key, unit] : asked) {
    keys.push_back(key);
    for (const UnitSuffix& suffix : unit) ways.push_back(fmt::format("{}{}", key, suffix.text));
  }
  std::string remedy = did_you_mean(entry.key, ways);
  // a quantity and what its author took for a unit: mass_kg
  for (const auto& [key, unit] : asked)
    if (unit.size() > 1 && entry.key.starts_with(key + '_'))
      remedy = "without a suffix it is in SI units: write " + spelt(key, unit);
  if (remedy.empty()) remedy = "known here: " + alternatives(keys);
  report(entry.value.line, entry.key, "key-unknown", "there is no such key", std::move(remedy));
}

void TomlTable::finish() {
  const auto is_asked = [&](const TomlEntry& entry) {
    return std::ranges::any_of(asked, [&](const auto& a) {
      return std::ranges::any_of(
          a.second, [&](const UnitSuffix& suffix) { return entry.key == fmt::format("{}{}", a.first, suffix.text); });
    });
  };
  for (const TomlEntry& entry : *entries)
    if (!is_asked(entry)) unknown(entry);
}

}  // namespace torsor

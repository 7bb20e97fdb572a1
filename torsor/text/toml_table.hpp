// A strict view of one TOML table. It is asked for the keys it may hold; each answer is a checked SI value or nothing,
// and every fault on the way is collected. What was never asked for is a slip of the author and is reported too: no
// typo passes silently.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/text/toml_value.hpp"
#include "torsor/text/unit.hpp"
#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// Words that a text may be, and what they stand for.
template <class E>
using Words = std::vector<std::pair<std::string_view, E>>;

class TomlTable {
 public:
  using Visit = std::function<void(TomlTable&)>;

  /// The table, called by its title in messages; faults go to the list, which outlives the view.
  TomlTable(const TomlValue& table_value, std::string table_title, const std::string& file_name, Faults& error_list);

  /// The quantity `key`, under any suffix of its unit, in SI; nothing if it is absent or faulty.
  std::optional<double> number(std::string_view key, Unit unit = units::plain);
  std::optional<Vec3<double>> vector(std::string_view key, Unit unit = units::plain);
  std::optional<std::vector<double>> numbers(std::string_view key, Unit unit = units::plain);
  std::optional<std::vector<std::vector<double>>> matrix(std::string_view key, Unit unit = units::plain);

  std::optional<std::string> text(std::string_view key);
  std::optional<std::vector<std::string>> texts(std::string_view key);

  /// What the word under `key` stands for; another word is a fault of the given rule.
  template <class E>
  std::optional<E> word(std::string_view key, const Words<E>& words, std::string_view rule = "word-unknown") {
    std::vector<std::string_view> allowed;
    for (const auto& [word, meaning] : words) allowed.push_back(word);
    const auto found = word_index(key, allowed, rule);
    if (!found) return std::nullopt;
    return words[*found].second;
  }

  /// Visits the table under `key`, or each table of the array under `key`, and reports what the visitor did not ask
  /// for.
  void table(std::string_view key, const Visit& visit);
  void tables(std::string_view key, const Visit& visit);

  /// A table under a key with a unit: its numbers are asked for without suffix and scaled by the one of the key.
  void table(std::string_view key, Unit unit, const Visit& visit);

  bool has(std::string_view key, Unit unit = units::plain);
  /// Whether the table has this very key, without making it one that may be there.
  bool holds(std::string_view key) const;
  bool is_table(std::string_view key, Unit unit = units::plain);
  bool is_text(std::string_view key, Unit unit = units::plain);
  bool is_array(std::string_view key, Unit unit = units::plain);
  bool is_matrix(std::string_view key, Unit unit = units::plain);

  /// Reports a fault of `key` (of the table as a whole if empty), at the key's line where it is there, else at the
  /// table's.
  void fault(std::string_view key, std::string_view rule, std::string what, std::string remedy,
             Unit unit = units::plain);
  /// A fault found when the table that it is in was done with; `where` and its title were kept.
  void fault_at(Where where, std::string offender, std::string_view rule, std::string what, std::string remedy);
  void missing(std::string_view key, std::string remedy);
  /// Of these keys at most one may be there; says so and answers how many are.
  int at_most_one(const std::vector<std::pair<std::string_view, Unit>>& keys);

  /// Reports each key that nobody asked for.
  void finish();

  void rename(std::string title) { name = std::move(title); }
  const std::string& title() const { return name; }
  int line() const { return value->line; }
  Where where(std::string_view key = {}, Unit unit = units::plain);
  /// Faults found so far in the whole file: a reader that sees none added knows its block to be sound.
  std::size_t fault_count() const { return errors->size(); }

 private:
  struct Found {
    const TomlEntry* entry = nullptr;
    UnitSuffix suffix{""};
    explicit operator bool() const { return entry != nullptr; }
  };

  const TomlValue* value;
  const TomlValue::Table* entries;
  std::string name, prefix;
  const std::string* file;
  Faults* errors;
  UnitSuffix scale{""};                             // of the key that holds this table
  std::vector<std::pair<std::string, Unit>> asked;  // keys without suffix

  Found find(std::string_view key, Unit unit);
  Found find_once(std::string_view key, Unit unit);
  std::optional<std::size_t> word_index(std::string_view key, const std::vector<std::string_view>& allowed,
                                        std::string_view rule);
  std::optional<double> scalar(const Found& found, const TomlValue& item, Unit unit);
  std::optional<std::vector<double>> scalars(const Found& found, const TomlValue& list, Unit unit);
  void report(int line, std::string_view key, std::string_view rule, std::string what, std::string remedy);
  void wrong_type(const Found& found, const TomlValue& culprit, std::string remedy);
  void unknown(const TomlEntry& entry);
  void visit_child(const TomlValue& child, std::string child_title, std::string child_prefix, const UnitSuffix& suffix,
                   const Visit& visit);
};

}  // namespace torsor

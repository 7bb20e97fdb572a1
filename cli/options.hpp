// The options of a verb: declared with the variable they fill, parsed all at once, faults collected. Numbers go through
// the project's own strict parser. The library behind it stays in options.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cli/verb.hpp"

namespace torsor {

/// What one verb takes, as its options were declared: for completion in shells and for the manual page.
struct DeclaredOption {
  std::string names;        // `-o,--output`, or a word without dashes
  std::string placeholder;  // of its value; empty: it takes none
  std::string help, group;
  bool file = false;  // the value is a path
  std::vector<std::string> words = {};  // that the value may be
};
struct DeclaredVerb {
  std::string name, description;
  std::vector<DeclaredOption> arguments, options;
  std::vector<std::string> examples;  // the command and what it does, in turn
};

/// The same without running the verb: its parse() ends it.
DeclaredVerb declared_verb(int (*run)(Arguments), Arguments arguments = {});

class Options {
 public:
  Options(const std::string& verb, const std::string& description);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// The options declared from here on stand under this heading in the help.
  Options& group(std::string heading);

  /// A word without dashes; it must be given.
  Options& positional(const std::string& name, std::string& target, const std::string& help);
  /// The same, but it may be left out; then the target stays as it is.
  Options& optional_positional(const std::string& name, std::string& target, const std::string& help);
  /// The same for a file that the verb writes.
  Options& optional_output(const std::string& name, std::string& target, const std::string& help);
  /// Likewise, but a word that is no file.
  Options& optional_word(const std::string& name, std::string& target, const std::string& help);
  Options& flag(const std::string& names, bool& target, const std::string& help);
  Options& text(const std::string& names, const std::string& placeholder, std::optional<std::string>& target,
                const std::string& help);
  /// The same, as often as one likes.
  Options& texts(const std::string& names, const std::string& placeholder, std::vector<std::string>& target,
                 const std::string& help);
  /// The same for the path of a file that the verb reads, or of one that it writes; so is every word without dashes that of
  /// a file that is read. /dev/stdout is taken as `-`, which is known to go where all else is printed.
  Options& reads(const std::string& names, const std::string& placeholder, std::optional<std::string>& target,
                 const std::string& help);
  Options& writes(const std::string& names, const std::string& placeholder, std::optional<std::string>& target,
                  const std::string& help);
  /// Words that the value of the option declared last may be, for completion; parsing does not look at them.
  Options& one_of(std::vector<std::string> words);
  /// The same of names, or of rows that have some.
  template <class Rows>
  Options& one_of_names(const Rows& rows) {
    std::vector<std::string> words;
    for (const auto& row : rows)
      if constexpr (requires { row.name; })
        words.emplace_back(row.name);
      else
        words.emplace_back(row);
    return one_of(std::move(words));
  }
  /// Numbers separated by commas or blanks.
  Options& numbers(const std::string& names, const std::string& placeholder, std::optional<std::vector<double>>& target,
                   const std::string& help);
  /// A whole number from low to high.
  Options& whole(const std::string& names, long long low, long long high, long long& target, const std::string& help);
  Options& whole(const std::string& names, long long low, long long high, std::optional<long long>& target,
                 const std::string& help);

  /// A command line and what it does, shown at the end of the help; the verb's name is put in front.
  Options& example(const std::string& arguments, const std::string& what);

  /// Fills the targets. Nothing: go on. A number: the verb ends here with it, the help or the faults are printed. Where a
  /// file that is read would be written, or one would be written twice, that is a fault before any is opened.
  std::optional<int> parse(Arguments arguments);

  /// The same for files that no argument names: by default, or inside of another file.
  Faults also_reads(const std::string& path);
  Faults also_writes(const std::string& path);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// A fault of what has no place in a file: an option, a robot, a coordinate.
inline Fault fault_of(std::string offender, std::string rule, std::string what, std::string remedy) {
  return {{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)};
}

/// Puts on record that an option was given where it has no meaning: `with --motion`, `without --motion`.
void refuse_if(bool given, const std::string& option, const std::string& where, Faults& errors);

/// The fault of a list of the wrong length; needed is how many are, `6` or `1 or 4 or 7`.
Fault count_error(const std::string& option, std::size_t given, const std::string& needed, std::string remedy);

/// The faults of several arguments together, to be told at once.
template <class T>
void collect(const Result<T>& result, Faults& errors) {
  errors.insert(errors.end(), result.faults().begin(), result.faults().end());
}
/// The same of a result that is at hand now.
template <class T>
Result<T> collected(Result<T> result, Faults& errors) {
  collect(result, errors);
  return result;
}

/// The numbers of a list such as "0, pi/2 1"; every entry that is none is a fault of the offender (`--q`).
Result<std::vector<double>> parse_numbers(std::string_view text, const std::string& offender);
/// The same where some entries are angles, which may have their unit with them: 90deg. In radians, or in degrees if so.
Result<std::vector<double>> parse_angles(std::string_view text, const std::string& offender, bool degrees,
                                         const std::function<bool(std::size_t k, std::size_t count)>& is_angle);

}  // namespace torsor

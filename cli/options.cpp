#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <span>
#include <utility>

#include "cli/file_use.hpp"
#include "cli/files.hpp"
#include "cli/wrap.hpp"
#include "torsor/text/column_heading.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {

namespace {

// options that had another name
constexpr std::pair<std::string_view, std::string_view> renamed_options[] = {
    {"--method", "--formulation"}, {"--draw", "--seed"}, {"--hand", "--tool"}};

std::string_view new_name(std::string_view name) {
  for (const auto& [old, now] : renamed_options)
    if (old == name) return now;
  return {};
}

bool has_new_name(std::string_view name, std::span<const std::string> names) {
  return !new_name(name).empty() && std::find(names.begin(), names.end(), new_name(name)) != names.end();
}

constexpr std::size_t help_column = 26;

// beside the names of the options
std::string in_help_column(const std::string& text) { return wrapped(text, screen_width - help_column); }

// the last of `-o,--output`
std::string long_name(const std::string& spelling) { return spelling.substr(spelling.rfind(',') + 1); }

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to);
}

// where the next parse() puts what was declared, if someone asked
thread_local DeclaredVerb* asked_to_declare = nullptr;

}  // namespace

DeclaredVerb declared_verb(int (*run)(Arguments), Arguments arguments) {
  DeclaredVerb verb;
  asked_to_declare = &verb;
  run(arguments);
  asked_to_declare = nullptr;
  return verb;
}

struct Options::Parser {
  CLI::App app;
  std::string group_name = "Options";
  std::vector<std::string> examples;  // the command and what it does, in turn
  std::vector<std::string> names;  // every option, with its dashes
  struct Positional {
    std::string name;
    std::string* target;
    bool needed, file;
    const CLI::Option* option;
    bool written = false;
  };
  std::vector<Positional> positionals;
  std::vector<std::string> read, written;  // the arguments that are paths, for the help
  struct Value {
    std::string name;  // the long one
    CLI::Option* option;
    std::function<void(const std::string& text, Faults& errors)> take;
    bool often = false;  // it may be given several times
    std::vector<std::string> words = {};  // that it may be
  };
  std::vector<Value> values;

  /// The help of the library, with what must be given not shown as if it need not, and without its empty lines.
  std::string help() const {
    std::string text = app.help();
    for (const Positional& positional : positionals)
      if (positional.needed) replace_all(text, "[" + positional.name + "]", positional.name);
    replace_all(text, "\n\n\n", "\n\n");
    return text;
  }

  CLI::Option* add(const std::string& spelling, CLI::Option* option) {
    for (const std::string& name : CLI::detail::split(spelling, ',')) names.push_back(name);
    return option->group(group_name);
  }

  /// An option with one value, kept as text until the whole line is read.
  void add_value(const std::string& spelling, const std::string& placeholder, const std::string& help,
                 std::function<void(const std::string&, Faults&)> take, bool often = false) {
    const CLI::callback_t keep = [](const CLI::results_t&) { return true; };
    CLI::Option* option = add(spelling, app.add_option(spelling, keep, in_help_column(help)));
    option->type_name(placeholder)->expected(1);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    values.push_back({names.back(), option, std::move(take), often});
  }

  void add_whole(const std::string& spelling, long long low, long long high, const std::string& help,
                 std::function<void(long long)> put) {
    const std::string name = long_name(spelling);
    add_value(spelling, "N", help, [put = std::move(put), name, low, high](const std::string& text, Faults& errors) {
      const ParsedNumber number = parse_number(text);
      const bool inside =
          number && number.value >= static_cast<double>(low) && number.value <= static_cast<double>(high);
      if (inside && number.value == std::floor(number.value))
        put(static_cast<long long>(number.value));
      else
        errors.push_back(fault_of(name, "option-value", fmt::format("\"{}\" is not allowed", text),
                                  fmt::format("give a whole number from {} to {}", low, high)));
    });
  }

  void add_path(const std::string& spelling, const std::string& placeholder, std::optional<std::string>& target,
                const std::string& help, void (FileUse::*use)(std::string, const std::string&)) {
    add_value(
        spelling, placeholder, help, [&target, use, name = long_name(spelling)](const std::string& text, Faults&) {
          const bool printed =
              use == &FileUse::writes && (text == "/dev/stdout" || text == "/dev/fd/1" || text == "/proc/self/fd/1");
          target = printed ? "-" : text;
          (file_use().*use)(name, *target);
        });
    (use == &FileUse::writes ? written : read).push_back(long_name(spelling));
  }

  /// `Files: reads ROBOT, --motion; writes --output, --html.`
  std::string files_sentence() const {
    if (read.empty() && written.empty()) return "";
    std::string text = "Files: ";
    if (!read.empty()) text += fmt::format("reads {}", fmt::join(read, ", "));
    if (!written.empty()) text += fmt::format("{}writes {}", read.empty() ? "" : "; ", fmt::join(written, ", "));
    return wrapped(text.ends_with("...") ? text : text + ".") + "\n\n";
  }

  std::string footer() const {
    std::string text = files_sentence() + "Examples:\n";
    for (std::size_t k = 0; k + 1 < examples.size(); k += 2)
      text += fmt::format("  {}\n      {}\n", examples[k], examples[k + 1]);
    return text;
  }

  DeclaredVerb declared() const {
    const auto one_line = [](std::string text) {
      std::replace(text.begin(), text.end(), '\n', ' ');
      return text.substr(0, text.find_last_not_of(' ') + 1);
    };
    DeclaredVerb verb{app.get_name(), one_line(app.get_description()), {}, {}, examples};
    for (const CLI::Option* option : app.get_options()) {
      const std::string spelling = option->get_name(true, true);
      const bool word = option->get_positional();
      const std::string name = word ? spelling : long_name(spelling);
      const bool path = std::find(read.begin(), read.end(), name) != read.end() ||
                        std::find(written.begin(), written.end(), name) != written.end();
      const auto value = std::ranges::find(values, option, &Value::option);
      (word ? verb.arguments : verb.options)
          .push_back({spelling, word || option->get_expected_max() == 0 ? "" : option->get_type_name(),
                      one_line(option->get_description()), option->get_group(), path,
                      value == values.end() ? std::vector<std::string>{} : value->words});
    }
    return verb;
  }

  /// The words last first, as the library wants them. A value that begins with -pi is no option: it goes behind a `=`.
  std::vector<std::string> joined(Arguments arguments) const {
    std::vector<std::string> words;
    for (const std::string& word : arguments) {
      const bool formula = word.starts_with("-pi") || word.starts_with("-(");
      const bool wanted = !words.empty() && std::any_of(values.begin(), values.end(),
                                                        [&](const Value& v) { return v.name == words.back(); });
      if (formula && wanted)
        words.back() += '=' + word;
      else
        words.push_back(word);
    }
    return {words.rbegin(), words.rend()};
  }

  void take_values(Faults& errors) {
    for (const Value& value : values) {
      const CLI::results_t& given = value.option->results();
      if (given.empty()) continue;
      if (given.size() > 1 && !value.often) {
        errors.push_back(
            {{}, value.name, "option-twice", fmt::format("is given {} times", given.size()), "give it once"});
      } else if (given.front().starts_with("--")) {
        errors.push_back(fault_of(value.name, "option-value", fmt::format("has no value before {}", given.front()),
                                  fmt::format("write {} {}", value.name, value.option->get_type_name())));
      } else {
        for (const std::string& text : given) value.take(text, errors);
      }
    }
  }

  /// Words behind `--`, where nothing is an option: the arguments that are still missing, in their order. Gives the rest.
  Arguments take_arguments(Arguments words) {
    for (Positional& positional : positionals) {
      if (words.empty()) break;
      if (positional.option->count() > 0) continue;
      *positional.target = words.front();
      words = words.subspan(1);
    }
    return words;
  }

  /// Words that nothing asked for: first those that look like options, since others may be their values. words: no options.
  void refuse_extras(Arguments words, Faults& errors) {
    std::vector<std::string> extras = app.remaining();
    const auto is_option = [](const std::string& word) {
      return word.size() > 1 && word[0] == '-' && !parse_number(word);
    };
    const bool options = std::any_of(extras.begin(), extras.end(), is_option);
    const std::size_t before = extras.size();
    extras.insert(extras.end(), words.begin(), words.end());
    for (std::size_t k = 0; k < extras.size(); ++k) {
      const std::string& word = extras[k];
      if (k < before && is_option(word)) {
        const std::string name = word.substr(0, word.find('='));
        const auto argument = std::ranges::find_if(
            positionals, [&name](const Positional& each) { return "--" + lower_case(each.name) == name; });
        const std::string hint = argument != positionals.end()
                                     ? fmt::format("it is an argument here: {} ... {}", app.get_name(), argument->name)
                                 : has_new_name(name, names) ? fmt::format("did you mean \"{}\"?", new_name(name))
                                                             : did_you_mean(name, names);
        errors.push_back(
            {{}, name, "option-unknown", "there is no such option", hint.empty() ? "--help lists them" : hint});
      } else if (!options) {
        const bool number = static_cast<bool>(parse_number(word));
        const bool motion = std::ranges::find(names, "--motion") != names.end() &&
                            (word.ends_with(".csv") || word.ends_with(".toml"));
        errors.push_back(fault_of(fmt::format("\"{}\"", word), "argument-extra", "is one argument too many",
                                  number   ? "put a list of numbers in quotes: \"0 0.5 1\""
                                  : motion ? "a motion is given by --motion " + word
                                           : "--help shows what is expected"));
        if (number) return;  // the rest of the list
      }
    }
  }
};

Options::Options(const std::string& verb, const std::string& description) : parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.name("torsor " + verb);
  app.description(wrapped(description) + "\n");
  app.allow_extras();
  app.get_formatter()->column_width(help_column);
  app.get_formatter()->label("Positionals", "Arguments");
  app.set_help_flag();
}

Options::~Options() = default;

Options& Options::group(std::string heading) {
  parser_->group_name = std::move(heading);
  return *this;
}

Options& Options::positional(const std::string& name, std::string& target, const std::string& help) {
  const CLI::Option* const option =
      parser_->app.add_option(name, target, in_help_column(help))->type_name("")->group("Arguments");
  parser_->positionals.push_back({name, &target, true, true, option});
  parser_->read.push_back(name);
  return *this;
}

Options& Options::optional_positional(const std::string& name, std::string& target, const std::string& help) {
  positional(name, target, help);
  parser_->positionals.back().needed = false;
  return *this;
}

Options& Options::optional_output(const std::string& name, std::string& target, const std::string& help) {
  optional_positional(name, target, help);
  parser_->positionals.back().written = true;
  parser_->read.pop_back();
  parser_->written.push_back(name);
  return *this;
}

Options& Options::optional_word(const std::string& name, std::string& target, const std::string& help) {
  optional_positional(name, target, help);
  parser_->positionals.back().file = false;
  parser_->read.pop_back();
  return *this;
}

Options& Options::flag(const std::string& names, bool& target, const std::string& help) {
  parser_->add(names, parser_->app.add_flag(names, target, in_help_column(help))->disable_flag_override());
  return *this;
}

Options& Options::text(const std::string& names, const std::string& placeholder, std::optional<std::string>& target,
                       const std::string& help) {
  parser_->add_value(names, placeholder, help, [&target](const std::string& text, Faults&) { target = text; });
  return *this;
}

Options& Options::texts(const std::string& names, const std::string& placeholder, std::vector<std::string>& target,
                        const std::string& help) {
  parser_->add_value(
      names, placeholder, help, [&target](const std::string& text, Faults&) { target.push_back(text); }, true);
  return *this;
}

Options& Options::reads(const std::string& names, const std::string& placeholder, std::optional<std::string>& target,
                        const std::string& help) {
  parser_->add_path(names, placeholder, target, help, &FileUse::reads);
  return *this;
}

Options& Options::writes(const std::string& names, const std::string& placeholder, std::optional<std::string>& target,
                         const std::string& help) {
  parser_->add_path(names, placeholder, target, help, &FileUse::writes);
  return *this;
}

Options& Options::one_of(std::vector<std::string> words) {
  parser_->values.back().words = std::move(words);
  return *this;
}

Options& Options::numbers(const std::string& names, const std::string& placeholder,
                          std::optional<std::vector<double>>& target, const std::string& help) {
  const std::string name = long_name(names);
  parser_->add_value(names, placeholder, help, [&target, name](const std::string& text, Faults& errors) {
    auto list = parse_numbers(text, name);
    errors.insert(errors.end(), list.faults().begin(), list.faults().end());
    if (list) target = *std::move(list);
  });
  return *this;
}

Options& Options::whole(const std::string& names, long long low, long long high, long long& target,
                        const std::string& help) {
  parser_->add_whole(names, low, high, help, [&target](long long number) { target = number; });
  return *this;
}

Options& Options::whole(const std::string& names, long long low, long long high, std::optional<long long>& target,
                        const std::string& help) {
  parser_->add_whole(names, low, high, help, [&target](long long number) { target = number; });
  return *this;
}

Options& Options::example(const std::string& arguments, const std::string& what) {
  parser_->examples.push_back(parser_->app.get_name() + (arguments.empty() ? "" : " ") + arguments);
  parser_->examples.push_back(what);
  return *this;
}

std::optional<int> Options::parse(Arguments arguments) {
  Parser& p = *parser_;
  p.app.footer(p.footer());
  p.app.set_help_flag("-h,--help", "this text")->group("Options");
  p.names.insert(p.names.end(), {"-h", "--help"});
  if (asked_to_declare) {
    *asked_to_declare = p.declared();
    return exit_done;
  }
  Faults errors;
  file_use() = {};  // a program may run several verbs in turn
  try {
    // the library would drop the mark behind the value of an option
    const auto mark = std::find(arguments.begin(), arguments.end(), "--");
    const auto before = static_cast<std::size_t>(mark - arguments.begin());
    p.app.parse(p.joined(arguments.first(before)));
    p.take_values(errors);
    p.refuse_extras(p.take_arguments(arguments.subspan(std::min(before + 1, arguments.size()))), errors);
    for (const auto& [name, target, needed, file, option, written] : p.positionals) {
      if (!target->empty() && written) file_use().writes(name, *target);
      else if (file && !target->empty()) file_use().reads(name, *target);
      if (needed && target->empty() && errors.empty())
        errors.push_back(fault_of(name, "argument-missing", "is missing",
                                  fmt::format("{} --help shows what is expected", p.app.get_name())));
    }
    if (const CLI::Option* go_on = p.app.get_option_no_throw("--continue"))
      file_use().goes_on("--output", go_on->count() > 0);
    for (Fault& error : file_use().conflicts()) errors.push_back(std::move(error));
  } catch (const CLI::CallForHelp&) {
    std::cout << p.help();
    return finish_standard_output();
  } catch (const CLI::ArgumentMismatch& error) {
    // `--q: 1 required LIST missing`, or `json was given a disallowed flag override`
    const std::string message = error.what(), word = message.substr(0, message.find_first_of(": "));
    const std::string name = word.starts_with('-') ? word : "--" + word;
    const bool missing = message.ends_with("missing");
    errors.push_back(fault_of(name, "option-value", missing ? "has no value" : "takes no value",
                              missing ? "give one after it" : "give it alone"));
  } catch (const CLI::ParseError& error) {
    errors.push_back(
        {{}, "", "option-value", error.what(), fmt::format("{} --help shows what is expected", p.app.get_name())});
  }
  if (errors.empty()) return std::nullopt;
  return complain(errors, exit_bad_input);
}

Faults Options::also_reads(const std::string& path) {
  file_use().reads(path, path);
  return file_use().conflicts();
}

Faults Options::also_writes(const std::string& path) {
  file_use().writes(path, path);
  return file_use().conflicts();
}

void refuse_if(bool given, const std::string& option, const std::string& where, Faults& errors) {
  if (given)
    errors.push_back({{}, option, "option-mode", "has no meaning " + where, "--help shows what goes together"});
}

Fault count_error(const std::string& option, std::size_t given, const std::string& needed, std::string remedy) {
  return fault_of(option, "option-count",
                  fmt::format("{} given, {} {} needed", given == 1 ? "1 number is" : fmt::format("{} numbers are",
                      given), needed, needed == "1" ? "is" : "are"), std::move(remedy));
}

}  // namespace torsor

// torsor completion SHELL: what a shell needs to complete verbs, options, robots and files, from the options as declared.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/declared_verbs.hpp"
#include "cli/files.hpp"
#include "torsor/files/embedded_robots.hpp"

namespace torsor {
namespace {

std::vector<std::string> split_names(const DeclaredOption& option) {
  const std::size_t comma = option.names.find(',');
  if (comma == std::string::npos) return {option.names};
  return {option.names.substr(0, comma), option.names.substr(comma + 1)};
}

std::string names_of(std::span<const EmbeddedFile> files) {
  std::string text;
  for (const EmbeddedFile& file : files) text += (text.empty() ? "" : " ") + std::string(file.name);
  return text;
}

std::string names_of(std::span<const Verb> verbs) {
  std::string text;
  for (const Verb& verb : verbs) text += (text.empty() ? "" : " ") + std::string(verb.name);
  return text;
}

std::string first_sentence(const std::string& help) {
  // two points and a blank are no end: `q1.. (or names)`
  std::size_t end = help.find(". ");
  while (end != std::string::npos && end > 0 && help[end - 1] == '.') end = help.find(". ", end + 1);
  return help.substr(0, std::min(end, help.find("; ")));
}

// within single quotes of bash, zsh and, but for the backslash, fish
std::string quoted(std::string text, const char* apostrophe) {
  for (std::size_t at = text.find('\''); at != std::string::npos;
       at = text.find('\'', at + std::string_view(apostrophe).size()))
    text.replace(at, 1, apostrophe);
  return '\'' + text + '\'';
}

/// What the words without dashes of a verb may be, besides files; behind a `=` no files.
std::string words_for(const VerbPage& page) {
  if (page.verb->run == example_verb) {
    std::string text = "=";
    for (const EmbeddedFile& file : embedded_examples())
      if (file.name != "contents.txt") text += std::string(file.name) + " ";
    for (const EmbeddedFile& file : embedded_mechanisms()) text += std::string(file.name) + ".toml ";
    text.pop_back();
    return text;
  }
  if (page.verb->run == completion_verb) return "=bash zsh fish";
  if (page.declared.arguments.empty()) return "";
  if (page.words().starts_with("mechanism ")) return names_of(embedded_mechanisms());
  const std::string& what = page.declared.arguments.front().names;
  if (what == "MOTION") return "sixr_angeles sixr_sim stanford";
  if (what == "LOG" || page.words() == "plot") return "";
  return names_of(embedded_robots()) + " " + names_of(embedded_robots_with_loops());
}

/// The words of an option, with blanks between them.
std::string words_of(const DeclaredOption& option) { return fmt::format("{}", fmt::join(option.words, " ")); }

std::string bash_script(const std::vector<VerbPage>& pages) {
  std::string text = fmt::format(
      "# completion of torsor {} for bash: source <(torsor completion bash)\n"
      "_torsor() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} options= "
      "values= words= choices=\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n    return\n  "
      "fi\n"
      "  if [[ $verb == mechanism ]]; then\n"
      "    if ((COMP_CWORD == 2)); then\n      COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n      return\n    fi\n"
      "    verb=\"mechanism ${{COMP_WORDS[2]}}\"\n  fi\n"
      "  case $verb in\n",
      TORSOR_VERSION, names_of(all_verbs()), names_of(mechanism_questions()));
  for (const VerbPage& page : pages) {
    std::string options, values, choices;
    for (const DeclaredOption& option : page.declared.options)
      for (const std::string& name : split_names(option)) {
        options += name + ' ';
        if (!option.placeholder.empty() && !option.file) values += name + ' ';
        if (!option.words.empty()) choices += fmt::format(" {}) choices='{}' ;;", name, words_of(option));
      }
    text += fmt::format("    '{}') options='{}' values=' {}' words='{}'{} ;;\n", page.words(), options, values,
                        words_for(page), choices.empty() ? "" : fmt::format("; case $before in{} esac", choices));
  }
  return text +
         "  esac\n"
         "  if [[ $choices ]]; then\n    COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
         "  elif [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  elif [[ $words == '='* && $before != -* ]]; then\n    COMPREPLY=($(compgen -W \"${words#=}\" -- "
         "\"$word\"))\n"
         "  elif [[ $values != *\" $before \"* ]]; then\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "    [[ $before == -* ]] || COMPREPLY+=($(compgen -W \"$words\" -- \"$word\"))\n  fi\n"
         "}\n"
         "complete -o filenames -F _torsor torsor\n";
}

std::string zsh_script(const std::vector<VerbPage>& pages) {
  std::string text = "#compdef torsor\n# completion of torsor " TORSOR_VERSION
                     " for zsh: torsor completion zsh > _torsor, in a folder of $fpath\n"
                     "_torsor() {\n  local -a verbs options\n  local verb=$words[2] values= names= choices=\n  verbs=(\n";
  for (const Verb& verb : all_verbs())
    text += "    " + quoted(fmt::format("{}:{}", verb.name, verb.summary), "'\\''") + "\n";
  text +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n  if [[ $verb == mechanism ]]; "
      "then\n    verbs=(\n";
  for (const Verb& verb : mechanism_questions())
    text += "      " + quoted(fmt::format("{}:{}", verb.name, verb.summary), "'\\''") + "\n";
  text +=
      "    )\n    if ((CURRENT == 3)); then\n      _describe what verbs\n      return\n    fi\n    verb=\"mechanism "
      "$words[3]\"\n  fi\n  case $verb in\n";
  for (const VerbPage& page : pages) {
    std::string options, values, choices;
    for (const DeclaredOption& option : page.declared.options)
      for (const std::string& name : split_names(option)) {
        if (!option.words.empty()) choices += fmt::format(" {}) choices='{}' ;;", name, words_of(option));
        options += "        " + quoted(fmt::format("{}:{}", name, first_sentence(option.help)), "'\\''") + "\n";
        if (!option.placeholder.empty() && !option.file) values += name + ' ';
      }
    text += fmt::format("    '{}')\n      options=(\n{}      )\n      values=' {}'\n      names='{}'\n{}      ;;\n",
                        page.words(), options, values, words_for(page),
                        choices.empty() ? "" : fmt::format("      case $words[CURRENT-1] in{} esac\n", choices));
  }
  return text +
         "  esac\n"
         "  if [[ -n $choices ]]; then\n    compadd -- ${=choices}\n"
         "  elif [[ $words[CURRENT] == -* ]]; then\n    _describe option options\n"
         "  elif [[ $names == '='* && $words[CURRENT-1] != -* ]]; then\n    compadd -- ${=names#=}\n"
         "  elif [[ $values != *\" $words[CURRENT-1] \"* ]]; then\n"
         "    _files\n    [[ $words[CURRENT-1] == -* ]] || compadd -- ${=names}\n  fi\n}\n"
         "_torsor \"$@\"\n";
}

std::string fish_script(const std::vector<VerbPage>& pages) {
  std::string text = "# completion of torsor " TORSOR_VERSION
                     " for fish: torsor completion fish > ~/.config/fish/completions/torsor.fish\n";
  for (const Verb& verb : all_verbs())
    text += fmt::format("complete -c torsor -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                        quoted(std::string(verb.summary), "\\'"));
  for (const Verb& verb : mechanism_questions())
    text += fmt::format(
        "complete -c torsor -n '__fish_seen_subcommand_from mechanism; and not __fish_seen_subcommand_from {}' -f -a "
        "{} -d {}\n",
        names_of(mechanism_questions()), verb.name, quoted(std::string(verb.summary), "\\'"));
  for (const VerbPage& page : pages) {
    std::string seen = page.words();
    if (const std::size_t blank = seen.find(' '); blank != std::string::npos)
      seen.replace(blank, 1, "; and __fish_seen_subcommand_from ");
    const std::string when = fmt::format("complete -c torsor -n '__fish_seen_subcommand_from {}'", seen);
    for (const DeclaredOption& option : page.declared.options) {
      text += when;
      for (const std::string& name : split_names(option))
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.placeholder.empty()) text += option.file ? " -r -F" : " -x";
      if (!option.words.empty()) text += fmt::format(" -a '{}'", words_of(option));
      text += " -d " + quoted(first_sentence(option.help), "\\'") + "\n";
    }
    const std::string words = words_for(page);
    const bool alone = words.starts_with('=');
    if (!words.empty()) text += fmt::format("{} {}-a '{}'\n", when, alone ? "-f " : "", words.substr(alone));
  }
  return text;
}

}  // namespace

int completion_verb(Arguments arguments) {
  std::string shell;
  Options options("completion",
                  "A script that completes verbs, options, robots and files in a shell, on standard output.");
  options.optional_word("SHELL", shell, "bash, zsh or fish")
      .example("bash > ~/.local/share/bash-completion/completions/torsor", "for bash")
      .example("zsh > ~/.zfunc/_torsor", "for zsh, with ~/.zfunc in fpath before compinit")
      .example("fish > ~/.config/fish/completions/torsor.fish", "for fish");
  if (const auto code = options.parse(arguments)) return *code;
  if (shell != "bash" && shell != "zsh" && shell != "fish")
    return complain({fault_of(shell.empty() ? "SHELL" : fmt::format("\"{}\"", shell),
                              shell.empty() ? "argument-missing" : "shell-unknown",
                              shell.empty() ? "is missing" : "there is no completion for it",
                              "give bash, zsh or fish")},
                    exit_bad_input);
  const std::vector<VerbPage> pages = verb_pages();
  std::cout << (shell == "bash" ? bash_script(pages) : shell == "zsh" ? zsh_script(pages) : fish_script(pages));
  return finish_standard_output();
}

}  // namespace torsor

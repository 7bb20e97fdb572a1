// Every verb with its task and what it takes, as completion in shells and the manual page need them.
#pragma once

#include <vector>

#include "cli/options.hpp"

namespace torsor {

struct VerbPage {
  const Verb* verb;
  DeclaredVerb declared;  // its name is that of the whole command, `torsor mechanism check`

  /// The words after `torsor`.
  std::string words() const { return declared.name.substr(declared.name.find(' ') + 1); }
};

/// In the order of the help; `mechanism` as the questions that can be asked of it.
inline std::vector<VerbPage> verb_pages() {
  std::vector<VerbPage> pages;
  for (const Verb& verb : all_verbs()) {
    if (verb.run != mechanism_verb) {
      pages.push_back({&verb, declared_verb(verb.run)});
      continue;
    }
    for (const Verb& question : mechanism_questions()) pages.push_back({&question, declared_verb(question.run)});
  }
  return pages;
}

}  // namespace torsor

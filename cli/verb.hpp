// What every verb has in common: how it is called, how it ends, how it complains.
//
// Exit codes: 0 done; 1 there is no solution; 2 something is wrong with a file or a flag; 3 a result could not be
// written.
#pragma once

#include <iostream>
#include <span>
#include <string>
#include <string_view>

#include "torsor/result.hpp"

namespace torsor {

using Arguments = std::span<const std::string>;

enum ExitCode : int { exit_done = 0, exit_impossible = 1, exit_bad_input = 2, exit_not_written = 3 };

inline int complain(const Faults& errors, ExitCode code) {
  for (const Fault& error : errors) std::cerr << to_string(error) + "\n";
  return code;
}

/// Something the user should know and need not act on.
inline void note(const std::string& text) {
  std::cerr << "note: " + printable(with_short_names(text)) + "\n";
}

/// What the arguments ask for, verb first: its exit code.
int run_verb(Arguments arguments);

struct Verb {
  std::string_view task, name, summary;
  int (*run)(Arguments);
};

/// All verbs, task by task; and what can be asked of a mechanism, in the same form.
std::span<const Verb> all_verbs();
std::span<const Verb> mechanism_questions();

int demo_verb(Arguments);
int studio_verb(Arguments);
int example_verb(Arguments);
int completion_verb(Arguments);
int manual_verb(Arguments);
int list_verb(Arguments);
int show_verb(Arguments);
int check_verb(Arguments);
int fk_verb(Arguments);
int id_verb(Arguments);
int fd_verb(Arguments);
int simulate_verb(Arguments);
int roundtrip_verb(Arguments);
int control_verb(Arguments);
int mechanism_verb(Arguments);
int terms_verb(Arguments);
int regressor_verb(Arguments);
int identify_verb(Arguments);
int derivatives_verb(Arguments);
int structure_verb(Arguments);
int guide_verb(Arguments);
int dominance_verb(Arguments);
int reduce_verb(Arguments);
int equations_verb(Arguments);
int codegen_verb(Arguments);
int path_verb(Arguments);
int ik_verb(Arguments);
int track_verb(Arguments);
int size_verb(Arguments);
int count_verb(Arguments);
int bench_verb(Arguments);
int report_verb(Arguments);
int convert_verb(Arguments);
int inertia_verb(Arguments);
int diff_verb(Arguments);
int plot_verb(Arguments);
int agree_verb(Arguments);

}  // namespace torsor

// torsor manual: the help of all verbs as a manual page, in the macros of man(7).
#include <fmt/format.h>

#include <iostream>

#include "cli/declared_verbs.hpp"
#include "cli/files.hpp"

namespace torsor {
namespace {

/// Text as it is to be printed: backslashes and dashes are themselves, and no line is taken for a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

void print_options(const std::vector<DeclaredOption>& options, std::ostream& out) {
  for (const DeclaredOption& option : options) {
    std::string names = roff(option.names);
    if (const std::size_t comma = names.find(','); comma != std::string::npos) names.replace(comma, 1, ", ");
    out << fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", names,
                       option.placeholder.empty() ? "" : " \\fI" + roff(option.placeholder) + "\\fR",
                       roff(option.help));
  }
}

}  // namespace

int manual_verb(Arguments arguments) {
  Options options("manual", "All verbs and their options as a manual page, on standard output.");
  options.example("> torsor.1", "then: man ./torsor.1");
  if (const auto code = options.parse(arguments)) return *code;
  const std::vector<VerbPage> pages = verb_pages();
  std::ostream& out = std::cout;
  out << ".TH TORSOR 1 \"\" \"torsor " TORSOR_VERSION
         "\" \"User Commands\"\n"
         ".SH NAME\ntorsor \\- dynamics of robot arms and mechanisms\n"
         ".SH SYNOPSIS\n.B torsor\n\\fIVERB\\fR [\\fIARGUMENTS\\fR]\n.br\n.B torsor\n\\fIVERB\\fR \\-\\-help\n"
         ".SH VERBS\n";
  std::string_view task;
  for (const Verb& verb : all_verbs()) {
    if (verb.task != task) out << fmt::format(".SS {}\n", task = verb.task);
    out << fmt::format(".TP\n\\fB{}\\fR\n{}\n", verb.name, roff(verb.summary));
  }
  out << ".SH EXIT STATUS\n0 done; 1 no solution; 2 bad file or option; 3 cannot write.\n";
  for (const VerbPage& page : pages) {
    std::string upper = "torsor " + page.words(), words;
    for (const DeclaredOption& argument : page.declared.arguments) words += ' ' + argument.names;
    out << fmt::format(".SH {}\n\\fB{}\\fR\\fI{}\\fR [\\fIOPTIONS\\fR]\n.PP\n{}\n", roff(upper), roff(upper),
                       roff(words), roff(page.declared.description));
    print_options(page.declared.arguments, out);
    print_options(page.declared.options, out);
    out << ".PP\nExamples:\n";
    for (std::size_t k = 0; k + 1 < page.declared.examples.size(); k += 2)
      out << fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(page.declared.examples[k]), roff(page.declared.examples[k + 1]));
  }
  return finish_standard_output();
}

}  // namespace torsor

#include "cli/parameter_arguments.hpp"

#include <fmt/format.h>

namespace torsor {
namespace {

struct ColumnWord {
  std::string_view word;
  DriveColumns columns;
};
constexpr ColumnWord column_words[] = {
    {"none", DriveColumns::none}, {"file", DriveColumns::of_model}, {"all", DriveColumns::every_joint}};

DriveColumns read_columns(const std::optional<std::string>& text, DriveColumns otherwise, const std::string& option,
                          Faults& errors) {
  if (!text) return otherwise;
  for (const auto& [word, columns] : column_words)
    if (word == *text) return columns;
  errors.push_back({{}, option, "option-value", fmt::format("\"{}\" is not allowed", *text), "use file, all or none"});
  return otherwise;
}

}  // namespace

void ParameterArguments::add_to(Options& options, const std::string& friction_default,
                                const std::string& rotors_default) {
  options
      .text("--friction", "WHICH", friction,
            "parameters of viscous and dry friction: file (joints that have some in the robot file), all (every joint "
            "of one degree of freedom) or none; default " +
                friction_default)
      .one_of({"file", "all", "none"})
      .text("--rotors", "WHICH", rotors, "likewise rotor inertias; default " + rotors_default)
      .one_of({"file", "all", "none"});
}

Result<ParameterChoice> read_parameter_choice(const ParameterArguments& a, DriveColumns friction, DriveColumns rotors) {
  Faults errors;
  ParameterChoice choice;
  choice.friction = read_columns(a.friction, friction, "--friction", errors);
  choice.rotors = read_columns(a.rotors, rotors, "--rotors", errors);
  if (!errors.empty()) return errors;
  return choice;
}

Faults check_parameter_count(const Model<double>& model, const std::vector<DynamicParameter>& list) {
  if (list.size() <= most_parameters) return {};
  return {fault_of(model.name, "parameter-count", fmt::format("it has {} dynamic parameters", list.size()),
                   fmt::format("base parameters are found for up to {}; take a chain of it (torsor convert --tip)",
                       most_parameters))};
}

TextTable body_table(const Model<double>& model, const PrintArguments& print) {
  TextTable table{
      "bodies: a parameter ends in the number of its body",
      {column("number", "", print), column("link", "", print), column("joint", "", print), column("kind", "", print)}};
  for (int i = 0; i < model.size(); ++i)
    table.add({static_cast<long long>(i + 1), model.link_names[i], model.joint_names[i],
               std::string(row(model[i].kind).name)});
  return table;
}

TextTable letter_table(const GroupTexts& texts, const PrintArguments& print) {
  TextTable table{"letters", {column("letter", "", print), column("value", "", print), column("unit", "", print)}};
  for (const GroupLetter& letter : texts.letters) {
    const bool turn = letter.name.starts_with("ca") || letter.name.starts_with("sa");
    table.add({letter.name, letter.value, std::string(turn ? "" : "m")});
  }
  return table;
}

std::string parameter_list(const Model<double>& model, const BaseParameters& base, const std::vector<int>& places) {
  std::string text;
  for (const int k : places) text += (text.empty() ? "" : ", ") + parameter_name(model, base.parameters[k]);
  return text;
}

}  // namespace torsor

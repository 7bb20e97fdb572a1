// What an expansion of xacro knows and evaluates: the place it has come to, texts with ${expressions} and $(substitutions), and
// the files that it may read. A fault is thrown from wherever it is found.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/files/xacro.hpp"
#include "torsor/files/xacro_expression.hpp"
#include "torsor/files/xacro_packages.hpp"
#include "torsor/files/xacro_scope.hpp"

namespace torsor::detail {

// what no robot needs, and a file that never ends soon does
constexpr std::size_t xacro_most_text = std::size_t{64} << 20U;

/// Faults of a file that is included, with places of their own.
struct XacroFaults {
  Faults faults;
};

class XacroTexts {
 public:
  XacroTexts(const std::string& file, const LoadOptions& options, bool is_file);
  XacroTexts(const XacroTexts&) = delete;
  XacroTexts& operator=(const XacroTexts&) = delete;

  /// The value of a name in a scope, evaluated if it was not yet; null where there is none.
  const XacroValue* lookup(XacroScope& scope, const std::string& name);

 protected:
  struct Open {
    std::string file;
    std::filesystem::path folder;
  };
  struct Call {
    std::string macro;
    int line;
  };

  /// A text with its expressions and substitutions evaluated: their value where there is one alone, else text.
  XacroValue evaluate_text(std::string_view text, XacroScope& scope);

  /// Lines of a document, moved behind those of the files before it; the last of them.
  static int shift(XmlElement& document, int by);
  void at(const XmlElement& e);
  std::string macro_story() const;
  void note(std::string rule, std::string what, std::string remedy = "", Severity severity = Severity::note);

  std::filesystem::path file_name(const std::string& name) const;
  /// The files that a name with * and ? in its last part stands for, in order.
  std::vector<std::filesystem::path> matching(const std::filesystem::path& pattern);
  const XmlElement& document(const std::string& path);

  XacroPackages packages_;
  std::map<std::string, std::string> arguments_;
  std::string main_;
  ExpandedXacro out_;
  std::vector<Open> opened_;  // the files that include each other, the outermost first
  std::vector<Call> calls_;
  std::string offender_;
  int lines_ = 0, line_ = 0;
  std::size_t text_ = 0;

 private:
  void resolve(XacroScope& holder, const std::string& name);
  XacroValue expression(const std::string& inner, XacroScope& scope);
  XacroValue evaluated(const XacroNode& tree, const std::function<const XacroValue*(const std::string&)>& name);
  const std::string& argument(const std::string& name) const;
  /// What stands between $( and ).
  std::string substitution(const std::string& inner);
  /// $(eval ...): an expression over the arguments. A closing bracket ends it, so it calls no functions.
  XacroValue evaluate_substitution(const std::string& code);
  XacroValue load_yaml(const std::string& name);

  const LoadOptions& options_;
  XacroContext context_;
  std::unordered_map<std::string, std::unique_ptr<XmlElement>> files_;  // parsed, by their one true name
  std::unordered_map<std::string, XacroValue> yaml_;
  std::unordered_map<std::string, std::unique_ptr<XacroNode>> expressions_;
  int text_depth_ = 0;
};

}  // namespace torsor::detail

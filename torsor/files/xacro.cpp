#include "torsor/files/xacro.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "torsor/text/suggest.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/files/xacro_expression.hpp"
#include "torsor/files/xacro_packages.hpp"
#include "torsor/files/xacro_scope.hpp"
#include "torsor/files/yaml_subset.hpp"

namespace torsor {
namespace detail {
namespace {

// what no robot needs, and a file that never ends soon does
constexpr int xacro_deepest = 500, xacro_deepest_text = 200;  // any stack holds that
constexpr long xacro_most_nodes = 1'000'000;
constexpr std::size_t xacro_most_text = std::size_t{64} << 20U;

/// Faults of a file that is included, with places of their own.
struct XacroFaults {
  Faults faults;
};

/// One expansion. A fault is thrown from wherever it is found; where the expansion stands then (file, line, macros) is
/// what `run` reports.
class XacroExpander {
 public:
  XacroExpander(const std::string& file, const LoadOptions& options, bool is_file)
      : options_(options), packages_(options, is_file ? file : ""), arguments_(options.arguments), main_(file) {
    context_.load_yaml = [this](const std::string& name) { return load_yaml(name); };
    context_.file_name = [this](const std::string& name) { return file_name(name).string(); };
    context_.argument = [this](const std::string& name) { return XacroValue(argument(name)); };
    context_.say = [this](const std::string& text) { note("xacro-message", text); };
    symbols_.owner = this;
  }

  Result<ExpandedXacro> run(XmlElement document) {
    try {
      // the text itself is the first of the sources; its lines are as they are
      lines_ = shift(document, 0);
      out_.sources.push_back({main_, 1});
      opened_.push_back({main_, packages_.folder()});
      if (const std::string* space = document.attribute("xacro:targetNamespace"))
        document.attributes.push_back({"xmlns", *space, document.line});
      element(document, out_.root, macros_, symbols_);
      return std::move(out_);
    } catch (const XacroError& error) {
      return Fault{out_.place(line_), offender_, error.rule, printable(error.what()) + macro_story(), error.remedy};
    } catch (const XacroFaults& error) {
      return error.faults;
    }
  }

  /// The value of a name in a scope, evaluated if it was not yet; null where there is none.
  const XacroValue* lookup(XacroScope& scope, const std::string& name) {
    XacroScope* holder = scope.holder(name);
    if (!holder) return builtin_name(name);
    if (holder->own[name].lazy) resolve(*holder, name);
    return &holder->own[name].value;
  }

 private:
  struct Open {
    std::string file;
    std::filesystem::path folder;
  };
  struct Call {
    std::string macro;
    int line;
  };
  const LoadOptions& options_;
  XacroPackages packages_;
  std::map<std::string, std::string> arguments_;
  std::string main_;
  ExpandedXacro out_;
  XacroContext context_;
  XacroScope symbols_;
  XacroMacros macros_;
  std::deque<XacroScope> namespaces_;
  std::deque<XacroMacros> namespace_macros_;
  std::unordered_map<std::string, std::unique_ptr<XmlElement>> files_;  // parsed, by their one true name
  std::unordered_map<std::string, XacroValue> yaml_;
  std::unordered_map<std::string, std::unique_ptr<XacroNode>> expressions_;
  std::vector<Open> opened_;  // the files that include each other, the outermost first
  std::vector<Call> calls_;
  int lines_ = 0, line_ = 0, depth_ = 0, text_depth_ = 0;
  long nodes_ = 0;
  std::size_t text_ = 0;
  std::string offender_;

  // ---- places

  /// Lines of a document, moved behind those of the files before it; the last of them.
  static int shift(XmlElement& document, int by) {
    int last = by;
    std::vector<XmlElement*> pending{&document};
    while (!pending.empty()) {
      XmlElement& e = *pending.back();
      pending.pop_back();
      e.line += by;
      last = std::max(last, e.line);
      for (XmlAttribute& a : e.attributes) a.line += by, last = std::max(last, a.line);
      for (XmlElement& child : e.children) pending.push_back(&child);
    }
    return last;
  }
  void at(const XmlElement& e) {
    line_ = e.line;
    offender_ = fmt::format("<{}>", excerpt(e.name));
  }
  std::string macro_story() const {
    std::string story;
    for (std::size_t k = calls_.size(), told = 0; k-- > 0 && told < 5; ++told) {
      const Where where = out_.place(calls_[k].line);
      story += fmt::format(", in macro \"{}\" called in {}:{}", excerpt(calls_[k].macro), where.file, where.line);
    }
    if (calls_.size() > 5) story += fmt::format(", and in {} more", calls_.size() - 5);
    return story;
  }
  void note(std::string rule, std::string what, std::string remedy = "", Severity severity = Severity::note) {
    if (out_.notes.size() < 100)
      out_.notes.push_back(
          {out_.place(line_), offender_, std::move(rule), std::move(what), std::move(remedy), severity});
  }
  struct Deeper {
    XacroExpander& self;
    explicit Deeper(XacroExpander& expander) : self(expander) {
      if (++self.depth_ > xacro_deepest)
        throw XacroError("macros and elements lie too deep in each other", "does a macro call itself without end?",
                         "xacro-endless");
    }
    ~Deeper() { --self.depth_; }
  };

  // ---- texts

  void resolve(XacroScope& holder, const std::string& name) {
    XacroScope::Property& waiting = holder.own[name];
    if (waiting.resolving)
      throw XacroError(fmt::format("the property \"{}\" is defined by itself", excerpt(name)),
                       "give it another name, or lazy_eval=\"false\"", "xacro-circle");
    waiting.resolving = true;
    const std::string text = *waiting.value.as<std::string>();
    const XacroValue value = literal(evaluate_text(text, holder));
    holder.own[name] = {value, false, false};
  }

  XacroValue expression(const std::string& inner, XacroScope& scope) {
    const std::string code = to_text(evaluate_text(inner, scope));
    auto& tree = expressions_[code];
    try {
      if (!tree) tree = parse_expression(code);
      const auto name = [&](const std::string& wanted) { return lookup(scope, wanted); };
      return evaluated(*tree, name);
    } catch (XacroError& error) {
      std::string what = error.what();
      if (what.find("${") == std::string::npos) what += fmt::format(" in ${{{}}}", excerpt(code, 80));
      throw XacroError(what, error.remedy, error.rule);
    }
  }
  XacroValue evaluated(const XacroNode& tree, const std::function<const XacroValue*(const std::string&)>& name) {
    struct Restore {
      XacroContext& context;
      std::function<const XacroValue*(const std::string&)> saved;
      ~Restore() { context.name = std::move(saved); }
    } restore{context_, std::exchange(context_.name, name)};
    return evaluate(tree, context_);
  }

  /// A text with its expressions and substitutions evaluated: their value where there is one alone, else text.
  XacroValue evaluate_text(std::string_view text, XacroScope& scope) {
    if (text.find('$') == std::string_view::npos) return text;
    if (++text_depth_ > xacro_deepest_text)
      throw XacroError("properties refer to each other too deep", "", "xacro-endless");
    std::vector<XacroValue> pieces;
    for (std::size_t k = 0; k < text.size();) {
      const std::size_t dollar = std::min(text.find('$', k), text.size());
      if (dollar > k) {
        pieces.emplace_back(text.substr(k, dollar - k));
        k = dollar;
        continue;
      }
      const std::size_t next = std::min(text.find_first_not_of('$', k), text.size());
      const char brace = next < text.size() ? text[next] : '\0';
      if (brace != '{' && brace != '(') {
        if (next > k + 1) throw XacroError(fmt::format("\"{}\" is no expression", excerpt(text.substr(k))));
        pieces.emplace_back(text.substr(k, 1));
        k = next;
      } else if (next > k + 1) {
        // $${ is ${ itself
        pieces.emplace_back(text.substr(k + 1, next - k));
        k = next + 1;
      } else {
        const std::size_t end = text.find(brace == '{' ? '}' : ')', next);
        if (end == std::string_view::npos)
          throw XacroError(fmt::format("\"{}\" is not closed", excerpt(text.substr(k))),
                           brace == '{' ? "end it with }" : "end it with )");
        const std::string inner(text.substr(next + 1, end - next - 1));
        pieces.push_back(brace == '{' ? expression(inner, scope)
                                      : XacroValue(substitution(to_text(evaluate_text(inner, scope)))));
        k = end + 1;
      }
    }
    --text_depth_;
    if (pieces.size() == 1) return pieces[0];
    std::string all;
    for (const XacroValue& piece : pieces) {
      all += to_text(piece);
      if (all.size() > xacro_longest) throw XacroError("a text becomes too long", "", "xacro-endless");
    }
    return all;
  }

  const std::string& argument(const std::string& name) const {
    if (const auto found = arguments_.find(name); found != arguments_.end()) return found->second;
    throw XacroError(fmt::format("the argument \"{}\" is not given and has no default", excerpt(name)),
                     fmt::format("give it: --arg {}:=VALUE", excerpt(name)), "xacro-argument");
  }

  /// What stands between $( and ).
  std::string substitution(const std::string& inner) {
    if (inner == "cwd") return std::filesystem::current_path().string();
    if (inner.starts_with("eval ")) return to_text(evaluate_substitution(inner.substr(5)));
    std::vector<std::string> words;
    for (std::size_t k = inner.find_first_not_of(' '); k != std::string::npos;) {
      const std::size_t end = std::min(inner.find(' ', k), inner.size());
      words.push_back(inner.substr(k, end - k));
      k = inner.find_first_not_of(' ', end);
    }
    const std::string command = words.empty() ? "" : words[0];
    const auto one = [&] {
      if (words.size() != 2)
        throw XacroError(fmt::format("$({}) does not name one thing", excerpt(inner)), "", "xacro-substitution");
      return words[1];
    };
    if (command == "arg") return argument(one());
    if (command == "find") {
      const std::string name = one(), folder = packages_.find(name);
      for (std::string& doubt : packages_.take_doubts())
        note("xacro-package-twice", std::move(doubt), fmt::format("say which: --package {}=DIR", excerpt(name)),
             Severity::warning);
      return folder;
    }
    if (command == "env" || command == "optenv") {
      const std::string name = words.size() > 1 ? words[1] : "";
      if (const auto found = options_.environment.find(name); found != options_.environment.end()) return found->second;
      if (command == "env")
        throw XacroError(fmt::format("the environment variable \"{}\" is not shown to the file", excerpt(name)),
                         fmt::format("give it: --env {}=VALUE", excerpt(name)), "xacro-environment");
      std::string otherwise;
      for (std::size_t k = 2; k < words.size(); ++k) otherwise += (k > 2 ? " " : "") + words[k];
      return otherwise;
    }
    throw XacroError(fmt::format("$({}) is no substitution", excerpt(inner)), "use arg, find, env, optenv, eval or cwd",
                     "xacro-substitution");
  }

  /// $(eval ...): an expression over the arguments. A closing bracket ends it, so it calls no functions.
  XacroValue evaluate_substitution(const std::string& code) {
    std::unordered_map<std::string, XacroValue> kept;
    const auto name = [&](const std::string& wanted) -> const XacroValue* {
      if (wanted == "true" || wanted == "false") return &kept.insert_or_assign(wanted, wanted == "true").first->second;
      if (const XacroValue* known = builtin_member("math", wanted)) return known;
      const auto given = arguments_.find(wanted);
      if (given == arguments_.end()) return nullptr;
      std::string lower = given->second;
      for (char& c : lower)
        if ('A' <= c && c <= 'Z') c = static_cast<char>(c | 0x20);
      XacroValue value = lower == "true" || lower == "false" ? XacroValue(lower == "true") : XacroValue(given->second);
      std::int64_t i = 0;
      double x = 0;
      if (given->second.find('.') != std::string::npos ? parse_python_float(given->second, x) : false) value = x;
      else if (parse_python_int(given->second, i)) value = i;
      return &kept.insert_or_assign(wanted, std::move(value)).first->second;
    };
    if (code.find("__") != std::string::npos) throw XacroError("$(eval) with double underscores is not allowed");
    return evaluated(*parse_expression(code), name);
  }

  // ---- files

  std::filesystem::path file_name(const std::string& name) const {
    std::filesystem::path path(name);
    if (path.is_absolute()) return path;
    if (opened_.back().folder.empty())
      throw XacroError(fmt::format("\"{}\" is sought beside the file, and this text has no folder", excerpt(name)),
                       "give the file by its path", "xacro-outside");
    return opened_.back().folder / path;
  }

  XacroValue load_yaml(const std::string& name) {
    const auto path = packages_.allowed(file_name(name));
    if (!path)
      throw XacroError(fmt::format("there is no file \"{}\"", excerpt(name, 200)),
                       "give the path of a file, from this one or from a package: $(find NAME)/...", "xacro-file");
    if (const auto known = yaml_.find(*path); known != yaml_.end()) return known->second;
    const Result<std::string> text = read_text_file(*path);
    if (!text) throw XacroFaults{text.faults()};
    const auto number = [&](const std::string& code) {
      const auto name_of = [](const std::string& wanted) { return builtin_name(wanted); };
      const XacroValue value = evaluated(*parse_expression(code), name_of);
      double x = 0;
      const auto* word = value.as<std::string>();
      return word && parse_python_float(*word, x) ? x : real(value, "a unit");
    };
    try {
      return yaml_.emplace(*path, xacro_dotted(read_yaml(*text, number))).first->second;
    } catch (const XacroError& error) {
      throw XacroError(fmt::format("{}: {}", *path, error.what()), error.remedy, error.rule);
    }
  }

  /// The files that a name with * and ? in its last part stands for, in order.
  std::vector<std::filesystem::path> matching(const std::filesystem::path& pattern) const {
    if (pattern.parent_path().string().find_first_of("*?[") != std::string::npos ||
        pattern.string().find('[') != std::string::npos)
      throw XacroError("only * and ? in the name of the file itself are read", "name the folders", "xacro-file");
    packages_.allowed(pattern.parent_path() / "any");
    const std::string form = pattern.filename().string();
    const auto fits = [&](const std::string& name) {
      // greedy with one step back: linear in practice
      std::size_t i = 0, j = 0, star = std::string::npos, mark = 0;
      while (i < name.size()) {
        if (j < form.size() && (form[j] == '?' || form[j] == name[i])) ++i, ++j;
        else if (j < form.size() && form[j] == '*') star = j++, mark = i;
        else if (star != std::string::npos) j = star + 1, i = ++mark;
        else return false;
      }
      while (j < form.size() && form[j] == '*') ++j;
      return j == form.size();
    };
    std::vector<std::filesystem::path> found;
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator(pattern.parent_path(), fault))
      if (const std::string name = entry.path().filename().string(); !name.starts_with('.') && fits(name))
        found.push_back(entry.path());
    std::ranges::sort(found);
    if (found.empty()) note("xacro-include", fmt::format("no file is called \"{}\"", excerpt(pattern.string(), 200)));
    return found;
  }
  void note(std::string rule, std::string what) const {
    const_cast<XacroExpander*>(this)->note(std::move(rule), std::move(what));
  }

  const XmlElement& document(const std::string& path) {
    auto& kept = files_[path];
    if (kept) return *kept;
    const Result<std::string> text = read_text_file(path);
    if (!text) throw XacroFaults{text.faults()};
    if ((text_ += text->size()) > xacro_most_text)
      throw XacroError("the files have more than 64 MB together", "", "xacro-endless");
    Result<XmlElement> parsed = parse_xml(*text, path);
    if (!parsed) throw XacroFaults{parsed.faults()};
    kept = std::make_unique<XmlElement>(*std::move(parsed));
    out_.sources.push_back({path, lines_ + 1});
    lines_ = shift(*kept, lines_);
    return *kept;
  }

  // ---- elements

  const std::string& required(const XmlElement& e, std::string_view name) const {
    if (const std::string* value = e.attribute(name)) return *value;
    throw XacroError(fmt::format("it has no attribute \"{}\"", name), "", "xacro-attribute");
  }
  void expect_only(const XmlElement& e, std::initializer_list<std::string_view> names) {
    for (const XmlAttribute& a : e.attributes)
      if (std::ranges::find(names, a.name) == names.end() && !a.name.starts_with("xmlns:"))
        note("xacro-attribute", fmt::format("the attribute \"{}\" is not known and passed over", excerpt(a.name)));
  }

  void set_attribute(XmlElement& e, const std::string& name, std::string value, int line) {
    if ((text_ += value.size() + name.size()) > xacro_most_text)
      throw XacroError("the expansion has more than 64 MB", "", "xacro-endless");
    for (XmlAttribute& a : e.attributes)
      if (a.name == name) {
        a.value = std::move(value);
        return;
      }
    e.attributes.push_back({name, std::move(value), line});
  }

  void attributes(const XmlElement& in, XmlElement& out, XacroScope& symbols) {
    out.attributes.reserve(in.attributes.size());
    for (const XmlAttribute& a : in.attributes) {
      if (a.name.starts_with("xacro:") || a.name == "xmlns:xacro") continue;
      line_ = a.line;
      set_attribute(out, a.name, to_text(evaluate_text(a.value, symbols)), a.line);
    }
  }

  /// The element with its attributes and everything in it.
  void element(const XmlElement& in, XmlElement& out, XacroMacros& macros, XacroScope& symbols,
               const std::string* name = nullptr) {
    at(in);
    out.name = name ? *name : in.name;
    out.line = in.line;
    attributes(in, out, symbols);
    contents(in, out, macros, symbols, &out);
  }

  /// The children and the text of an element. `owner` is whose attributes <xacro:attribute> and the namespaces of includes
  /// belong to; null where xacro drops them: in a condition.
  void contents(const XmlElement& in, XmlElement& out, XacroMacros& macros, XacroScope& symbols, XmlElement* owner) {
    const Deeper deeper(*this);
    for (const XmlElement& child : in.children) {
      at(child);
      if (++nodes_ > xacro_most_nodes)
        throw XacroError("the expansion has too many elements", "does a macro call itself without end?",
                         "xacro-endless");
      if (child.name.starts_with("xacro:"))
        instruction(child, std::string_view(child.name).substr(6), out, macros, symbols, owner);
      else
        element(child, out.children.emplace_back(), macros, symbols);
    }
    // after the children: properties among them are known now
    if (in.text.empty()) return;
    at(in);
    out.text += to_text(evaluate_text(in.text, symbols));
    if ((text_ += in.text.size()) > xacro_most_text)
      throw XacroError("the expansion has more than 64 MB", "", "xacro-endless");
  }

  void instruction(const XmlElement& e, std::string_view word, XmlElement& out, XacroMacros& macros,
                   XacroScope& symbols, XmlElement* owner) {
    if (word == "property") return property(e, symbols);
    if (word == "macro") return define_macro(e, macros);
    if (word == "include") return include(e, out, macros, symbols, owner);
    if (word == "if" || word == "unless") {
      expect_only(e, {"value"});
      const std::string& test = required(e, "value");
      if (condition(evaluate_text(test, symbols), test) == (word == "if")) contents(e, out, macros, symbols, nullptr);
      return;
    }
    if (word == "arg") {
      expect_only(e, {"name", "default"});
      const std::string &name = required(e, "name"), &otherwise = required(e, "default");
      if (!arguments_.contains(name)) arguments_.emplace(name, to_text(evaluate_text(otherwise, symbols)));
      return;
    }
    if (word == "insert_block") return insert_block(e, out, macros, symbols);
    if (word == "element") {
      const std::string name = to_text(evaluate_text(required(e, "xacro:name"), symbols));
      if (name.empty()) throw XacroError("its name is empty", "", "xacro-attribute");
      if (!name.starts_with("xacro:")) return element(e, out.children.emplace_back(), macros, symbols, &name);
      return instruction(e, std::string_view(name).substr(6), out, macros, symbols, owner);
    }
    if (word == "attribute") {
      const std::string name = to_text(evaluate_text(required(e, "name"), symbols));
      if (name.empty()) throw XacroError("its name is empty", "", "xacro-attribute");
      const std::string value = to_text(evaluate_text(required(e, "value"), symbols));
      if (owner) set_attribute(*owner, name, value, e.line);
      else
        note("xacro-attribute", fmt::format("the attribute \"{}\" is dropped, as xacro does in a condition, a macro or "
                                            "a block: no element is round it",
                                            excerpt(name)));
      return;
    }
    if (word == "call") {
      const std::string name = to_text(evaluate_text(required(e, "macro"), symbols));
      return call(e, name, out, macros, symbols, owner);
    }
    call(e, std::string(word), out, macros, symbols, owner);
  }

  void property(const XmlElement& e, XacroScope& table) {
    expect_only(e, {"name", "value", "default", "remove", "scope", "lazy_eval"});
    const std::string name = to_text(evaluate_text(required(e, "name"), table));
    const auto flag = [&](const char* key, bool otherwise) {
      const std::string* given = e.attribute(key);
      return given ? condition(evaluate_text(*given, table), *given) : otherwise;
    };
    const auto letter = [](char c) {
      return c == '_' || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
             static_cast<unsigned char>(c) >= 0x80;
    };
    constexpr std::string_view taken[] = {"True", "False", "None", "and", "or",  "not",
                                          "if",   "else",  "in",   "is",  "for", "lambda"};
    if (name.empty() || name.starts_with("__") || ('0' <= name[0] && name[0] <= '9') ||
        !std::ranges::all_of(name, letter) || std::ranges::find(taken, name) != std::end(taken))
      throw XacroError(fmt::format("\"{}\" is no name of a property", excerpt(name)),
                       "use letters, digits and underscores", "xacro-property");
    const std::string *value = e.attribute("value"), *otherwise = e.attribute("default");
    const bool removed = flag("remove", false);
    if ((value != nullptr) + (otherwise != nullptr) + removed > 1)
      throw XacroError("value, default and remove exclude each other", "keep one of them", "xacro-property");
    if (removed) {
      for (XacroScope* scope = &table; scope; scope = scope->parent) scope->own.erase(name);
      return;
    }
    if (otherwise) {
      if (table.holder(name) || builtin_name(name)) return;
      value = otherwise;
    }
    bool lazy = flag("lazy_eval", true);
    XacroScope* target = &table;
    const std::string* scope = e.attribute("scope");
    if (scope && *scope == "global") {
      target = &table.top();
      lazy = false;
    } else if (scope && *scope == "parent") {
      target = table.parent;
      if (!target)
        throw XacroError(
            fmt::format("the property \"{}\" of the scope \"parent\" stands outside of all macros", excerpt(name)),
            "leave out the scope", "xacro-property");
      while (!table.is_namespace && target->is_namespace && target->parent) target = target->parent;
      lazy = false;
    }
    if (!value) {
      // everything in it is a block
      target->own.insert_or_assign("**" + name, XacroScope::Property{&e});
      return;
    }
    target->set(name, lazy ? XacroValue(*value) : evaluate_text(*value, table), lazy);
  }

  void define_macro(const XmlElement& e, XacroMacros& macros) {
    expect_only(e, {"name", "params"});
    std::string name = required(e, "name");
    if (name == "call" || name.find('.') != std::string::npos)
      throw XacroError(fmt::format("a macro cannot be called \"{}\"", excerpt(name)), "give it a name without dots",
                       "xacro-macro");
    if (name.starts_with("xacro:")) name.erase(0, 6);
    const std::string* parameters = e.attribute("params");
    macros.own.insert_or_assign(name, XacroMacro{name, &e, macro_parameters(parameters ? *parameters : "")});
  }

  void include(const XmlElement& e, XmlElement& out, XacroMacros& macros, XacroScope& symbols, XmlElement* owner) {
    expect_only(e, {"filename", "ns", "optional"});
    const std::string* space = e.attribute("ns");
    XacroMacros* inner_macros = &macros;
    XacroScope* inner = &symbols;
    if (space && !space->empty()) {
      const std::string name = to_text(evaluate_text(*space, symbols));
      inner_macros = &namespace_macros_.emplace_back();
      inner = &namespaces_.emplace_back();
      inner->parent = &symbols;
      inner->is_namespace = true;
      inner->owner = this;
      macros.own.insert_or_assign(name, inner_macros);
      symbols.own.insert_or_assign(name, XacroScope::Property{inner});
    }
    const std::string* may_lack = e.attribute("optional");
    const bool optional = may_lack && condition(*may_lack, *may_lack);
    const std::filesystem::path name = file_name(to_text(evaluate_text(required(e, "filename"), symbols)));
    const bool pattern = name.string().find_first_of("*?[") != std::string::npos;
    for (const std::filesystem::path& each : pattern ? matching(name) : std::vector{name}) {
      const auto path = packages_.allowed(each);
      if (!path && optional) continue;
      if (!path)
        throw XacroError(fmt::format("there is no file \"{}\"", excerpt(each.string(), 200)),
                         "give the path of a file, from this one or from a package: $(find NAME)/...", "xacro-file");
      for (const Open& open : opened_)
        if (open.file == *path || (open.file == main_ && &open == &opened_.front() && same_as_main(*path)))
          throw XacroError(fmt::format("\"{}\" includes itself", excerpt(*path, 200)), "break the circle",
                           "xacro-circle");
      const XmlElement& included = document(*path);
      opened_.push_back({*path, std::filesystem::path(*path).parent_path()});
      XmlElement root;
      attributes(included, root, *inner);
      contents(included, out, *inner_macros, *inner, &root);
      opened_.pop_back();
      lift_namespaces(root, owner);
    }
  }
  bool same_as_main(const std::string& path) const {
    std::error_code fault;
    return !packages_.folder().empty() && std::filesystem::equivalent(main_, path, fault);
  }

  /// Namespaces that an included file or a macro declares are needed by what came from it.
  void lift_namespaces(const XmlElement& from, XmlElement* owner) {
    for (const XmlAttribute& a : from.attributes)
      if (owner && a.name.starts_with("xmlns:") && a.name != "xmlns:xacro" && !owner->attribute(a.name))
        set_attribute(*owner, a.name, a.value, a.line);
  }

  void insert_block(const XmlElement& e, XmlElement& out, XacroMacros& macros, XacroScope& symbols) {
    const std::string& name = required(e, "name");
    for (const std::string& key : {"**" + name, "*" + name}) {
      XacroScope* holder = symbols.holder(key);
      if (!holder) continue;
      const XmlElement* const* block = holder->own[key].value.as<const XmlElement*>();
      if (!block) break;
      const XmlElement& inner = **block;
      if (key.starts_with("**")) return contents(inner, out, macros, symbols, nullptr);
      return element(inner, out.children.emplace_back(), macros, symbols);
    }
    throw XacroError(fmt::format("there is no block \"{}\"", excerpt(name)),
                     "name it among the parameters of the macro, as *block or **block", "xacro-block");
  }

  struct FoundMacro {
    XacroMacro macro;
    XacroMacros* macros;
    XacroScope* symbols;
  };
  FoundMacro find_macro(const std::string& name, XacroMacros& macros, XacroScope& symbols) {
    XacroMacros* in = &macros;
    XacroScope* scope = &symbols;
    const auto* found = in->find(name);
    if (!found) {
      std::string rest = name;
      for (std::size_t dot = rest.find('.'); dot != std::string::npos && in; dot = rest.find('.')) {
        const std::string space = rest.substr(0, dot);
        const auto* entry = in->find(space);
        in = entry && std::holds_alternative<XacroMacros*>(*entry) ? std::get<XacroMacros*>(*entry) : nullptr;
        const XacroValue* inner = lookup(*scope, space);
        if (!inner || !inner->as<XacroScope*>()) in = nullptr;
        else scope = *inner->as<XacroScope*>();
        rest.erase(0, dot + 1);
      }
      found = in ? in->find(rest) : nullptr;
    }
    if (found && std::holds_alternative<XacroMacro>(*found)) return {std::get<XacroMacro>(*found), in, scope};
    std::vector<std::string> names;
    for (const XacroMacros* each = &macros; each; each = each->parent)
      for (const auto& [known, ignored] : each->own) names.push_back(known);
    std::ranges::sort(names);
    const std::string hint = names.size() < 1000 ? did_you_mean(name, names) : "";
    throw XacroError(fmt::format("there is no macro \"{}\"", excerpt(name)),
                     hint.empty() ? "define it before, or include the file that does" : hint, "xacro-macro");
  }

  void call(const XmlElement& e, const std::string& name, XmlElement& out, XacroMacros& macros, XacroScope& symbols,
            XmlElement* owner) {
    const FoundMacro found = find_macro(name, macros, symbols);
    const XacroMacro& macro = found.macro;
    XacroScope local;
    local.parent = found.symbols;
    local.owner = this;
    XacroMacros local_macros{found.macros, {}};
    const bool by_name = e.name == "xacro:call";

    std::vector<bool> given(macro.parameters.size());
    for (const XmlAttribute& a : e.attributes) {
      if (by_name && a.name == "macro") continue;
      line_ = a.line;
      std::size_t k = 0;
      while (k < macro.parameters.size() && (macro.parameters[k].name != a.name || given[k])) ++k;
      if (k == macro.parameters.size()) {
        std::vector<std::string> names;
        for (const auto& p : macro.parameters) names.push_back(p.name);
        throw XacroError(fmt::format("the macro \"{}\" has no parameter \"{}\"", excerpt(name), excerpt(a.name)),
                         did_you_mean(a.name, names), "xacro-parameter");
      }
      given[k] = true;
      local.set(a.name, evaluate_text(a.value, symbols), false);
    }
    // blocks are evaluated at the caller's
    XmlElement blocks;
    contents(e, blocks, macros, symbols, nullptr);
    at(e);
    std::size_t block = 0;
    for (std::size_t k = 0; k < macro.parameters.size(); ++k) {
      if (given[k] || !macro.parameters[k].name.starts_with('*')) continue;
      if (block == blocks.children.size())
        throw XacroError(
            fmt::format("the macro \"{}\" wants a block \"{}\"", excerpt(name), excerpt(macro.parameters[k].name)),
            "put an element into the call", "xacro-block");
      const XmlElement* inner = &blocks.children[block++];
      local.own.insert_or_assign(macro.parameters[k].name, XacroScope::Property{inner});
      given[k] = true;
    }
    if (block < blocks.children.size())
      throw XacroError(fmt::format("the macro \"{}\" has no use for the block <{}>", excerpt(name),
                                   excerpt(blocks.children[block].name)),
                       "leave it out", "xacro-block");
    for (std::size_t k = 0; k < macro.parameters.size(); ++k) {
      if (given[k]) continue;
      const XacroMacro::Parameter& p = macro.parameters[k];
      const XacroValue* forwarded = p.forwarded ? lookup(symbols, p.name) : nullptr;
      if (!forwarded && !p.otherwise)
        throw XacroError(fmt::format("the macro \"{}\" wants the parameter \"{}\"", excerpt(name), excerpt(p.name)),
                         fmt::format("write {}=\"...\"", excerpt(p.name)), "xacro-parameter");
      local.set(p.name, forwarded ? *forwarded : evaluate_text(*p.otherwise, symbols), false);
    }

    calls_.push_back({macro.name, e.line});
    XmlElement declared;
    contents(*macro.body, out, local_macros, local, &declared);
    calls_.pop_back();
    // what the body said of namespaces goes on; its other attributes belong to nobody
    for (const XmlAttribute& a : macro.body->attributes)
      if (a.name.starts_with("xmlns:")) declared.attributes.push_back(a);
    lift_namespaces(declared, owner);
  }
};

}  // namespace

const XacroValue* scope_member(XacroScope* scope, const std::string& name) {
  return static_cast<XacroExpander*>(scope->owner)->lookup(*scope, name);
}

}  // namespace detail

Where ExpandedXacro::place(int line) const {
  Where where;
  for (const Source& source : sources)
    if (source.first_line <= std::max(line, 1)) where = {source.file, line - source.first_line + 1};
  return where;
}

const XmlElement* find_xacro(const XmlElement& document) {
  std::vector<std::pair<const XmlElement*, bool>> pending{{&document, true}};
  while (!pending.empty()) {
    const auto [e, read] = pending.back();
    pending.pop_back();
    if (e->name.starts_with("xacro:")) return e;
    // looks and plugins may hold anything: $( of another program
    const bool inner = read && e->name != "visual" && e->name != "collision" && e->name != "gazebo";
    for (const XmlAttribute& a : e->attributes)
      if (inner && (a.value.find("${") != std::string::npos || a.value.find("$(") != std::string::npos)) return e;
    for (std::size_t k = e->children.size(); k-- > 0;) pending.emplace_back(&e->children[k], inner);
  }
  return nullptr;
}

Result<ExpandedXacro> expand_xacro(XmlElement document, const std::string& file, const LoadOptions& options) {
  std::error_code ignored;
  const bool is_file = file != "text" && file != "standard input" && std::filesystem::is_regular_file(file, ignored);
  return detail::XacroExpander(file, options, is_file).run(std::move(document));
}

Result<ExpandedXacro> expand_xacro(std::string_view text, const std::string& file, const LoadOptions& options) {
  Result<XmlElement> document = parse_xml(text, file);
  if (!document) return document.faults();
  return expand_xacro(*std::move(document), file, options);
}

}  // namespace torsor

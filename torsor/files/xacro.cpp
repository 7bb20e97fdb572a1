#include "torsor/files/xacro.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "torsor/files/xacro_texts.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace detail {
namespace {

constexpr int xacro_deepest = 500;
constexpr long xacro_most_nodes = 1'000'000;

/// One expansion, element by element; where it stands at a fault (file, line, macros) is what `run` reports.
class XacroExpander : XacroTexts {
 public:
  XacroExpander(const std::string& file, const LoadOptions& options, bool is_file)
      : XacroTexts(file, options, is_file) {
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

 private:
  XacroScope symbols_;
  XacroMacros macros_;
  std::deque<XacroScope> namespaces_;
  std::deque<XacroMacros> namespace_macros_;
  int depth_ = 0;
  long nodes_ = 0;

  struct Deeper {
    XacroExpander& self;
    explicit Deeper(XacroExpander& expander) : self(expander) {
      if (++self.depth_ > xacro_deepest)
        throw XacroError("macros and elements lie too deep in each other", "does a macro call itself without end?",
                         "xacro-endless");
    }
    ~Deeper() { --self.depth_; }
  };

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
      if (owner)
        set_attribute(*owner, name, value, e.line);
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
        if (!inner || !inner->as<XacroScope*>())
          in = nullptr;
        else
          scope = *inner->as<XacroScope*>();
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

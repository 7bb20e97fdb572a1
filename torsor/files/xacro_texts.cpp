#include "torsor/files/xacro_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/files/yaml_subset.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

constexpr int xacro_deepest_text = 200;  // any stack holds that

}  // namespace

XacroTexts::XacroTexts(const std::string& file, const LoadOptions& options, bool is_file)
    : packages_(options, is_file ? file : ""), arguments_(options.arguments), main_(file), options_(options) {
  context_.load_yaml = [this](const std::string& name) { return load_yaml(name); };
  context_.file_name = [this](const std::string& name) { return file_name(name).string(); };
  context_.argument = [this](const std::string& name) { return XacroValue(argument(name)); };
  context_.say = [this](const std::string& text) { note("xacro-message", text); };
}

const XacroValue* XacroTexts::lookup(XacroScope& scope, const std::string& name) {
  XacroScope* holder = scope.holder(name);
  if (!holder) return builtin_name(name);
  if (holder->own[name].lazy) resolve(*holder, name);
  return &holder->own[name].value;
}

int XacroTexts::shift(XmlElement& document, int by) {
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

void XacroTexts::at(const XmlElement& e) {
  line_ = e.line;
  offender_ = fmt::format("<{}>", excerpt(e.name));
}

std::string XacroTexts::macro_story() const {
  std::string story;
  for (std::size_t k = calls_.size(), told = 0; k-- > 0 && told < 5; ++told) {
    const Where where = out_.place(calls_[k].line);
    story += fmt::format(", in macro \"{}\" called in {}:{}", excerpt(calls_[k].macro), where.file, where.line);
  }
  if (calls_.size() > 5) story += fmt::format(", and in {} more", calls_.size() - 5);
  return story;
}

void XacroTexts::note(std::string rule, std::string what, std::string remedy, Severity severity) {
  if (out_.notes.size() < 100)
    out_.notes.push_back({out_.place(line_), offender_, std::move(rule), std::move(what), std::move(remedy), severity});
}

void XacroTexts::resolve(XacroScope& holder, const std::string& name) {
  XacroScope::Property& waiting = holder.own[name];
  if (waiting.resolving)
    throw XacroError(fmt::format("the property \"{}\" is defined by itself", excerpt(name)),
                     "give it another name, or lazy_eval=\"false\"", "xacro-circle");
  waiting.resolving = true;
  const std::string text = *waiting.value.as<std::string>();
  const XacroValue value = literal(evaluate_text(text, holder));
  holder.own[name] = {value, false, false};
}

XacroValue XacroTexts::expression(const std::string& inner, XacroScope& scope) {
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

XacroValue XacroTexts::evaluated(const XacroNode& tree,
                                 const std::function<const XacroValue*(const std::string&)>& name) {
  struct Restore {
    XacroContext& context;
    std::function<const XacroValue*(const std::string&)> saved;
    ~Restore() { context.name = std::move(saved); }
  } restore{context_, std::exchange(context_.name, name)};
  return evaluate(tree, context_);
}

XacroValue XacroTexts::evaluate_text(std::string_view text, XacroScope& scope) {
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

const std::string& XacroTexts::argument(const std::string& name) const {
  if (const auto found = arguments_.find(name); found != arguments_.end()) return found->second;
  throw XacroError(fmt::format("the argument \"{}\" is not given and has no default", excerpt(name)),
                   fmt::format("give it: --arg {}:=VALUE", excerpt(name)), "xacro-argument");
}

std::string XacroTexts::substitution(const std::string& inner) {
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
    const std::string name = one();
    std::string folder = packages_.find(name);
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

XacroValue XacroTexts::evaluate_substitution(const std::string& code) {
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
    if (given->second.find('.') != std::string::npos ? parse_python_float(given->second, x) : false)
      value = x;
    else if (parse_python_int(given->second, i))
      value = i;
    return &kept.insert_or_assign(wanted, std::move(value)).first->second;
  };
  if (code.find("__") != std::string::npos) throw XacroError("$(eval) with double underscores is not allowed");
  return evaluated(*parse_expression(code), name);
}

std::filesystem::path XacroTexts::file_name(const std::string& name) const {
  std::filesystem::path path(name);
  if (path.is_absolute()) return path;
  if (opened_.back().folder.empty())
    throw XacroError(fmt::format("\"{}\" is sought beside the file, and this text has no folder", excerpt(name)),
                     "give the file by its path", "xacro-outside");
  return opened_.back().folder / path;
}

XacroValue XacroTexts::load_yaml(const std::string& name) {
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

std::vector<std::filesystem::path> XacroTexts::matching(const std::filesystem::path& pattern) {
  if (pattern.parent_path().string().find_first_of("*?[") != std::string::npos ||
      pattern.string().find('[') != std::string::npos)
    throw XacroError("only * and ? in the name of the file itself are read", "name the folders", "xacro-file");
  packages_.allowed(pattern.parent_path() / "any");
  const std::string form = pattern.filename().string();
  const auto fits = [&](const std::string& name) {
    // greedy with one step back: linear in practice
    std::size_t i = 0, j = 0, star = std::string::npos, mark = 0;
    while (i < name.size()) {
      if (j < form.size() && (form[j] == '?' || form[j] == name[i]))
        ++i, ++j;
      else if (j < form.size() && form[j] == '*')
        star = j++, mark = i;
      else if (star != std::string::npos)
        j = star + 1, i = ++mark;
      else
        return false;
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

const XmlElement& XacroTexts::document(const std::string& path) {
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

const XacroValue* scope_member(XacroScope* scope, const std::string& name) {
  return scope->owner->lookup(*scope, name);
}

}  // namespace torsor::detail

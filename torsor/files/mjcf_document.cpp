#include "torsor/files/mjcf_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {

bool MjcfDocument::parse(std::string_view text) { return add(text, path_); }

std::string MjcfDocument::beside(const std::string& path) const {
  return (std::filesystem::path(path_).parent_path() / path).lexically_normal().string();
}

bool MjcfDocument::is_in_roots(const std::string& path) const {
  namespace fs = std::filesystem;
  std::error_code fault;
  const fs::path file = fs::weakly_canonical(fs::absolute(path, fault), fault);
  std::vector<std::string> all = roots_;
  all.push_back(beside("."));
  return !fault && std::ranges::any_of(all, [&](const std::string& root) {
    std::error_code ignored;
    const fs::path way = file.lexically_relative(fs::weakly_canonical(fs::absolute(root, ignored), ignored));
    return !ignored && !way.empty() && *way.begin() != "..";
  });
}

bool MjcfDocument::is_outside(const std::string& name) const {
  namespace fs = std::filesystem;
  if (!roots_.empty() && is_in_roots(beside(name))) return false;
  std::error_code ignored;
  const fs::path folder = fs::absolute(fs::path(path_).parent_path() / ".", ignored).lexically_normal();
  const fs::path way = fs::absolute(beside(name), ignored).lexically_normal().lexically_relative(folder);
  if (!way.empty() && *way.begin() != "..") return false;
  const std::string ending = fs::path(name).extension().string();
  return fs::path(name).is_absolute() || (ending != ".xml" && ending != ".mjcf");
}

bool MjcfDocument::add(std::string_view text, const std::string& path) {
  Result<XmlElement> root = parse_xml(text, path, mjcf_depth);
  if (!root) {
    errors_ = root.faults();
    return false;
  }
  if (root->name != "mujoco" && root->name != "mujocoinclude") {
    errors_ = {{{path, root->line},
                fmt::format("<{}>", excerpt(root->name)),
                "root-element",
                "the root element is not <mujoco>",
                "give an MJCF file"}};
    return false;
  }
  files_.push_back({*std::move(root), UrdfLog(path)});
  return include_all(files_.back());
}

bool MjcfDocument::include_all(MjcfFile& file) {
  std::vector<const XmlElement*> pending{&file.root};
  while (!pending.empty()) {
    const XmlElement* element = pending.back();
    pending.pop_back();
    if (element->name == "include" && !include(*element, file)) return false;
    for (auto child = element->children.rbegin(); child != element->children.rend(); ++child)
      pending.push_back(&*child);
  }
  return true;
}

bool MjcfDocument::include(const XmlElement& element, MjcfFile& from) {
  const auto fault = [&](std::string rule, std::string what, std::string remedy) {
    errors_ = {{{from.log.file(), element.line}, "include", std::move(rule), std::move(what), std::move(remedy)}};
    return false;
  };
  const std::string* name = element.attribute("file");
  if (!name || name->empty())
    return fault("attribute-missing", "it has no attribute \"file\"", "write <include file=\"...\"/>");
  if (is_outside(*name))
    return fault(
        "include-outside", fmt::format("\"{}\" lies outside the folder of the main file", excerpt(*name, 200)),
        "name models by a path relative to that folder, ending in .xml or .mjcf, or give its folder: --packages "
        "DIR");
  const std::string path = beside(*name);
  for (const MjcfFile& known : files_)
    if (known.log.file() == path ||
        (known.log.file() == path_ && path == std::filesystem::path(path_).lexically_normal()))
      return fault("include-twice", fmt::format("\"{}\" is included already", excerpt(*name, 200)),
                   "include each file once; a file cannot include itself, nor one that includes it");
  const Result<std::string> text = read_(path);
  if (!text)
    return fault("include-read", fmt::format("\"{}\": {}", excerpt(path, 200), text.faults().front().what),
                 "names of files are relative to the folder of the main file");
  if (!add(*text, path)) return false;
  // the file lies where add() put it first; files it includes itself come behind
  for (MjcfFile& file : files_)
    if (file.log.file() == path) included_.emplace(&element, &file);
  return true;
}

std::vector<MjcfNode> MjcfDocument::children(const MjcfNode& node) const {
  std::vector<MjcfNode> nodes;
  for (const XmlElement& child : node.xml->children) {
    const auto found = included_.find(&child);
    if (found == included_.end()) {
      nodes.push_back({&child, node.file});
      continue;
    }
    const std::vector<MjcfNode> inner = children({&found->second->root, found->second});
    nodes.insert(nodes.end(), inner.begin(), inner.end());
  }
  return nodes;
}

std::vector<MjcfNode> MjcfDocument::sections(std::string_view name) {
  std::vector<MjcfNode> nodes;
  for (const MjcfNode& section : children(root()))
    if (section.xml->name == name) nodes.push_back(section);
  return nodes;
}

void refuse_unknown(UrdfElement& element, std::initializer_list<std::string_view> known) {
  for (const XmlAttribute& a : element.xml().attributes)
    if (std::ranges::find(known, a.name) == known.end() && !a.name.starts_with("xmlns"))
      element.fault(a.name, "attribute-unknown",
                    fmt::format("MJCF has no attribute \"{}\" in <{}>", excerpt(a.name), element.xml().name),
                    hint_or(did_you_mean(a.name, std::vector<std::string_view>(known)), "leave it out"));
}

std::string hint_or(std::string hint, std::string_view otherwise) {
  return hint.empty() ? std::string(otherwise) : std::move(hint);
}

std::optional<std::vector<double>> read_list(UrdfElement& element, std::string_view key, std::size_t least,
                                             std::size_t most) {
  const auto text = element.text(key);
  if (!text) return std::nullopt;
  auto numbers = numbers_of(*text);
  if (!numbers) {
    element.fault(key, "number", fmt::format("\"{}\" is not a list of numbers", excerpt(*text)),
                  "write finite numbers with blanks between them");
    return std::nullopt;
  }
  if (numbers->size() >= least && numbers->size() <= most) return numbers;
  element.fault(key, "vector-length", fmt::format("it has {} numbers", numbers->size()),
                least == most ? fmt::format("write {}", least) : fmt::format("write {} to {}", least, most));
  return std::nullopt;
}

std::optional<std::string> read_word(UrdfElement& element, std::string_view key,
                                     std::initializer_list<std::string_view> words) {
  auto word = element.text(key);
  if (!word || std::ranges::find(words, *word) != words.end()) return word;
  element.fault(key, "word-unknown", fmt::format("\"{}\" is not one of its values", excerpt(*word)),
                fmt::format("write {}", fmt::join(words, ", ")));
  return std::nullopt;
}

bool read_bool(UrdfElement& element, std::string_view key, bool otherwise) {
  const auto word = read_word(element, key, {"true", "false"});
  return word ? *word == "true" : otherwise;
}

}  // namespace torsor::detail

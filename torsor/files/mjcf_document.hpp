// An MJCF file with everything it includes, read as one: who walks over its elements does not see where a file ends. Each
// element knows its file, so that faults name the right one.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "torsor/files/urdf_element.hpp"
#include "torsor/text/xml.hpp"

namespace torsor::detail {

/// The text of a file that another one names; faults where it cannot be read.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

/// Bodies lie in each other as they hang from each other.
constexpr int mjcf_depth = 1000;

struct MjcfFile {
  XmlElement root;
  UrdfLog log;
};

struct MjcfNode {
  const XmlElement* xml = nullptr;
  MjcfFile* file = nullptr;
};

class MjcfDocument {
 public:
  MjcfDocument(std::string path, ReadFile read, std::vector<std::string> roots)
      : path_(std::move(path)), read_(std::move(read)), roots_(std::move(roots)) {}

  /// Parses the main file and all files it includes; false where one of them is no MJCF: errors() says why.
  bool parse(std::string_view text);

  MjcfNode root() { return {&files_.front().root, &files_.front()}; }
  /// The elements in an element, those of included files in place of the <include>.
  std::vector<MjcfNode> children(const MjcfNode& node) const;
  /// All elements in the sections of this name, which may be several.
  std::vector<MjcfNode> sections(std::string_view name);

  const std::string& path() const { return path_; }
  const ReadFile& reader() const { return read_; }
  /// Folders that were given: files in them may be opened, too.
  const std::vector<std::string>& roots() const { return roots_; }
  /// Whether a path lies in the folder of the main file or in a given one, after links and `..` are followed.
  bool is_in_roots(const std::string& path) const;
  /// Whether a file that is named so must not be opened: an absolute path out of the folder of the main file, or one that climbs
  /// out of it to what is no model.
  bool is_outside(const std::string& name) const;
  /// A path that this file names, as seen from where we are.
  std::string beside(const std::string& path) const;
  std::deque<MjcfFile>& files() { return files_; }
  const Faults& errors() const { return errors_; }

 private:
  std::string path_;
  ReadFile read_;
  std::vector<std::string> roots_;
  std::deque<MjcfFile> files_;
  std::unordered_map<const XmlElement*, MjcfFile*> included_;
  Faults errors_;

  bool add(std::string_view text, const std::string& path);
  bool include(const XmlElement& element, MjcfFile& from);
  bool include_all(MjcfFile& file);
};

/// Faults where an element has an attribute that MJCF does not know: MuJoCo refuses it, too.
void refuse_unknown(UrdfElement& element, std::initializer_list<std::string_view> known);

/// A guess at what was intended, or else another remedy.
std::string hint_or(std::string hint, std::string_view otherwise);

/// The numbers of an attribute; nothing, with a fault if it is there and holds fewer or more than allowed, or no numbers.
std::optional<std::vector<double>> read_list(UrdfElement& element, std::string_view key, std::size_t least,
                                             std::size_t most);

/// true, false, or one further word; nothing if it is absent or faulty.
std::optional<std::string> read_word(UrdfElement& element, std::string_view key,
                                     std::initializer_list<std::string_view> words);
bool read_bool(UrdfElement& element, std::string_view key, bool otherwise);

}  // namespace torsor::detail

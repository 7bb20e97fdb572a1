// A strict view of one XML element of a robot. It is asked for the attributes and elements it may hold; each answer is a
// checked value or nothing. What is wrong is collected as a fault; what nobody asked for is passed over with a note, one
// for all cases of a kind.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "torsor/text/xml.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor {

/// The faults and notes of one file.
class UrdfLog {
 public:
  explicit UrdfLog(std::string file) : file_(std::move(file)) {}

  void fault(int line, std::string offender, std::string_view rule, std::string what, std::string remedy);
  /// Notes of the same rule and text are counted: the first one stands for all, and only for it the answer is not null.
  Fault* note(int line, std::string offender, std::string_view rule, std::string what, std::string remedy);

  std::size_t count() const { return count_; }
  /// The faults by line, the first hundred of them in full; with them the notes about a likely misspelling, which may
  /// be why something is missing.
  Faults faults() const;
  /// The other notes, by line, marked as such: to stand beside faults.
  Faults other_notes() const;
  Faults notes() const;
  const std::string& file() const { return file_; }

  int minor_version = 0;        // of URDF: 1.0, 1.1, 1.2
  bool says_version = false;    // a file that says its version is held to it

 private:
  struct Note {
    Fault error;
    int times = 1;
  };
  std::string file_;
  Faults faults_;
  std::size_t count_ = 0;
  std::vector<Note> notes_;
  std::unordered_map<std::string, std::size_t> known_;  // rule and text -> note
};

/// The numbers of a text, between blanks; nothing where a word is none.
std::optional<std::vector<double>> numbers_of(std::string_view text);

class UrdfElement {
 public:
  using Visit = std::function<void(UrdfElement&)>;

  /// The element, called `title` in messages; both outlive the view.
  UrdfElement(const XmlElement& element, std::string title, UrdfLog& log);

  /// The attribute as one finite number, or as exactly three between blanks; nothing if it is absent or faulty.
  std::optional<double> number(std::string_view key);
  std::optional<Vec3<double>> vector(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  /// The text between the tags as one finite number.
  std::optional<double> content_number();
  /// The text between the tags.
  const std::string& content();
  /// A name under `key`, fit to be printed and to head a CSV column; empty, with a fault, if it is missing or unfit.
  std::string name(std::string_view key, std::string_view rule);

  /// Visits the element of that name, if there is one, and notes what the visitor did not ask for. A second one is a
  /// fault unless it says the same. Answers whether there was one.
  bool child(std::string_view key, const Visit& visit);
  /// Visits each element of that name.
  void children(std::string_view key, const Visit& visit);
  /// Elements of these names are for others, or are kept as they are: not to be noted.
  void leave(std::string_view key) { left_children_.push_back(key); }
  void leave_attribute(std::string_view key) { asked_attributes_.push_back(key); }
  /// Nothing more of this element is to be noted.
  void leave_rest() { left_ = true; }

  bool has(std::string_view attribute) const { return element_->attribute(attribute) != nullptr; }
  /// Reports a fault of an attribute, or of the element as a whole if the key is empty.
  void fault(std::string_view key, std::string_view rule, std::string what, std::string remedy);
  void note(std::string_view rule, std::string what, std::string remedy = "");
  void missing_attribute(std::string_view key, std::string remedy);
  void missing_element(std::string_view key, std::string remedy);

  /// What nobody asked for and seems to be physics is a fault: passed over it would make another robot. Such is an attribute
  /// or element that is called after one of these words (`rpy_deg`, `drake:spring`), or nearly as one that is read, and text
  /// with a number in it. What says only zeros stays a note.
  void refuse_unread(std::initializer_list<std::string_view> words, const std::string& remedy);
  /// Of that only elements that are called after one of the words: `<loop_joint>`.
  void refuse_called(std::initializer_list<std::string_view> words, const std::string& remedy);
  /// The same for a rotation in a form that is not read, be it zero or not; `quat_xyzw` in a version without it among them.
  void refuse_quaternion();
  /// The attribute as so many finite numbers between blanks.
  std::optional<std::vector<double>> list(std::string_view key, std::size_t size);

  /// Notes each attribute and element that nobody asked for.
  void finish();

  void rename(std::string title) { title_ = std::move(title); }
  /// What messages call it: `link "arm", inertial, mass`.
  std::string title() const { return title_.empty() && parent_ ? parent_->title() + ", " + element_->name : title_; }
  const XmlElement& xml() const { return *element_; }
  int line() const { return element_->line; }
  Where where() const { return {log_->file(), element_->line}; }
  UrdfLog& log() { return *log_; }

 private:
  const XmlElement* element_;
  const UrdfElement* parent_ = nullptr;  // of an element that has no title of its own
  std::string title_;
  UrdfLog* log_;
  std::vector<std::string_view> asked_attributes_, asked_children_, left_children_;
  bool asked_content_ = false, left_ = false;

  UrdfElement(const XmlElement& element, const UrdfElement& parent)
      : element_(&element), parent_(&parent), log_(parent.log_) {}

  const XmlAttribute* find(std::string_view key);
  bool known(const XmlAttribute& attribute) const;
  bool known(const XmlElement& child) const;
  std::vector<std::string_view> known_children() const;
  std::string unread(const XmlAttribute& attribute) const;
  std::string unread(const XmlElement& child) const;
  std::string offender(std::string_view attribute) const;
  std::optional<double> checked(std::string_view text, int line, std::string_view key);
};

}  // namespace torsor

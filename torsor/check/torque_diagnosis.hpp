// Why do the torques of another tool differ from ours? Every slip of the table (torque_slips.hpp) is tried, alone and, if
// none will do, in pairs: the torques that a tool with that slip would write are held against the record, unknown sizes
// fitted by linear least squares (each joint weighed by its own size).
//
// Criterion. A slip explains the record if no torque is further off than
//
//   max(level * size of the joint, 3 * what the digits of the file can hide),
//
// where the size of a joint is the rms of its recorded torques, and what the digits hide is found by moving every number
// within half a unit of its last digit; and if it takes three quarters off the largest difference at least. Of the slips
// that explain, the plainest comes first: one slip before two, fewer fitted sizes before more, then the order of the
// table. Fits are tried only where there are at least three numbers for each size. If no slip explains the record alone, it
// is asked what chance would do (slip_chance.hpp): where no slip explains more than that, the difference is noise, and where a
// slip does, halves the rms difference of a joint at least, and none explains more of the rest, it is that slip beneath noise. Where
// all but a few rows agree, it is those rows, and no slip is tried. If nothing explains the record in pairs, the
// reason is unknown, and the closest guesses are told as such: by what they leave, but a pair after single slips unless it
// halves that, and a fit after the same without it unless it takes a tenth off for each size. Slips that do nothing to the
// record, alone or beside another, are not guesses.
//
// A record of any length takes bounded memory: differences are taken of all rows as they go by, causes are sought on rows
// spread evenly over it, with those among them where a joint is furthest off.
#pragma once

#include "torsor/dynamics/torque_rows.hpp"
#include "torsor/check/torque_slips.hpp"
#include "torsor/fields.hpp"

namespace torsor {

/// One joint of the comparison, over all samples.
struct TorqueMismatch {
  std::string joint;
  double size = 0;            // rms of the recorded torques
  double rms = 0, worst = 0;  // of the differences
  std::size_t row = 0;        // where it is worst, its time if there is one, and both torques there
  double t = 0, ours = 0, theirs = 0;
  bool differs = false;  // beyond the criterion
};

constexpr auto fields(Of<TorqueMismatch>) {
  using T = TorqueMismatch;
  return row_list("TorqueMismatch", "One joint of a comparison, over all samples.", field("joint", "", "", &T::joint),
                  field("differs", "", "by more than digits and tolerance allow", &T::differs),
                  field("size", "", "rms of the recorded torques", &T::size), field("rms_difference", "", "", &T::rms),
                  field("largest_difference", "", "", &T::worst),
                  field("row", "", "where that is, the first is 1", [](const T& t) { return t.row + 1; }),
                  field("here", "", "our torque there", &T::ours), field("there", "", "the recorded one", &T::theirs));
}

constexpr auto fields(Of<FittedSize>) {
  return row_list("FittedSize", "A number that was fitted to a record.", field("name", "", "", &FittedSize::name),
                  field("value", "", "", &FittedSize::value),
                  field("deviation", "", "standard deviation", &FittedSize::deviation),
                  field("unit", "", "", &FittedSize::unit));
}

/// One or two slips, and what they leave unexplained.
struct SlipGuess {
  struct Part {
    std::string_view name, sentence;
    std::string detail;
  };
  std::vector<Part> slips;
  std::vector<FittedSize> sizes;
  bool clear = false;          // takes three quarters off the largest difference at least
  bool explains = false;       // and leaves nothing beyond the criterion
  bool but_noise = false;  // what it leaves is beyond the criterion, but no second slip explains more of it than chance
  double remains = 0;          // largest difference left, over the size of its joint
  std::vector<double> joints;  // the same of each joint

  /// `gravity-missing + payload`, with details `... (link "tool")`; and what they are in words.
  std::string reason(bool details = false) const;
  std::string sentence() const;
  std::vector<std::string_view> names() const;
};

constexpr auto fields(Of<SlipGuess>) {
  using S = SlipGuess;
  return field_list(
      "SlipGuess", "What may be behind a difference: one mistake or two.", field("slips", "", "their names", &S::names),
      field("reason", "", "the same in one text", [](const S& s) { return s.reason(); }),
      field("sentence", "", "", &S::sentence),
      field("explains", "", "leaves nothing that counts as a difference", &S::explains),
      field("clear", "", "takes three quarters off the largest difference at least", &S::clear),
      field("but_noise", "",
            "explains all but noise: no second mistake explains more of what remains than chance would", &S::but_noise),
      field("remains", "", "largest difference that it leaves, by the size of its joint", &S::remains),
      field("joints", "", "the same of each joint", &S::joints), field("sizes", "", "what was fitted", &S::sizes));
}

struct TorqueDiagnosis {
  std::string robot;
  bool agrees = false;
  bool noise = false;  // they differ, and no slip explains more of that than chance does: there are no guesses
  std::size_t outliers = 0;  // rows that differ, where they are few and all others agree
  std::vector<TorqueMismatch> joints;
  double before = 0;               // largest difference over the size of its joint
  std::vector<SlipGuess> guesses;  // those that explain, plainest first; then the closest of the others
  int alone = 0, pairs = 0;        // how many were tried
  std::size_t searched = 0;        // rows on which

  /// Whether there is a reason: a guess that explains the difference, or all of it but noise.
  bool is_known() const { return !guesses.empty() && (guesses.front().explains || guesses.front().but_noise); }
  /// That guess, `outliers`, `noise` or `unknown`; nothing where the torques agree.
  std::optional<std::string> reason() const;
};

constexpr auto fields(Of<TorqueDiagnosis>) {
  using T = TorqueDiagnosis;
  return field_list(
      "TorqueDiagnosis", "Where the torques of another tool differ, and the likely reasons, the plainest first.",
      field("robot", "", "", &T::robot), field("agree", "", "", &T::agrees),
      field("noise", "", "no mistake explains more of the difference than chance would; there are no guesses then",
            &T::noise),
      field("outliers", "", "rows that differ, where they are few and all others agree; no mistake is tried then",
            &T::outliers),
      field("difference", "", "the largest, by the size of its joint", &T::before), field("joints", "", "", &T::joints),
      field("reason", "", "of the first guess, outliers, noise or unknown; None where they agree", &T::reason),
      field("guesses", "", "", &T::guesses),
      field("tried", "", "mistakes, alone and in pairs", [](const T& t) { return t.alone + t.pairs; }),
      field("searched_rows", "", "on which", &T::searched));
}

struct DiagnosisOptions {
  double level = 1e-6;            // differences below this share of a joint's size are none
  std::size_t rows = 40;          // samples that the search looks at; what it finds is verified on the most rows
  std::size_t most_rows = 10000;  // samples that are kept of a longer record, at least two
  std::size_t guesses = 5;        // how many to tell
};

/// The diagnosis of a record that fits the robot; or the faults of the robot. At least one sample. One pass over the rows.
Result<TorqueDiagnosis> agree_against(const Description&, TorqueRows&, const RecordSurvey&, DiagnosisOptions = {});
Result<TorqueDiagnosis> agree_against(const Description&, const std::vector<TorqueSample>&, DiagnosisOptions = {});

}  // namespace torsor

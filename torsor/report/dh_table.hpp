// The DH rows of a robot as a table, for the screen, Markdown, HTML (text_table.hpp) or LaTeX, and what stands before
// and after the rows: world -> base -> frame 0 -> ... -> frame n -> tool. The joint variables are the coordinates q_k,
// numbered as the model has them; a mimic joint shows the one it follows, a helical one what it adds to d.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/text/text_table.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

/// The table, numbers in so many significant digits; nothing where some link has no DH row.
std::optional<TextTable> dh_table(const Description& robot, int digits);

/// A constant pose at an end of the table: of frame `to` in frame `from`.
struct DhEnd {
  std::string from, to;
  Transform<double> X;
};

/// The poses that the rows leave out, from the world outwards; those that are the identity, but for rounding, are not
/// among them. `base`: pose in the world of the robot's own base frame, from which frame 0 is told (m).
std::vector<DhEnd> dh_ends(const Description& robot, const Transform<double>& base);

/// `base -> frame 0: position (1, 2, 3) m, rpy (90, 0, 0) deg`.
std::string to_text(const DhEnd& end, int digits);

/// Table and ends as a LaTeX tabular: the convention above, angles in degrees, the joint variables as $q_k$.
std::optional<std::string> dh_table_latex(const Description& robot, int digits, const std::vector<DhEnd>& ends = {});

}  // namespace torsor

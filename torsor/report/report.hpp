// One report for all verbs: a plain value, filled by the verb, written as one self-contained HTML page.
//
// The page needs nothing but itself: style and drawings are inline, and all data stand in one JSON block,
// <script type="application/json" id="data">, at full precision and each column of numbers once (page_columns.hpp). It
// reads the same without scripts; with them robots move, a pointer over a plot reads off values, plots zoom and hide what
// is clicked in the legend, and figures and tables can be saved as CSV. Series of more than max_series_points points are
// thinned, keeping every peak (decimate.hpp); the figure and the data say so. Numbers of tables and matrices that are not
// finite are null in the data, listed under "notes".
//
//   data: {format, title, subtitle, verdict, highlights, figures: [{id, section, figure}], columns, tables: [{id, section,
//   table}], notes}
//
// A further kind of figure is one file that defines a struct with `title` and `note` and the functions write_drawing,
// write_data and drawing_notes, and one row in Figure.
#pragma once

#include <deque>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "torsor/report/heat_map.hpp"
#include "torsor/report/moving_view.hpp"
#include "torsor/report/plot_grid.hpp"
#include "torsor/report/svg_plot.hpp"
#include "torsor/text/text_table.hpp"

namespace torsor {

using Figure = std::variant<SvgPlot, PlotGrid, HeatMap, MovingView>;

enum class Tone { plain, good, warning, bad };

struct Paragraph {
  std::string text = {};
  Tone tone = Tone::plain;  // other than plain: set off as a notice
};

struct Preformatted {
  std::string text = {};
};

using ReportBlock = std::variant<Paragraph, Preformatted, TextTable, Figure>;

struct ReportSection {
  std::string heading = {};
  std::vector<ReportBlock> blocks;  // in reading order

  ReportSection& text(std::string paragraph, Tone tone = Tone::plain);
  ReportSection& code(std::string preformatted);
  ReportSection& table(TextTable table);
  ReportSection& figure(Figure figure);
};

/// One of the few numbers a reader wants first: "peak torque", "97.2", "N m", "joint 2 at 1.25 s".
struct Highlight {
  std::string label = {};
  std::string value = {};
  std::string unit = {};
  std::string remark = {};
  Tone tone = Tone::plain;
};

struct Report {
  explicit Report(std::string title = {}, std::string subtitle = {}, std::string footer = {});

  std::string title = {};
  std::string subtitle = {};
  std::vector<Highlight> highlights = {};
  std::deque<ReportSection> sections;
  std::string footer = {};
  Paragraph verdict = {};  // what it comes to, in a sentence: the first thing on the page

  /// Appends a section; the reference stays good when more are appended.
  ReportSection& section(std::string heading);
};

/// Writes the whole page as UTF-8; every text is escaped. The caller checks the stream's state afterwards.
void write_html(const Report& report, std::ostream& out);

}  // namespace torsor

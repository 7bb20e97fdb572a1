// A matrix as coloured cells: a mass matrix, a coupling structure, correlations.
//
// Values of one sign run from pale to dark blue; values of both signs from blue through white to red, symmetric about
// zero. Values that are not finite are left blank and noted.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace torsor {

class JsonWriter;
class PageColumns;

struct HeatMap {
  std::string title = {};
  std::string note = {};
  std::string unit = {};
  std::vector<std::string> rows = {};            // labels, one per row of values
  std::vector<std::string> columns = {};         // labels, one per column
  std::vector<std::vector<double>> values = {};  // values[row][column]
  int digits = 3;                                // significant digits of the numbers in the cells, where they fit
};

/// What the report asks of a figure: its drawing as HTML, its data as one JSON object, what the reader must know of it.
void write_drawing(const HeatMap& map, std::ostream& out);
void write_data(const HeatMap& map, JsonWriter& json, PageColumns& columns);
std::vector<std::string> drawing_notes(const HeatMap& map);

}  // namespace torsor

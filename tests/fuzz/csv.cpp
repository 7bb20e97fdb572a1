// Fuzz target: any bytes as a CSV motion of a two-joint arm, with derivatives given or to be derived; then cell by cell,
// as for a plot.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "torsor/text/csv_reader.hpp"
#include "torsor/files/motion_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  const std::vector<std::string> joints{"shoulder", "elbow"};
  torsor::MotionReader reader(text, "fuzz.csv", torsor::motion_names(joints, joints));
  torsor::MotionRow row;
  while (reader.next(row))
    for (const double x : row.q)
      if (std::isnan(x)) std::abort();

  // once more, in degrees: whatever the headings name, positions are numbers
  text.clear();
  text.seekg(0);
  torsor::MotionReader degrees(text, "fuzz.csv", torsor::motion_names(joints, joints),
                               {.derivatives = 0, .degrees = true});
  while (degrees.next(row))
    for (const double x : row.q)
      if (std::isnan(x)) std::abort();

  text.clear();
  text.seekg(0);
  torsor::CsvReader csv(text, "fuzz.csv", torsor::CsvNames::made_up);
  std::vector<double> cells(csv.header().size());
  std::vector<torsor::FaultLog> faults(cells.size());
  while (csv.next(cells, faults))
    for (const double x : cells)
      if (std::isinf(x)) std::abort();
  return 0;
}

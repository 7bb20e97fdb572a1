#include "torsor/text/result_table.hpp"

#include <cmath>

namespace torsor {

std::string share_text(double x) {
  if (!std::isfinite(x)) return x > 0 ? "beyond" : "-";
  return format_number(std::abs(x) < 1e-11 ? 0 : 100 * x, 3) + " %";  // less is rounding
}

}  // namespace torsor

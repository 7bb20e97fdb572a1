#include "torsor/check/inertia_slips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace torsor {
namespace {

// the six numbers of a tensor as files list them: xx yy zz xy xz yz
using Six = std::array<double, 6>;
constexpr std::array<const char*, 6> entry_names{"xx", "yy", "zz", "xy", "xz", "yz"};

Six six(const Sym3<double>& I) { return {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}; }
Sym3<double> tensor(const Six& a) { return {a[0], a[1], a[2], a[3], a[4], a[5]}; }

/// An order in which six numbers are listed: the place of each in xx yy zz xy xz yz.
struct Order {
  const char* text;
  std::array<std::size_t, 6> entry;
};
constexpr Order orders[] = {{"xx, yy, zz, xy, xz, yz", {0, 1, 2, 3, 4, 5}},
                            {"xx, xy, xz, yy, yz, zz", {0, 3, 4, 1, 5, 2}},
                            {"xx, yy, zz, xy, yz, xz", {0, 1, 2, 3, 5, 4}},
                            {"xx, yy, zz, yz, xz, xy", {0, 1, 2, 5, 4, 3}}};

/// A change of units: what was typed is this many times too large.
struct Units {
  const char* text;
  double mass, com, tensor;
};
constexpr Units known_units[] = {
    {"a mass in grams", 1e3, 1, 1},
    {"an inertia in kg mm^2", 1, 1, 1e6},
    {"an inertia in g mm^2", 1, 1, 1e9},
    {"an inertia in kg cm^2", 1, 1, 1e4},
    {"an inertia in g cm^2", 1, 1, 1e7},
    {"a mass in grams and an inertia in g mm^2", 1e3, 1, 1e9},
    {"a mass in grams and an inertia in g cm^2", 1e3, 1, 1e7},
    {"a mass in grams and an inertia in g m^2", 1e3, 1, 1e3},
    {"a mass centre in millimetres", 1, 1e3, 1},
    {"a mass centre in centimetres", 1, 1e2, 1},
    {"a mass centre in millimetres and an inertia in kg mm^2", 1, 1e3, 1e6},
    {"a mass centre in millimetres and an inertia in g mm^2", 1, 1e3, 1e9},
    {"a mass in grams, a mass centre in millimetres and an inertia in g mm^2", 1e3, 1e3, 1e9},
    {"kilograms given as grams", 1e-3, 1, 1},
    {"kg m^2 given as kg mm^2", 1, 1, 1e-6},
    {"kg m^2 given as g mm^2", 1, 1, 1e-9}};

/// Logarithm of a normal density over log10(x), up to a constant.
double log_normal(double x, double mean, double deviation) {
  const double z = (std::log10(x) - mean) / deviation;
  return -z * z / 2;
}

// natural logarithms of how common the slips are among each other, as we meet them
constexpr double common = -0.5, usual = -1.5, rare = -3;

class SlipSearch {
 public:
  SlipSearch(const Part& doubtful, const LinkScale& its_scale, bool is_alone, const DoubtLimits& bounds,
             bool is_repeated)
      : part(doubtful),
        scale(its_scale),
        alone(is_alone),
        repeated(is_repeated),
        limits(bounds),
        typed(six(rotate(~doubtful.typed_in, doubtful.tensor))) {
    const BodyDoubts d = body_doubts(part, scale, alone, limits);
    misplaced = d.far && !(d.negative || d.triangle || d.wide || d.narrow || d.dense || d.thin);
  }

  std::optional<Slip> run() {
    if (seems_placeholder(part, repeated))
      return Slip{"placeholder", repeated ? "a placeholder: the same number throughout, in other links too; give the "
                                            "real inertia"
                                          : "a placeholder: the same round number throughout; give the real inertia"};
    row_orders(false);
    moment_signs();
    product_signs();
    reference_point();
    const BodyDoubts doubts = body_doubts(part, scale, alone, limits);
    unit_changes(doubts);
    // what breaks the triangle by a little was measured or estimated so, not mistyped by a power of ten
    const bool little = doubts.triangle && triangle_excess(doubts.spread) < 0.3 * doubts.spread.moments[2];
    if (!little || doubts.wide || doubts.narrow) {
      decimal_points();
      if (doubts.far) centre_points();
      row_orders(true);
    }
    return best;
  }

 private:
  const Part& part;
  const LinkScale& scale;
  const bool alone, repeated;
  const DoubtLimits& limits;
  const Six typed;         // in the axes of the file
  bool misplaced = false;  // all that is doubtful is the mass centre
  std::optional<Slip> best;
  double best_score = 0;

  Part with(const Six& entries) const {
    Part p = part;
    p.tensor = rotate(part.typed_in, tensor(entries));
    return p;
  }

  /// Keeps the candidate if it is beyond doubt and more probable than the best so far.
  void consider(const Part& candidate, double prior, const char* cause, const auto& text, bool centre = false) {
    if (misplaced && !centre) return;
    const BodyDoubts doubts = body_doubts(candidate, scale, alone, limits);
    if (doubts.any() || seems_about_frame(candidate, scale)) return;
    const double score = prior + ordinary_body(doubts) + (centre ? ordinary_centre(doubts) : 0);
    if (best && score <= best_score) return;
    best = Slip{cause, text()};
    best_score = score;
  }

  /// Orders that differ by their products only, or the others.
  void row_orders(bool products_only) {
    for (const Order& meant : orders)
      for (const Order& taken : orders) {
        Six entries{};
        for (std::size_t k = 0; k < 6; ++k) entries[meant.entry[k]] = typed[taken.entry[k]];
        const bool same_moments = std::equal(meant.entry.begin(), meant.entry.begin() + 3, taken.entry.begin());
        if (entries == typed || same_moments != products_only) continue;
        // the first two orders are the ones that files and formats use most
        const bool seldom = &meant - orders > 1 || &taken - orders > 1;
        consider(with(entries), products_only ? rare : common - (seldom ? 1 : 0), "row-order", [&] {
          return fmt::format("row order: numbers listed as {} were taken as {}", meant.text, taken.text);
        });
      }
  }

  void product_signs() {
    Six entries = typed;
    for (std::size_t k = 3; k < 6; ++k) entries[k] = -typed[k];
    if (entries == typed) return;
    consider(with(entries), common, "product-signs", [&] {
      return fmt::format("products of inertia with the other sign: xy = {:.4g}, xz = {:.4g}, yz = {:.4g} would fit",
                         entries[3] + 0.0, entries[4] + 0.0, entries[5] + 0.0);
    });
  }

  /// A moment with a minus before it.
  void moment_signs() {
    Six entries = typed;
    for (std::size_t k = 0; k < 3; ++k) entries[k] = std::abs(typed[k]);
    if (entries == typed) return;
    consider(with(entries), rare, "sign", [&] {
      return fmt::format("a minus sign: moments xx = {:.4g}, yy = {:.4g}, zz = {:.4g} would fit", entries[0],
                         entries[1], entries[2]);
    });
  }

  /// The mass centre as a whole or one coordinate of it with its point one or two places too far right.
  void centre_points() {
    for (const double power : {0.1, 0.01})
      for (int k = 0; k < 4; ++k) {
        Part p = part;
        for (const auto& [axis, coordinate] : {std::pair{0, &p.com.x}, {1, &p.com.y}, {2, &p.com.z}})
          if (k == axis || k == 3) *coordinate *= power;
        if (norm(p.com - part.com) == 0) continue;
        const double prior = usual - 0.9 * (std::abs(std::log10(power)) - 1);
        consider(
            p, prior, "decimal-point",
            [&] {
              return fmt::format(
                  "missing decimal point: com = [{:.4g}, {:.4g}, {:.4g}] instead of [{:.4g}, {:.4g}, {:.4g}] "
                  "would fit",
                  p.com.x, p.com.y, p.com.z, part.com.x, part.com.y, part.com.z);
            },
            true);
      }
  }

  void reference_point() {
    Part other = part;
    const bool centre = part.about == InertiaAbout::mass_centre;
    other.about = centre ? InertiaAbout::frame_origin : InertiaAbout::mass_centre;
    if (norm(part.com) == 0) return;
    consider(other, usual, "reference-point", [&] {
      return fmt::format("the other reference point: as an inertia about the {} it would fit",
                         centre ? "frame's origin" : "mass centre");
    });
  }

  void unit_changes(const BodyDoubts& doubts) {
    for (const Units& u : known_units) {
      // a mass centre that is where it can be was not typed in other units
      if (u.com != 1 && !doubts.far) continue;
      Part p = part;
      p.mass /= u.mass;
      p.com = part.com * (1 / u.com);
      p.tensor = part.tensor * (1 / u.tensor);
      const bool both = (u.mass != 1) + (u.com != 1) + (u.tensor != 1) > 1, backwards = u.mass < 1 || u.tensor < 1;
      consider(
          p, both || backwards ? rare : usual, "units",
          [&] {
            std::string fits;
            const auto add = [&](const std::string& text) { fits += (fits.empty() ? "" : ", ") + text; };
            if (u.mass != 1) add(fmt::format("{:.4g} kg", p.mass));
            if (u.com != 1) add(fmt::format("({:.4g}, {:.4g}, {:.4g}) m", p.com.x, p.com.y, p.com.z));
            if (u.tensor != 1) add(fmt::format("a moment of {:.4g} kg m^2", typed[0] / u.tensor));
            return fmt::format("units, {}: {} would fit", u.text, fits);
          },
          u.com != 1);
    }
  }

  void decimal_points() {
    // a point too many digits to the right, or to the left
    for (const double power : {0.1, 0.01, 0.001, 10.0, 100.0}) {
      const double prior = usual - 0.9 * (std::abs(std::log10(power)) - 1) - (power > 1 ? 1 : 0);
      const char* name = power < 1 ? "missing decimal point" : "decimal point";
      for (std::size_t k = 0; k < 6; ++k) {
        if (typed[k] == 0) continue;
        Six entries = typed;
        entries[k] *= power;
        consider(with(entries), prior - (k < 3 ? 0 : 1), "decimal-point", [&] {
          return fmt::format("{}: inertia {} = {:.4g} instead of {:.4g} would fit", name, entry_names[k], entries[k],
                             typed[k]);
        });
      }
      if (power == 0.001) continue;  // those are grams
      Part p = part;
      p.mass *= power;
      consider(p, prior, "decimal-point",
               [&] { return fmt::format("{}: mass {:.4g} instead of {:.4g} would fit", name, p.mass, part.mass); });
    }
  }
};

}  // namespace

std::optional<Slip> probable_slip(const Part& part, const LinkScale& scale, bool alone, const DoubtLimits& limits,
                                  bool repeated) {
  return SlipSearch(part, scale, alone, limits, repeated).run();
}

bool seems_placeholder(const Part& part, bool repeated) {
  const auto [xx, yy, zz, xy, xz, yz] = six(rotate(~part.typed_in, part.tensor));
  // but for the rounding of a rotation
  const auto all = [size = 1e-9 * std::abs(xx)](std::initializer_list<double> numbers, double value) {
    return std::ranges::all_of(numbers, [=](double x) { return std::abs(x - value) <= size; });
  };
  if (xx == 0 || !all({yy, zz}, xx)) return false;
  const double exponent = std::log10(std::abs(xx));
  const bool round = std::abs(exponent - std::nearbyint(exponent)) < 1e-9;
  return all({xy, xz, yz}, xx) || ((round || repeated) && all({xy, xz, yz}, 0));
}

double ordinary_body(const BodyDoubts& d) {
  double sum = 0;
  if (const auto density = ellipsoid_density(d.spread)) sum += log_normal(*density, 2.9, 0.7);
  if (const double k = gyration_radius(d.spread); k > 0 && d.extent > 0) sum += log_normal(k / d.extent, -0.35, 0.35);
  return sum;
}

double ordinary_centre(const BodyDoubts& d) {
  const double k = gyration_radius(d.spread);
  return k > 0 && d.distance > 0 ? log_normal(std::max(d.distance / k, 0.1), 0.1, 0.5) : 0;
}

double ordinary_size(const LinkScale& scale) { return scale.robot > 0 ? log_normal(scale.robot, -0.5, 0.5) : 0; }

bool seems_about_frame(const Part& part, const LinkScale& scale) {
  const double c2 = dot(part.com, part.com);
  if (part.about != InertiaAbout::mass_centre || !(part.mass > 0) || !(c2 > 0)) return false;
  // a link that carries a joint far beyond its mass centre may well be as long as its inertia says
  if (scale.joints * scale.joints > 2.5 * 2.5 * c2) return false;

  const MassSpread spread = mass_spread(part.mass, part.tensor);
  const Sym3<double> moved = tensor_about_centre({part.mass, part.com * part.mass, part.tensor});
  const MassSpread centred = mass_spread(part.mass, moved);
  const double slack = 1e-9 * spread.moments[2];
  if (centred.moments[0] < -slack || triangle_excess(centred) > slack) return false;

  // moved, it is a body still: sigma along c is at least |c|. Not much more, and the body slender across c, is the slip
  const Vec3<double> u = part.com * (1 / std::sqrt(c2));
  const double sum = (spread.moments[0] + spread.moments[1] + spread.moments[2]) / 2;
  const double along = (sum - dot(u, part.tensor * u)) / part.mass;
  const double across = spread.variances[0] + spread.variances[1] + spread.variances[2] - along;
  if (along < 1.6 * c2 && across < 0.15 * c2) return true;
  // a solid that ends at its frame has sigma^2 = c^2/3: without any products of inertia this may be a stout one
  const Vec3<double> Iu = part.tensor * u;
  const bool principal = norm(Iu - u * dot(u, Iu)) < 1e-6 * spread.moments[2];
  return principal && along > 1.25 * c2 && along < 1.45 * c2 && across < 0.35 * c2;
}

}  // namespace torsor

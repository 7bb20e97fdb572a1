// gamma, G and dG/dt qd_a of a cluster of dyads (dyad_plan.hpp) in closed form, over any number. For two hinges A, B and the
// closing one C, of which the known joints leave two points in place:
//
//   U = A + (w (d^2 + r^2 - s^2) - sign 4 area(d, r, s) w') / (2 d^2),   16 area^2 = ((r + s)^2 - d^2) (d^2 - (r - s)^2)
//
// with w from A to the other known point, d long, w' square to it; r and s to the third point, U. For a hinge and a slide
// along e:
//
//   s = -w.e + sign sqrt(R^2 - (w x e)^2)
//
// With c_k = d(C_j - C_i)/dq_k of each joint two equations in two unknowns give all rates, and accelerations less what
// turns and slides ask for: c_1 qd_1 + c_2 qd_2 = -sum over the others.
//
// Nothing branches on a value: a position that does not close is a root of a negative number, not a number. Who has doubles
// looks before (planar_dyads.hpp). Linear in the joints of the loops.
#pragma once

#include "torsor/loops/loop_model.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/concepts.hpp"

namespace torsor {

template <class T>
PlaneVector<T> operator+(const PlaneVector<T>& a, const PlaneVector<T>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class T>
PlaneVector<T> operator-(const PlaneVector<T>& a, const PlaneVector<T>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class T>
PlaneVector<T> operator*(const std::type_identity_t<T>& k, const PlaneVector<T>& a) {
  return {k * a.x, k * a.y};
}
template <class T>
T dot(const PlaneVector<T>& a, const PlaneVector<T>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class T>
T cross(const PlaneVector<T>& a, const PlaneVector<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
PlaneVector<T> square_to(const PlaneVector<T>& a) {
  return {-a.y, a.x};
}

/// A turn by its cosine and sine.
template <class T>
struct PlaneTurn {
  T c{1}, s{0};
  PlaneVector<T> operator*(const PlaneVector<T>& a) const { return {c * a.x - s * a.y, s * a.x + c * a.y}; }
  PlaneTurn operator*(const PlaneTurn& t) const { return {c * t.c - s * t.s, s * t.c + c * t.s}; }
};

template <Analytic T>
struct DyadForms {
  using Point = PlaneVector<T>;
  using Turn = PlaneTurn<T>;
  using Link = DyadPlan::Link;
  using Loop = DyadPlan::Loop;

  /// A loop at a position.
  struct Place {
    std::vector<T> c, s;        // turn of each joint from the reference; of a slide its way in c
    std::vector<Point> at;      // pivot, or direction
    std::vector<Point> column;  // d(C_j - C_i)/dq
    Point end[2];
  };

  static Place place_of(const Loop& loop) {
    const std::size_t n = loop.links.size();
    return {std::vector<T>(n), std::vector<T>(n), std::vector<Point>(n), std::vector<Point>(n), {}};
  }

  static bool on_j(const Loop& loop, int link) { return link >= loop.of_i; }

  /// The points that the unknown joints leave in place, and what hangs on these joints.
  struct Triangle {
    Point A, B;        // of two hinges: the nearer one, or that of i; and the other
    Point on_A, on_B;  // ends that they turn: of two on one side, B hangs on A, and on_B on B
    Point target;      // where the end is to go, if both are on one side
    bool one_side = false;

    const Point& third() const { return one_side ? B : on_A; }
    const Point& other() const { return one_side ? target : B; }
  };
  static Triangle triangle_of(const Loop& loop, const Place& place) {
    const bool a = on_j(loop, loop.first), b = on_j(loop, loop.second);
    return {place.at[loop.first], place.at[loop.second], place.end[a], place.end[b], place.end[!b], a == b};
  }

  /// Of a hinge and a slide: |w + s along| = radius, and from where to where the hinge then turns: the slide moves the one or
  /// the other.
  struct Slide {
    Point w, along;
    Point A, from, to;
    bool moves_from = false;
    int sense = 1;  // of what the slide adds to `from` or `to`
  };
  static Slide slide_of(const Loop& loop, const Place& place) {
    const bool first_slides = loop.links[loop.first].slides;
    const int hinge = first_slides ? loop.second : loop.first, slide = first_slides ? loop.first : loop.second;
    const Point A = place.at[hinge], along = place.at[slide], of_hinge = place.end[on_j(loop, hinge)],
                other = place.end[!on_j(loop, hinge)];
    if (on_j(loop, hinge) != on_j(loop, slide))  // the slide moves the end that the hinge's is to meet
      return {other - A, along, A, of_hinge - A, other - A, false, 1};
    if (slide < hinge)  // it moves the hinge
      return {A - other, along, A, of_hinge - A, other - A, false, -1};
    return {of_hinge - A, along, A, of_hinge - A, other - A, true, 1};
  }

  /// Sides of the triangle at the unknown hinges; of a hinge and a slide r alone. Constants where no known joint changes them.
  struct Sides {
    T r, s;
  };
  static Sides sides_of(const Loop& loop, const Place& place) {
    const auto side = [](double known, const Point& a, const Point& b) {
      if (known > 0) return T(known);
      const Point d = b - a;
      return T(sqrt(dot(d, d)));
    };
    if (loop.links[loop.first].slides || loop.links[loop.second].slides) {
      const Slide t = slide_of(loop, place);
      return {side(loop.r, {T(0), T(0)}, t.moves_from ? t.to : t.from), T(0)};
    }
    const Triangle t = triangle_of(loop, place);
    return {side(loop.r, t.A, t.third()), side(loop.s, t.B, t.on_B)};
  }

  /// Pivots, directions and ends from the turns.
  static void pose(const Loop& loop, Place& place) {
    const int n = static_cast<int>(loop.links.size());
    for (int side = 0; side < 2; ++side) {
      Turn R;
      Point p{T(0), T(0)};
      for (int k = side == 0 ? 0 : loop.of_i; k < (side == 0 ? loop.of_i : n); ++k) {
        const Link& link = loop.links[k];
        const Point given = point(link.place);
        if (link.slides) {
          place.at[k] = R * given;
          p = p + place.c[k] * place.at[k];
        } else {
          place.at[k] = R * given + p;
          R = R * Turn{place.c[k], place.s[k]};
          p = place.at[k] - R * given;
        }
      }
      place.end[side] = R * point(loop.end[side]) + p;
    }
  }

  /// The two unknown joints, from where they are: their turns, and their numbers in q.
  static void solve(const Loop& loop, Place& place, std::span<T> q) {
    const auto turned = [&](int k, const Turn& by) {
      const Turn whole = Turn{place.c[k], place.s[k]} * by;
      place.c[k] = whole.c, place.s[k] = whole.s;
      q[loop.links[k].q] += atan2(by.s, by.c) * T(1 / loop.links[k].gain);
    };
    const auto [r, s] = sides_of(loop, place);
    const auto turn_between = [](const Point& a, const Point& b, const T& side) {
      const T per_square = T(1) / (side * side);
      return Turn{dot(a, b) * per_square, cross(a, b) * per_square};
    };
    if (!loop.links[loop.first].slides && !loop.links[loop.second].slides) {
      const Triangle t = triangle_of(loop, place);
      const Point w = t.other() - t.A;
      const T dd = dot(w, w), half = T(0.5) / dd;
      const T sum = r + s, difference = r - s;
      const T x = T(0.5) + (difference * sum) * half,
              h = sqrt((sum * sum - dd) * (dd - difference * difference)) * half;
      const Point U = t.A + x * w - (T(loop.sign) * h) * square_to(w);
      const Turn by_A = turn_between(t.third() - t.A, U - t.A, r);
      const Turn whole_B = turn_between(t.on_B - t.B, t.one_side ? t.target - U : U - t.B, s);
      turned(loop.first, by_A);
      turned(loop.second, t.one_side ? whole_B * Turn{by_A.c, -by_A.s} : whole_B);
    } else {
      const bool first_slides = loop.links[loop.first].slides;
      const int hinge = first_slides ? loop.second : loop.first, slide = first_slides ? loop.first : loop.second;
      const Slide t = slide_of(loop, place);
      const T off = cross(t.w, t.along);
      const T by = T(loop.sign) * sqrt((r - off) * (r + off)) - dot(t.w, t.along);
      const Point moved = (T(t.sense) * by) * t.along;
      turned(hinge, turn_between(t.moves_from ? t.from + moved : t.from, t.moves_from ? t.to : t.to + moved, r));
      place.c[slide] = place.c[slide] + by;
      q[loop.links[slide].q] += by * T(1 / loop.links[slide].gain);
    }
    pose(loop, place);
  }

  static void find_columns(const Loop& loop, Place& place) {
    for (int k = 0; k < static_cast<int>(loop.links.size()); ++k) {
      const Link& link = loop.links[k];
      const bool j = on_j(loop, k);
      const Point per_turn = link.slides ? place.at[k] : square_to(place.end[j] - place.at[k]);
      place.column[k] = T(j ? link.gain : -link.gain) * per_turn;
    }
  }

  /// Rows of G of the two unknown joints of a loop; those of earlier loops are there. Dependent x independent, row-major.
  static void find_map(const Loop& loop, const Place& place, int independent, std::span<T> G) {
    const Point first = place.column[loop.first], second = place.column[loop.second];
    const T per_area = T(1) / cross(first, second);
    const int row_first = loop.links[loop.first].dependent, row_second = loop.links[loop.second].dependent;
    for (int j = 0; j < independent; ++j) {
      Point rest{T(0), T(0)};
      for (int k = 0; k < static_cast<int>(loop.links.size()); ++k) {
        const Link& link = loop.links[k];
        if (k == loop.first || k == loop.second) continue;
        if (link.dependent >= 0)
          rest = rest - G[cell(link.dependent, independent, j)] * place.column[k];
        else if (link.independent == j)
          rest = rest - place.column[k];
      }
      G[cell(row_first, independent, j)] = cross(rest, second) * per_area;
      G[cell(row_second, independent, j)] = cross(first, rest) * per_area;
    }
  }

  /// Accelerations of the two unknown joints (per dependent joint) while no independent one accelerates; those of earlier
  /// loops are there. qd of the tree is complete.
  static void find_map_rate(const Loop& loop, const Place& place, std::span<const T> qd, std::span<T> rate) {
    const int n = static_cast<int>(loop.links.size());
    // accelerations of the ends while no joint accelerates
    Point rest{T(0), T(0)};
    for (int side = 0; side < 2; ++side) {
      Point acceleration{T(0), T(0)}, last{T(0), T(0)};
      T w(0);
      for (int k = side == 0 ? 0 : loop.of_i; k < (side == 0 ? loop.of_i : n); ++k) {
        const Link& link = loop.links[k];
        const T turning = T(link.gain) * qd[link.v];
        if (link.slides) {
          acceleration = acceleration + (T(2) * w * turning) * square_to(place.at[k]);
        } else {
          acceleration = acceleration - (w * w) * (place.at[k] - last);
          w += turning;
          last = place.at[k];
        }
      }
      acceleration = acceleration - (w * w) * (place.end[side] - last);
      rest = side == 0 ? acceleration : rest - acceleration;
    }
    for (int k = 0; k < n; ++k) {
      const int dependent = loop.links[k].dependent;
      if (k != loop.first && k != loop.second && dependent >= 0) rest = rest - rate[dependent] * place.column[k];
    }
    const Point first = place.column[loop.first], second = place.column[loop.second];
    const T per_area = T(1) / cross(first, second);
    rate[loop.links[loop.first].dependent] = cross(rest, second) * per_area;
    rate[loop.links[loop.second].dependent] = cross(first, rest) * per_area;
  }

 private:
  static Point point(const PlanePoint& p) { return {T(p.x), T(p.y)}; }
};

}  // namespace torsor

#include "torsor/codegen/c_general_ik.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <utility>

#include "torsor/codegen/c_real.hpp"

namespace torsor {
namespace {

constexpr std::string_view loop_text = R"(
typedef struct { double R[3][3], p[3]; } torsor_pose; /* R[row][column] */

static torsor_pose torsor_times(const torsor_pose *a, const torsor_pose *b) {
  torsor_pose c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      c.R[i][j] = a->R[i][0]*b->R[0][j] + a->R[i][1]*b->R[1][j] + a->R[i][2]*b->R[2][j];
    c.p[i] = a->R[i][0]*b->p[0] + a->R[i][1]*b->p[1] + a->R[i][2]*b->p[2] + a->p[i];
  }
  return c;
}

static torsor_pose torsor_inverse(const torsor_pose *a) {
  torsor_pose c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c.R[i][j] = a->R[j][i];
    c.p[i] = -(a->R[0][i]*a->p[0] + a->R[1][i]*a->p[1] + a->R[2][i]*a->p[2]);
  }
  return c;
}

/* a Rz(q) */
static torsor_pose torsor_turned(const torsor_pose *a, double q) {
  const double c = cos(q), s = sin(q);
  torsor_pose t = *a;
  for (int i = 0; i < 3; ++i) {
    t.R[i][0] = a->R[i][0]*c + a->R[i][1]*s;
    t.R[i][1] = a->R[i][1]*c - a->R[i][0]*s;
  }
  return t;
}

/* the loop J_1 C_1 ... J_6 C_6 = 1 at q, to first order: columns of J, and (turn; shift) of the end; answers how far it
   is from closed */
static double torsor_linearised(const torsor_pose *C, const double *q, double J[6][6], double *error) {
  torsor_pose X = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
  double w[3], cosine, sine, residual = 0;
  for (int i = 0; i < 6; ++i) {
    const double z[3] = {X.R[0][2], X.R[1][2], X.R[2][2]};
    for (int r = 0; r < 3; ++r) {
      J[r][i] = z[r];
      J[r + 3][i] = X.p[(r + 1)%3]*z[(r + 2)%3] - X.p[(r + 2)%3]*z[(r + 1)%3];
    }
    X = torsor_turned(&X, q[i]);
    X = torsor_times(&X, &C[i]);
  }
  w[0] = (X.R[2][1] - X.R[1][2])/2;
  w[1] = (X.R[0][2] - X.R[2][0])/2;
  w[2] = (X.R[1][0] - X.R[0][1])/2;
  cosine = (X.R[0][0] + X.R[1][1] + X.R[2][2] - 1)/2;
  sine = sqrt(w[0]*w[0] + w[1]*w[1] + w[2]*w[2]);
  for (int r = 0; r < 3; ++r) {
    error[r] = cosine < 0.9 ? w[r]*(atan2(sine, cosine)/(sine > 1e-12 ? sine : 1e-12)) : w[r];
    error[r + 3] = X.p[r];
  }
  for (int r = 0; r < 6; ++r) residual = fabs(error[r]) > residual ? fabs(error[r]) : residual;
  return cosine < 0 && residual < 1 ? 1 : residual;
}

/* A x = b by rows exchanged; n rows of n + 1. A pivot of nothing stands for one of rounding. Answers the
   determinant. */
static double torsor_solve(int n, double *A, double *x) {
  const int m = n + 1;
  double determinant = 1;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(A[i*m + k]) > fabs(A[best*m + k])) best = i;
    if (best != k) {
      determinant = -determinant;
      for (int j = k; j < m; ++j) {
        const double other = A[k*m + j];
        A[k*m + j] = A[best*m + j];
        A[best*m + j] = other;
      }
    }
    determinant *= A[k*m + k];
    if (fabs(A[k*m + k]) < 1e-18) A[k*m + k] = 1e-18;
    for (int i = k + 1; i < n; ++i) {
      const double by = A[i*m + k]/A[k*m + k];
      if (by == 0) continue;
      for (int j = k + 1; j < m; ++j) A[i*m + j] -= by*A[k*m + j];
    }
  }
  for (int i = n; i-- > 0 && x;) {
    double sum = A[i*m + n];
    for (int j = i + 1; j < n; ++j) sum -= A[i*m + j]*x[j];
    x[i] = sum/A[i*m + i];
  }
  return determinant;
}

/* Newton's method on the loop itself: answers whether it closes */
static int torsor_close(const torsor_pose *C, double *q, double *determinant) {
  double J[6][6], error[6], A[42], dq[6];
  double residual = torsor_linearised(C, q, J, error);
  *determinant = 0;
  for (int step = 0; step < 20; ++step) {
    double length = 0, next[6], further, J_next[6][6], error_next[6];
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) A[7*i + j] = J[i][j];
      A[7*i + 6] = -error[i];
    }
    *determinant = torsor_solve(6, A, dq);
    if (residual < 1e-15) break;
    for (int i = 0; i < 6; ++i) length = fabs(dq[i]) > length ? fabs(dq[i]) : length;
    if (!(length < 1e6)) return 0;
    for (int i = 0; i < 6; ++i) next[i] = q[i] + (length > 0.5 ? 0.5/length : 1)*dq[i];
    further = torsor_linearised(C, next, J_next, error_next);
    if (!(further < residual)) break;
    residual = further;
    memcpy(q, next, sizeof next);
    memcpy(J, J_next, sizeof J_next);
    memcpy(error, error_next, sizeof error_next);
  }
  for (int i = 0; i < 6; ++i) q[i] = atan2(sin(q[i]), cos(q[i]));
  return residual < 1e-14;
}
)";

constexpr std::string_view elimination_text = R"(
typedef struct { double p[3], l[3]; } torsor_line;

static torsor_line torsor_moved(const torsor_pose *X, torsor_line line) {
  torsor_line out;
  for (int i = 0; i < 3; ++i) {
    out.p[i] = X->R[i][0]*line.p[0] + X->R[i][1]*line.p[1] + X->R[i][2]*line.p[2] + X->p[i];
    out.l[i] = X->R[i][0]*line.l[0] + X->R[i][1]*line.l[1] + X->R[i][2]*line.l[2];
  }
  return out;
}

/* by the k-th of three angles, or back */
static torsor_line torsor_third(torsor_line a, int k, double sense) {
  const double c = k == 0 ? 1 : -0.5, s = sense*(k == 0 ? 0 : k == 1 ? 0.8660254037844386 : -0.8660254037844386);
  const torsor_line out = {{c*a.p[0] - s*a.p[1], s*a.p[0] + c*a.p[1], a.p[2]},
                           {c*a.l[0] - s*a.l[1], s*a.l[0] + c*a.l[1], a.l[2]}};
  return out;
}

/* the 14 numbers of a line whose equations are bilinear in the joints: p, l, p.p, p.l, p x l, (p.p) l - 2 (p.l) p */
static void torsor_numbers(torsor_line a, double *n, int stride) {
  const double pp = a.p[0]*a.p[0] + a.p[1]*a.p[1] + a.p[2]*a.p[2], pl = a.p[0]*a.l[0] + a.p[1]*a.l[1] + a.p[2]*a.l[2];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1)%3, k = (i + 2)%3;
    n[i*stride] = a.p[i];
    n[(i + 3)*stride] = a.l[i];
    n[(i + 8)*stride] = a.p[j]*a.l[k] - a.p[k]*a.l[j];
    n[(i + 11)*stride] = a.l[i]*pp - a.p[i]*(2*pl);
  }
  n[6*stride] = pp;
  n[7*stride] = pl;
}

/* values at three angles to coefficients of 1, cos, sin; these to those of 1, x, x^2 of the half tangent x */
static void torsor_coefficients(double *a, double *b, double *c) {
  const double mean = (*a + *b + *c)/3, cosine = (2**a - *b - *c)/3, sine = (*b - *c)*(2*0.8660254037844386/3);
  *a = mean;
  *b = cosine;
  *c = sine;
}

static void torsor_half_tangents(double *a, double *b, double *c) {
  const double one = *a + *b, square = *a - *b;
  *b = 2**c;
  *a = one;
  *c = square;
}

/* the six equations that are left of a loop without the joints of one side: E[of 1, cos t, sin t][equation][3 i + j] for
   half tangents x^i y^j; 0 where they are none */
static int torsor_eliminate(const torsor_pose *C, int left_over, double E[3][6][9]) {
  static const int stride[3][3] = {{9, 3, 1}, {3, 9, 1}, {1, 9, 3}};
  double L[14][27], G[14][9], rows[6][27], greatest = 0;
  const torsor_line axis = {{0, 0, 0}, {0, 0, 1}};
  const torsor_pose Df = torsor_inverse(&C[5]), Da = torsor_inverse(&C[0]), Db = torsor_inverse(&C[1]);
  const torsor_line at_e = torsor_moved(&C[4], axis), at_a = torsor_moved(&Df, axis);
  int column[8] = {1, 2, 3, 4, 5, 6, 7, 8}, rank = 8;
  for (int k = 0; k < 3; ++k) {
    const torsor_line at_d = torsor_moved(&C[3], torsor_third(at_e, k, 1));
    for (int j = 0; j < 3; ++j) {
      const torsor_line at_c = torsor_moved(&C[2], torsor_third(at_d, j, 1));
      for (int i = 0; i < 3; ++i) torsor_numbers(torsor_third(at_c, i, 1), &L[0][9*i + 3*j + k], 27);
    }
  }
  for (int i = 0; i < 3; ++i) {
    const torsor_line at_b = torsor_moved(&Da, torsor_third(at_a, i, -1));
    for (int j = 0; j < 3; ++j) torsor_numbers(torsor_moved(&Db, torsor_third(at_b, j, -1)), &G[0][3*i + j], 9);
  }
  for (int r = 0; r < 14; ++r) {
    double *l = L[r], *g = G[r];
    for (int m = 0; m < 9; ++m) torsor_coefficients(&l[m], &l[m + 9], &l[m + 18]);
    for (int m = 0; m < 27; m += 9)
      for (int k = 0; k < 3; ++k) torsor_coefficients(&l[m + k], &l[m + k + 3], &l[m + k + 6]);
    for (int m = 0; m < 27; m += 3) torsor_coefficients(&l[m], &l[m + 1], &l[m + 2]);
    for (int m = 0; m < 3; ++m) torsor_coefficients(&g[m], &g[m + 3], &g[m + 6]);
    for (int m = 0; m < 9; m += 3) torsor_coefficients(&g[m], &g[m + 1], &g[m + 2]);
    l[0] -= g[0];
  }
  /* the eight products of the right side are reflected out (Householder, columns by length) */
  for (int k = 0; k < 8; ++k) {
    double most = -1, v[14] = {0}, square = 0, length;
    int best = k, c;
    for (int j = k; j < 8; ++j) {
      double sum = 0;
      for (int r = k; r < 14; ++r) sum += G[r][column[j]]*G[r][column[j]];
      if (sum > most) most = sum, best = j;
    }
    c = column[best];
    column[best] = column[k];
    column[k] = c;
    length = sqrt(most);
    greatest = length > greatest ? length : greatest;
    if (!(length > 1e-10*greatest)) {
      rank = k;
      break;
    }
    for (int r = k; r < 14; ++r) v[r] = G[r][c];
    v[k] += v[k] < 0 ? -length : length;
    for (int r = k; r < 14; ++r) square += v[r]*v[r];
    for (int m = 0; m < 36; ++m) {
      double sum = 0;
      for (int r = k; r < 14; ++r) sum += v[r]*(m < 9 ? G[r][m] : L[r][m - 9]);
      sum *= 2/square;
      for (int r = k; r < 14; ++r) *(m < 9 ? &G[r][m] : &L[r][m - 9]) -= v[r]*sum;
    }
  }
  /* six orthonormal combinations of the rows that remain, the longest first */
  greatest = 0;
  for (int k = 0; k < 6; ++k) {
    double most = -1;
    int best = rank;
    for (int i = rank; i < 14; ++i) {
      double sum = 0;
      for (int m = 0; m < 27; ++m) sum += L[i][m]*L[i][m];
      if (sum > most) most = sum, best = i;
    }
    greatest = most > greatest ? most : greatest;
    if (!(most > 1e-24*greatest)) return 0;
    for (int m = 0; m < 27; ++m) rows[k][m] = L[best][m]/sqrt(most);
    for (int i = rank; i < 14; ++i) {
      double along = 0;
      for (int m = 0; m < 27; ++m) along += rows[k][m]*L[i][m];
      for (int m = 0; m < 27; ++m) L[i][m] = i == best ? 0 : L[i][m] - along*rows[k][m];
    }
  }
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 3; ++k) {
      double *e = E[k][r];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          e[3*i + j] = rows[r][k*stride[left_over][0] + i*stride[left_over][1] + j*stride[left_over][2]];
      for (int j = 0; j < 3; ++j) torsor_half_tangents(&e[j], &e[j + 3], &e[j + 6]);
      for (int i = 0; i < 9; i += 3) torsor_half_tangents(&e[i], &e[i + 1], &e[i + 2]);
    }
  return 1;
}

/* the determinant of the twelve equations at an angle, and where it is zero the products x^i y^j that solve them */
static double torsor_twelve(double E[3][6][9], double t, double *x) {
  const double c = cos(t), s = sin(t);
  double A[12*13] = {0};
  for (int r = 0; r < 6; ++r)
    for (int m = 0; m < 9; ++m) A[13*r + m] = A[13*(r + 6) + m + 3] = E[0][r][m] + c*E[1][r][m] + s*E[2][r][m];
  for (int r = 0; r < 12; ++r) A[13*r + 12] = r%2 == 0 ? 1 - 0.07*r : -0.8 + 0.05*r;
  return torsor_solve(12, A, x);
}

/* c[0] + sum of c[k] cos kt + s[k] sin kt */
static double torsor_series(const double *c, const double *s, double t) {
  const double ct = cos(t), st = sin(t);
  double ck = 1, sk = 0, value = c[0];
  for (int k = 1; k <= 8; ++k) {
    const double next = ck*ct - sk*st;
    sk = sk*ct + ck*st;
    ck = next;
    value += c[k]*ck + s[k]*sk;
  }
  return value;
}

/* where it is zero between two places of different signs; its derivative beside it */
static double torsor_zero(const double *c, const double *s, const double *dc, const double *ds, double from,
                          double to) {
  const int falls = torsor_series(c, s, from) > 0;
  double t = (from + to)/2;
  for (int step = 0; step < 80 && to - from > 1e-15; ++step) {
    const double y = torsor_series(c, s, t), next = t - y/torsor_series(dc, ds, t);
    if ((y > 0) == falls) from = t;
    else to = t;
    if (fabs(next - t) < 1e-14) break;
    t = next > from && next < to ? next : (from + to)/2;
  }
  return t;
}
)";

constexpr std::string_view cuts_text = R"(
typedef struct {
  double q[16][6];
  int hit[16]; /* by this cut */
  int count;
} torsor_found;

/* Closes the loop from a candidate and keeps what is new: 1 where it closed nearby, on what no other zero of this cut led
   to. */
static int torsor_keep(const torsor_pose *C, const double *candidate, torsor_found *out) {
  double q[6], determinant, off = 0;
  memcpy(q, candidate, sizeof q);
  if (!torsor_close(C, q, &determinant)) return 0;
  for (int i = 0; i < 6; ++i) {
    const double by = atan2(sin(q[i] - candidate[i]), cos(q[i] - candidate[i]));
    off = fabs(by) > off ? fabs(by) : off;
  }
  for (int k = 0; k < out->count; ++k) {
    double most = 0;
    for (int i = 0; i < 6; ++i) {
      const double by = atan2(sin(q[i] - out->q[k][i]), cos(q[i] - out->q[k][i]));
      most = fabs(by) > most ? fabs(by) : most;
    }
    if (most < 1e-7) {
      const int first = !out->hit[k];
      out->hit[k] = 1;
      return first && off < 0.05;
    }
  }
  if (out->count < 16) {
    out->hit[out->count] = 1;
    memcpy(out->q[out->count++], q, sizeof q);
  }
  return off < 0.05;
}

/* The joints a, b and f of the loop as a cut reads it, given those between, from the direction and the place of the
   line: candidates for all six. */
static int torsor_complete(const torsor_pose *arm, const torsor_pose *C, const int *cut, const double *cde,
                           torsor_found *out) {
  torsor_pose K = C[1];
  const torsor_pose Df = torsor_inverse(&C[5]);
  double A[2][3], b[4], n[2], determinant;
  int count = 0, closed = 0;
  for (int i = 0; i < 3; ++i) {
    K = torsor_turned(&K, cde[i]);
    K = torsor_times(&K, &C[2 + i]);
  }
  /* h . Rz(b) k = w along axis a, for direction and place */
  for (int i = 0; i < 2; ++i) {
    const double hx = C[0].R[2][0], hy = C[0].R[2][1], hz = C[0].R[2][2];
    const double kx = i == 0 ? K.R[0][2] : K.p[0], ky = i == 0 ? K.R[1][2] : K.p[1], kz = i == 0 ? K.R[2][2] : K.p[2];
    A[i][0] = hx*kx + hy*ky;
    A[i][1] = hy*kx - hx*ky;
    A[i][2] = (i == 0 ? Df.R[2][2] : Df.p[2] - C[0].p[2]) - hz*kz;
    n[i] = sqrt(A[i][0]*A[i][0] + A[i][1]*A[i][1]);
  }
  determinant = A[0][0]*A[1][1] - A[0][1]*A[1][0];
  if (fabs(determinant) > 1e-3*(n[0] > n[1] ? n[0]*n[0] : n[1]*n[1])) {
    b[count++] = atan2((A[0][0]*A[1][2] - A[1][0]*A[0][2])/determinant,
                       (A[0][2]*A[1][1] - A[1][2]*A[0][1])/determinant);
  } else {
    const double *row = n[0] > n[1] ? A[0] : A[1], length = n[0] > n[1] ? n[0] : n[1];
    if (length < 1e-9) {
      for (; count < 4; ++count) b[count] = count*1.5707963267948966 + 0.3;
    } else {
      const double x = row[2]/length, middle = atan2(row[1], row[0]), half = acos(x > 1 ? 1 : x < -1 ? -1 : x);
      b[count++] = middle + half;
      b[count++] = middle - half;
    }
  }
  for (int k = 0; k < count; ++k) {
    torsor_pose X = torsor_turned(&C[0], b[k]), Y = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    double angle[6], q[6], sine, cosine;
    X = torsor_times(&X, &K);
    sine = X.R[0][2]*Df.R[1][2] - X.R[1][2]*Df.R[0][2] + X.p[0]*Df.p[1] - X.p[1]*Df.p[0];
    cosine = X.R[0][2]*Df.R[0][2] + X.R[1][2]*Df.R[1][2] + X.p[0]*Df.p[0] + X.p[1]*Df.p[1];
    angle[0] = atan2(sine, cosine);
    angle[1] = b[k];
    for (int i = 0; i < 3; ++i) angle[2 + i] = cde[i];
    Y = torsor_turned(&Y, angle[0]);
    Y = torsor_times(&Y, &X);
    Y = torsor_inverse(&Y);
    Y = torsor_times(&Y, &Df);
    angle[5] = atan2(Y.R[1][0] - Y.R[0][1], Y.R[0][0] + Y.R[1][1]);
    for (int i = 0; i < 6; ++i) {
      if (cut[2]) q[(cut[0] + 6 - i)%6] = -angle[i];
      else q[(cut[0] + i)%6] = angle[i];
    }
    closed |= torsor_keep(arm, q, out);
  }
  return closed;
}

/* The two angles that the products x^i y^j stand for: neighbours are as x^i to x^(i+1), whatever the signs. */
static int torsor_at_zero(const torsor_pose *arm, const torsor_pose *C, const int *cut, double E[3][6][9], double t,
                          torsor_found *out) {
  double v[12], x[2] = {0, 0}, y[2] = {0, 0}, cde[3];
  int best = 0, row, column;
  torsor_twelve(E, t, v);
  for (int i = 1; i < 12; ++i)
    if (fabs(v[i]) > fabs(v[best])) best = i;
  if (!(fabs(v[best]) > 0 && fabs(v[best]) < 1e300)) return 0;
  row = best/3;
  column = best%3;
  for (int k = 0; k < 5; ++k) {
    double *sum = k < 3 ? x : y;
    const double a = (k < 3 ? v[3*k + column] : v[3*row + k - 3])/fabs(v[best]);
    const double b = (k < 3 ? v[3*k + 3 + column] : v[3*row + k - 2])/fabs(v[best]);
    const double sign = a*sum[0] + b*sum[1] < 0 ? -1 : 1;
    sum[0] += sign*a;
    sum[1] += sign*b;
  }
  cde[cut[1]] = t;
  cde[cut[1] == 0 ? 1 : 0] = 2*atan2(x[1], x[0]);
  cde[cut[1] == 2 ? 1 : 2] = 2*atan2(y[1], y[0]);
  return torsor_complete(arm, C, cut, cde, out);
}

/* All zeros of the determinant for one cut of the loop: 0 where one is left in doubt. */
static int torsor_one_cut(const torsor_pose *arm, const int *cut, torsor_found *out) {
  enum { angles = 24, looks = 96, orders = 6, most = 256 };
  const double turn = 6.283185307179586;
  torsor_pose C[6];
  double E[3][6][9], value[angles], c[orders + 2][13], s[orders + 2][13], at[most], f[most];
  double size = 0, error, beyond = 0;
  int clean = 1, places = looks + 1;
  for (int k = 0; k < 16; ++k) out->hit[k] = 0;
  for (int k = 0; k < 6; ++k) {
    C[k] = arm[(cut[0] + (cut[2] ? 11 - k : k))%6];
    if (cut[2]) C[k] = torsor_inverse(&C[k]);
  }
  if (!torsor_eliminate(C, cut[1], E)) return 0;
  for (int m = 0; m < angles; ++m) value[m] = torsor_twelve(E, turn*m/angles, 0);
  for (int k = 0; k <= 12; ++k) {
    double *ck = &c[0][k], *sk = &s[0][k];
    *ck = *sk = 0;
    for (int m = 0; m < angles; ++m) {
      *ck += value[m]*cos(turn*(k*m%angles)/angles)*(k == 0 || k == 12 ? 1 : 2)/angles;
      *sk += k == 0 ? 0 : value[m]*sin(turn*(k*m%angles)/angles)*2/angles;
    }
    if (k <= 8) size += fabs(*ck) + fabs(*sk);
    else beyond = fabs(*ck) > beyond ? fabs(*ck) : fabs(*sk) > beyond ? fabs(*sk) : beyond;
    for (int n = 0; n <= orders; ++n) {
      c[n + 1][k] = k*s[n][k];
      s[n + 1][k] = -k*c[n][k];
    }
  }
  error = 8*beyond + 1e-15*size;
  if (!(size > 0) || error > 1e-7*size) return 0;
  /* between zeros of a derivative the one before it has one zero at most, and so on down to the series itself */
  for (int m = 0; m <= looks; ++m) at[m] = 0.1234 + turn*m/looks;
  for (int n = orders; n > 0; --n) {
    for (int m = 0; m < places; ++m) f[m] = torsor_series(c[n], s[n], at[m]);
    for (int m = places - 1; m > 0; --m) {
      if ((f[m] < 0) == (f[m - 1] < 0) || places == most) continue;
      memmove(&at[m + 1], &at[m], sizeof at[0]*(size_t)(places - m));
      at[m] = torsor_zero(c[n], s[n], c[n + 1], s[n + 1], at[m - 1], at[m + 1]);
      ++places;
    }
  }
  for (int m = 0; m < places; ++m) f[m] = torsor_series(c[0], s[0], at[m]);
  for (int m = 1; m < places; ++m) {
    const int before = out->count;
    if ((f[m] < 0) != (f[m - 1] < 0)) {
      clean &= torsor_at_zero(arm, C, cut, E, torsor_zero(c[0], s[0], c[1], s[1], at[m - 1], at[m]), out);
    } else if (m + 1 < places && fabs(f[m]) < 1e-7*size && fabs(f[m]) <= fabs(f[m - 1]) &&
               fabs(f[m]) <= fabs(f[m + 1]) && (f[m] < 0) == (f[m + 1] < 0)) {
      /* all but touches zero: rounding may have lifted a double one off */
      torsor_at_zero(arm, C, cut, E, at[m], out);
      clean &= out->count == before && fabs(f[m]) > error;
    }
  }
  return clean;
}
)";

constexpr std::string_view declarations_text = R"(  torsor_pose C[6], X, back;
  torsor_found found;
  int sure = 0, agreed = 0;
)";

constexpr std::string_view own_six = R"(  const torsor_pose *const six = torsor_arm;
)";

/// Joint HELD of seven goes into what lies between its neighbours.
constexpr std::string_view six_of_seven = R"(  torsor_pose six[7];
  for (int k = 0; k < 7; ++k) six[k] = torsor_arm[k <= HELD ? k : k + 1];
  HOLD
  six[HELD] = torsor_times(&six[HELD], &torsor_arm[HELD + 1]);
)";
constexpr std::string_view turned = "six[HELD] = torsor_turned(&six[HELD], held[0]);";
constexpr std::string_view shifted =
    "for (int i = 0; i < 3; ++i) six[HELD].p[i] += six[HELD].R[i][2]*held[0]/torsor_size;";

constexpr std::string_view solve_text = R"(  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) X.R[i][j] = R[3*i + j];
    X.p[i] = p[i]/torsor_size;
  }
  back = torsor_inverse(&X);
  for (int k = 0; k < 5; ++k) C[k] = six[k + 1];
  C[5] = torsor_times(&six[6], &back);
  C[5] = torsor_times(&C[5], &six[0]);
  found.count = 0;
  /* until a cut leaves no doubt; three are to agree that there is nothing */
  for (int k = 0; k < (int)(sizeof torsor_cuts/sizeof torsor_cuts[0]) && !sure; ++k) {
    const int before = found.count, clean = torsor_one_cut(C, torsor_cuts[k], &found);
    agreed = found.count != before ? clean : agreed + clean;
    sure = found.count%2 == 0 && agreed > (found.count > 0 ? 0 : 2);
  }
)";

/// Joints from OWN on were added.
constexpr std::string_view standing_text = R"(  for (int k = 0, count = found.count; k < count; ++k) {
    double most = 0;
    if (k == 0) found.count = 0;
    for (int i = OWN; i < 6; ++i) most = fabs(found.q[k][i]) > most ? fabs(found.q[k][i]) : most;
    if (most < STANDS) memmove(found.q[found.count++], found.q[k], sizeof found.q[k]);
  }
)";

constexpr std::string_view results_text = R"(  /* by the first joint, then the second */
  for (int i = 1; i < found.count; ++i)
    for (int k = i; k > 0; --k) {
      double one[6];
      int j = 0;
      while (j < 5 && fabs(found.q[k][j] - found.q[k - 1][j]) <= 1e-7) ++j;
      if (found.q[k][j] >= found.q[k - 1][j]) break;
      memcpy(one, found.q[k], sizeof one);
      memcpy(found.q[k], found.q[k - 1], sizeof one);
      memcpy(found.q[k - 1], one, sizeof one);
    }
  for (int k = 0; k < 16; ++k) {
    const int is_found = k < found.count;
    state[k] = is_found ? 1 : sure ? 0 : -1;
    for (int i = 0; i < OWN; ++i) {
      double q = is_found ? found.q[k][i] : 0;
      if (is_found) {
        /* inside the limits where a turn brings it there */
        const double turn = q < torsor_limits[i][0] ? 6.283185307179586 : -6.283185307179586;
        const double other = q < torsor_limits[i][0] || q > torsor_limits[i][1] ? q + turn : q;
        if (other >= torsor_limits[i][0] && other <= torsor_limits[i][1]) q = other;
      }
      branch[JOINTS*k + COLUMN] = q;
    }HOLDS
  }
)";

/// The text with words of it replaced.
std::string with_words(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> words) {
  std::string out(text);
  for (const auto& [word, by] : words)
    for (std::size_t at = out.find(word); at != std::string::npos; at = out.find(word, at + by.size()))
      out.replace(at, word.size(), by);
  return out;
}

/// A placement, lengths in units of the arm.
std::string pose_text(const Transform<double>& X, double size) {
  const auto& [R, p] = X;
  std::string rows;
  for (const auto& [a, b, c] : {std::array{R.x.x, R.y.x, R.z.x}, std::array{R.x.y, R.y.y, R.z.y},
                                std::array{R.x.z, R.y.z, R.z.z}})
    rows += fmt::format("{}{{{}, {}, {}}}", rows.empty() ? "" : ", ", c_double.literal(a), c_double.literal(b),
                        c_double.literal(c));
  return fmt::format("{{{{{}}},\n   {{{}, {}, {}}}}}", rows, c_double.literal(p.x / size), c_double.literal(p.y / size),
                     c_double.literal(p.z / size));
}

}  // namespace

std::string c_general_ik(const EliminatedArm& arm) {
  constexpr std::size_t most_cuts = 6;
  const SixTurns& six = arm.six;
  const std::span<const Transform<double>> placements =
      arm.held < 0 ? std::span<const Transform<double>>(six.placements()) : arm.chain.B;
  std::string text = fmt::format(
      "\n/* the arm, lengths in units of {} m: what lies between its joints; cuts of the loop that serve it (joint, which of\n"
      "   three is left over, backwards), the best first; limits */\nstatic const double torsor_size = {};\n",
      c_double.literal(six.size()), c_double.literal(six.size()));
  std::string poses;
  for (const Transform<double>& X : placements)
    poses += fmt::format("{}\n  {}", poses.empty() ? "" : ",", pose_text(X, six.size()));
  std::string cuts;
  for (const LoopCut& cut : six.cuts().first(std::min(most_cuts, six.cuts().size())))
    cuts += fmt::format("{}{{{}, {}, {}}}", cuts.empty() ? "" : ", ", cut.first, cut.left_over, cut.backwards ? 1 : 0);
  std::string ranges;
  for (int i = 0; i < arm.own(); ++i) {
    const Limits& each = arm.chain.limits[arm.joint_of(i)];
    ranges += fmt::format("{}{{{}, {}}}", ranges.empty() ? "" : ", ",
                          c_double.literal(std::clamp(each.lower, -1e9, 1e9)),
                          c_double.literal(std::clamp(each.upper, -1e9, 1e9)));
  }
  text += loop_text;
  text += elimination_text;
  text += cuts_text;
  text += fmt::format(
      "\nstatic const torsor_pose torsor_arm[{}] = {{{}}};\nstatic const int torsor_cuts[][3] = {{{}}};\n"
      "static const double torsor_limits[{}][2] = {{{}}};\n",
      placements.size(), poses, cuts, arm.own(), ranges);
  return text;
}

std::string c_general_ik_body(const EliminatedArm& arm) {
  const int n = arm.chain.joints();
  const std::string held = fmt::format("{}", arm.held), own = fmt::format("{}", arm.own());
  std::string text(declarations_text);
  if (arm.held < 0) {
    text += own_six;
  } else {
    const bool slides = arm.chain.slides[static_cast<std::size_t>(arm.held)];
    text += with_words(six_of_seven, {{"HOLD", std::string(slides ? shifted : turned)}, {"HELD", held}});
  }
  text += solve_text;
  if (arm.own() < 6)
    text += with_words(standing_text, {{"OWN", own}, {"STANDS", c_double.literal(general_ik_stands)}});
  text += with_words(
      results_text,
      {{"OWN", own},
       {"COLUMN", arm.held < 0 ? "i" : fmt::format("(i < {} ? i : i + 1)", arm.held)},
       {"HOLDS", arm.held < 0 ? ""
                              : fmt::format("\n    branch[{}*k + {}] = is_found ? held[0] : 0;", n, arm.held)},
       {"JOINTS", fmt::format("{}", n)}});
  return text;
}

}  // namespace torsor

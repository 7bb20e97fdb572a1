#include "torsor/codegen/c_functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "torsor/codegen/c_statements.hpp"
#include "torsor/codegen/code_passes.hpp"
#include "torsor/scalar/pack.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/spatial/quaternion.hpp"

namespace torsor {
namespace {

// REAL stands for the type, UINT for whole numbers of its size, numbers between @ are written in its precision
std::string in_precision(std::string_view text, const CReal& real) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = text.find('@'), type = text.find("REAL"), bits = text.find("UINT");
    const std::size_t next = std::min({mark, type, bits});
    out += text.substr(0, next);
    if (next == text.npos) break;
    if (next != mark) {
      out += next == type ? real.type : real.is_float() ? "uint32_t" : "uint64_t";
      text.remove_prefix(next + 4);
      continue;
    }
    const std::size_t end = text.find('@', next + 1);
    out += real.literal(std::stod(std::string(text.substr(next + 1, end - next - 1))));
    text.remove_prefix(end + 1);
  }
  return out;
}

/// c0 + z*(c1 + z*(...)).
std::string horner(const std::vector<double>& c, std::string_view z, const CReal& real) {
  std::string text = real.literal(c.back());
  for (std::size_t k = c.size() - 1; k-- > 0;) {
    const bool innermost = k + 2 == c.size();
    text = innermost ? fmt::format("{} + {}*{}", real.literal(c[k]), z, text)
                     : fmt::format("{} + {}*({})", real.literal(c[k]), z, text);
  }
  return text;
}

/// The same with fewer steps one after the other: (c0 + z c1) + z2 ((c2 + z c3) + z2 (...)).
std::string by_pairs(std::span<const double> c, const CReal& real) {
  const std::string first =
      c.size() == 1 ? real.literal(c[0]) : fmt::format("({} + z*{})", real.literal(c[0]), real.literal(c[1]));
  return c.size() <= 2 ? first : fmt::format("({} + z2*{})", first, by_pairs(c.subspan(2), real));
}

// what depends on the precision
struct SincosNumbers {
  double reach;                 // of the quick way: k pi/2 is exact in two of its parts up to there
  double largest_sum;           // angle to which an offset is added before the sine, as in fast/chain_kernels.hpp
  std::vector<double> half_pi;  // in parts
  std::vector<double> sine, cosine;
  double whole;  // 2^(bits of the mantissa - 1)
  int words;     // of 2/pi that the largest argument needs
  int sign;      // from bit 1 to that of the sign
  int lanes;     // in 16 bytes
};

SincosNumbers sincos_numbers(const CReal& real) {
  if (real.is_float())
    return {1e3,
            16,
            {0x1.9218p+0, 0x1.ed5p-14, 0x1.10b462p-30},
            {-0.166666546022307199, 0.00833216028856891585, -0.000195152176312758935},
            {0.0416666456701533163, -0.00138873156164566266, 0.0000244330826859465793},
            0x1p23,
            11,
            30,
            4};
  return {1e6,
          64,
          {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69},
          {-0.166666666666666307, 0.00833333333332210734, -0.00019841269829580177, 2.75573136180209046e-6,
           -2.50507472187166968e-8, 1.58961976643636754e-10},
          {0.0416666666666665928, -0.00138888888888730404, 0.0000248015872888414088, -2.7557314176241809e-7,
           2.08757004162322362e-9, -1.13585139554632727e-11},
          0x1p52,
          38,
          62,
          2};
}

constexpr unsigned two_over_pi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
                                    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
                                    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
                                    0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
                                    0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
                                    0x1f8d5d08, 0x56033046, 0xfc7b6bab};

constexpr std::string_view sincos_near = R"(
static UINT torsor_bits(REAL x) {{
  UINT bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}}

static REAL torsor_real(UINT bits) {{
  REAL x;
  memcpy(&x, &bits, sizeof x);
  return x;
}}

/* sine and cosine of n angles below {reach}: x - k pi/2, pi/2 in three parts, then polynomials. Added to a number whose
   last digit is one, x becomes whole: k is in the last bits. */
static void torsor_sincos_near(int n, const REAL *restrict x, REAL *restrict sn, REAL *restrict cs) {{
#ifdef __clang__
#pragma clang loop vectorize_width({lanes})
#endif
  for (int i = 0; i < n; ++i) {{
    const REAL shifted = x[i]*@0.636619772367581343@ + {round};
    const REAL t = shifted - {round};
    const UINT k = torsor_bits(shifted);
    const REAL r = x[i] - t*{p0} - t*{p1} - t*{p2};
    const REAL z = r*r, z2 = z*z;
    const REAL s = r + r*z*({sine});
    const REAL c = @1@ - (@0.5@*z - z2*({cosine}));
    const REAL u = (k & 1u) != 0u ? c : s;
    const REAL v = (k & 1u) != 0u ? s : c;
    sn[i] = torsor_real(torsor_bits(u) ^ (k & 2u) << {sign});
    cs[i] = torsor_real(torsor_bits(v) ^ ((k + 1u) & 2u) << {sign});
  }}
}}
)";

constexpr std::string_view sincos_far = R"(
/* the same for one angle however large: the quadrant from the digits of 2/pi; what is not finite gives NaN */
static void torsor_sincos_far(REAL x, REAL *sn, REAL *cs) {{
  static const uint32_t digits[{words}] = {{
    {digits}}};
  uint32_t limb[11] = {{0}}, factor[3];
  REAL m = x < @0@ ? -x : x, r, s, c;
  uint64_t whole, carry;
  int e = 0, first, shift, top, i, j, k;
  if (!(x - x == @0@)) {{
    *sn = *cs = x - x;
    return;
  }}
  while (m >= {twice}) {{ m *= @0.5@; ++e; }}
  while (m < {whole}) {{ m *= @2@; --e; }}
  /* words of 2/pi that give whole turns are left out; the point goes between two limbs */
  first = e < 34 ? 0 : (e - 2)/32;
  shift = (32*(first + 8) - e)%32;
  shift = (32 - shift)%32;
  top = (32*(first + 8) - e + shift)/32;
  whole = (uint64_t)m;
  factor[0] = (uint32_t)(whole << shift);
  factor[1] = (uint32_t)((whole << shift) >> 32);
  factor[2] = shift > 0 ? (uint32_t)(whole >> (64 - shift)) : 0u;
  for (j = 0; j < 3; ++j) {{
    carry = 0;
    for (i = 0; i < 8; ++i) {{
      carry += (uint64_t)factor[j]*digits[first + 7 - i] + limb[i + j];
      limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }}
    limb[i + j] = (uint32_t)carry;
  }}
  k = (int)(limb[top] & 3u);
  /* the fraction of a quarter turn, to the nearest whole one: beyond a half counted back */
  j = limb[top - 1] >> 31 != 0u;
  k += j;
  r = @0@;
  for (i = top > 5 ? top - 5 : 0; i < top; ++i) r = (r + (REAL)(j != 0 ? ~limb[i] : limb[i]))*@2.3283064365386963e-10@;
  r *= @1.57079632679489661923@;
  if ((j != 0) != (x < @0@)) r = -r;
  if (x < @0@) k = -k;
  torsor_sincos_near(1, &r, &s, &c);
  *sn = (k & 1) != 0 ? c : s;
  *cs = (k & 1) != 0 ? s : c;
  if ((k & 2) != 0) *sn = -*sn;
  if (((k + 1) & 2) != 0) *cs = -*cs;
}}
)";

constexpr std::string_view sincos_both = R"(
static void torsor_sincos(int n, const REAL *x, REAL *sn, REAL *cs) {{
  int near = 1;
  for (int i = 0; i < n; ++i) near &= (x[i] > -{reach}) & (x[i] < {reach});
  if (near != 0) {{
    torsor_sincos_near(n, x, sn, cs);
    return;
  }}
  for (int i = 0; i < n; ++i) {{
    if ((x[i] > -{reach}) & (x[i] < {reach}))
      torsor_sincos_near(1, &x[i], &sn[i], &cs[i]);
    else
      torsor_sincos_far(x[i], &sn[i], &cs[i]);
  }}
}}
)";

constexpr std::string_view sincos_sum = R"(
/* of q + offset. The sum with a large angle would lose digits: there the offset is turned by after the sine. Room for the
   sums is the caller's. */
static void torsor_sincos_sum(int n, const REAL *q, const REAL *offset, REAL *sum, REAL *sn, REAL *cs) {{
  int near = 1;
  for (int i = 0; i < n; ++i) {{
    sum[i] = q[i] + offset[i];
    near &= (q[i] > -{largest}) & (q[i] < {largest});
  }}
  if (near != 0) {{
    torsor_sincos_near(n, sum, sn, cs);
    return;
  }}
  torsor_sincos(n, q, sn, cs);
  for (int i = 0; i < n; ++i) {{
    const REAL s = sn[i], c = cs[i];
    REAL s0, c0;
    torsor_sincos_near(1, &offset[i], &s0, &c0);
    sn[i] = s*c0 + c*s0;
    cs[i] = c*c0 - s*s0;
  }}
}}
)";

constexpr std::string_view exponential = R"(
/* e^x: x - k ln 2, ln 2 in two parts, the series, and 2^k by two factors */
static REAL torsor_exp(REAL x) {{
  const REAL y = x > {most} ? {most} : x > {least} ? x : {least};
  const int k = (int)(y*@1.44269504088896341@ + (y < @0@ ? -@0.5@ : @0.5@));
  const REAL t = (REAL)k, r = y - t*{l0} - t*{l1};
  REAL e = @1@ + r*({series}), two = k < 0 ? @0.5@ : @2@;
  int i = k < 0 ? -k : k;
  for (; i > 0; i >>= 1) {{
    if ((i & 1) != 0) e *= two;
    two *= two;
  }}
  return x - x == @0@ ? (x < {least} ? @0@ : e) : x < @0@ ? @0@ : x;
}}
)";

}  // namespace

std::string c_sincos(const CReal& real) {
  const SincosNumbers n = sincos_numbers(real);
  const std::string reach = real.literal(n.reach);
  std::string digits;
  for (int k = 0; k < n.words; ++k)
    digits += fmt::format("{}0x{:08x}u", k == 0 ? "" : k % 8 == 0 ? ",\n    " : ", ", two_over_pi[k]);
  using fmt::arg;
  return in_precision(
      fmt::format(sincos_near, arg("reach", reach), arg("p0", real.literal(n.half_pi[0])),
                  arg("p1", real.literal(n.half_pi[1])), arg("p2", real.literal(n.half_pi[2])),
                  arg("sine", by_pairs(n.sine, real)), arg("cosine", by_pairs(n.cosine, real)),
                  arg("round", real.literal(1.5 * n.whole)), arg("sign", n.sign), arg("lanes", n.lanes)) +
          fmt::format(sincos_far, arg("words", n.words), arg("digits", digits), arg("whole", real.literal(n.whole)),
                      arg("twice", real.literal(2 * n.whole))) +
          fmt::format(sincos_both, arg("reach", reach)),
      real);
}

std::string c_sincos_sum(const CReal& real) {
  return in_precision(fmt::format(sincos_sum, fmt::arg("largest", real.literal(sincos_numbers(real).largest_sum))),
                      real);
}

std::string c_exp(const CReal& real) {
  std::vector<double> series;
  double factorial = 1;
  for (int k = 1; k <= (real.is_float() ? 7 : 13); ++k) series.push_back(1 / (factorial *= k));
  using fmt::arg;
  const double most = real.is_float() ? 89 : 710;
  return in_precision(
      fmt::format(exponential, arg("most", real.literal(most)), arg("least", real.literal(-most)),
                  arg("l0", real.literal(real.is_float() ? 0.693115234375 : 0.6931471804855391)),
                  arg("l1", real.literal(real.is_float() ? 3.194618329871446e-05 : 7.440617110012397e-11)),
                  arg("series", horner(series, "r", real))),
      real);
}

std::string c_atan2(const CReal& real) {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace y = tape.input("y"), x = tape.input("x"), ax = abs(x), ay = abs(y);
    const TraceMask steep = ax < ay;
    const Trace small = select(steep, ax, ay), large = select(steep, ay, ax);
    const TraceMask oblique = large * Trace(pack_detail::tan_eighth) < small;
    const Trace denominator = select(oblique, small + large, large);
    // the angle of nothing is taken as zero
    const Trace t = select(oblique, small - large, small) / select(Trace(0) < large, denominator, Trace(1));
    tape.output(pack_detail::angle_in_octant(t, oblique, steep, x < 0, y), "");
  }
  const CBlock body = c_statements(tidy_for_code(tape), real, {.indent = 2});
  return fmt::format("\n/* angle of (x, y), -pi .. pi */\nstatic {0} torsor_atan2({0} y, {0} x) {{\n{1}}}\n", real.type,
                     body.text);
}

std::string c_tame(const CReal& real, int nq, const std::vector<int>& quaternions) {
  const double least = real.is_float() ? static_cast<double>(least_square<float>) : least_square<double>;
  const std::string text = in_precision(R"(
/* quaternions may have any length: those whose squared length has lost digits are divided by their largest part first */
static const REAL *torsor_tame(const REAL *q, REAL *copy) {
  static const int first[COUNT] = {PLACES};
  int wild = 0;
  for (int k = 0; k < COUNT; ++k) {
    const REAL *e = q + first[k];
    const REAL s = e[0]*e[0] + e[1]*e[1] + e[2]*e[2] + e[3]*e[3];
    wild |= !(s > LEAST && s < MOST);
  }
  if (!wild) return q;
  for (int i = 0; i < ALL; ++i) copy[i] = q[i];
  for (int k = 0; k < COUNT; ++k) {
    REAL *e = copy + first[k], largest = @0@;
    for (int i = 0; i < 4; ++i) {
      const REAL size = e[i] < @0@ ? -e[i] : e[i];
      if (size > largest) largest = size;
    }
    for (int i = 0; i < 4; ++i) e[i] /= largest;
  }
  return copy;
}
)",
                                        real);
  const std::pair<const char*, std::string> words[] = {{"COUNT", std::to_string(quaternions.size())},
                                                       {"PLACES", fmt::format("{}", fmt::join(quaternions, ", "))},
                                                       {"LEAST", real.literal(least)},
                                                       {"MOST", real.literal(1 / least)},
                                                       {"ALL", std::to_string(nq)}};
  std::string out = text;
  for (const auto& [word, meaning] : words)
    for (std::size_t at = 0; (at = out.find(word, at)) != out.npos; at += meaning.size())
      out.replace(at, std::string_view(word).size(), meaning);
  return out;
}

}  // namespace torsor

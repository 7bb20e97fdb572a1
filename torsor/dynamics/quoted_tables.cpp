#include "torsor/dynamics/quoted_tables.hpp"

namespace torsor {
namespace {

// Angeles, Ma & Rojas 1989, Table 1
constexpr QuotedRow kane_table[] = {
    {"Hollerbach 1980, Euler-Lagrange", "412n - 277", "320n - 201", "2195 / 1719",
     {.formulation = "recursive-lagrange-3x3"}, "the same recursion; zeros of the DH matrices are exploited here"},
    {"Luh, Walker & Paul 1980, Newton-Euler", "150n - 48", "131n - 48", "852 / 738", {}, "quoted: its listing is not at hand"},
    {"Walker & Orin 1982, Newton-Euler", "137n - 22", "101n - 11", "800 / 595", {}, "quoted: its listing is not at hand"},
    {"Hollerbach & Sahar 1983, Newton-Euler", "", "", "688 / 558", {}, "counted again in the last table"},
    {"Kane & Levinson 1983, Kane", "", "", "646 / 394", {}, "quoted: equations written for one arm"},
    {"Khalil et al. 1986, Newton-Euler", "105n - 92", "94n - 86", "538 / 478", {}, "quoted: its listing is not at hand"},
    {"Angeles, Ma & Rojas, Kane", "105n - 109", "90n - 105", "521 / 435", {}, ""},
};

constexpr QuotedTable tables[] = {
    {"Complexities of several different algorithms", "Angeles, Ma & Rojas 1989, Table 1", kane_table},
};

}  // namespace

std::span<const QuotedTable> quoted_tables() { return tables; }

}  // namespace torsor

#include "torsor/formulations/quoted_tables.hpp"

namespace torsor {
namespace {

constexpr RecordOptions listing{.gravity_at_run_time = true, .lengths_at_run_time = true};

constexpr QuotedRow kane[] = {
    {"Hollerbach 1980, Euler-Lagrange", "412n - 277", "320n - 201", "2195 / 1719",
     {.formulation = "recursive-lagrange-3x3"},
     "the same recursion; ours exploits the zeros of each DH matrix"},
    {"Luh, Walker & Paul 1980, Newton-Euler", "150n - 48", "131n - 48", "852 / 738", {}, "its listing is not available"},
    {"Walker & Orin 1982, Newton-Euler", "137n - 22", "101n - 11", "800 / 595", {}, "its listing is not available"},
    {"Hollerbach & Sahar 1983, Newton-Euler", "", "", "688 / 558",
     {.formulation = "rotary", .wrist = WristVariant::general},
     "their own book-keeping adds up to 5 additions less than they print"},
    {"Kane & Levinson 1983, Kane", "", "", "646 / 394", {}, "equations written out for one arm"},
    {"Khalil et al. 1986, Newton-Euler", "105n - 92", "94n - 86", "538 / 478", {}, "its listing is not available"},
    {"Angeles, Ma & Rojas 1989, Kane, as listed", "105n - 109", "90n - 105", "521 / 435",
     {.formulation = "kane", .rule = Rule::listing, .extent = Extent::used, .options = listing},
     "the printed constants do not follow from the printed steps, whose sums are 105n - 99 and 90n - 91"},
    {"the same, zeros of link 1 carried into link 2", "", "", "",
     {.formulation = "kane", .extent = Extent::used, .options = listing},
     "the printed additions are met, the multiplications beaten"},
    {"the same, Z_0 on Z_1", "", "", "513 / 432", {}, "saves 4 and 2, or 8 and 6 with gravity along Z_0; not 8 and 3"},
};

constexpr QuotedRow lagrange[] = {
    {"A_i^j", "32n(n-1)", "24n(n-1)", "960 / 720", {}, "a model of the book: full products, 64 and 48 each"},
    {"-m_j g U_ji r_j", "4n(9n-7)", "n(51n-45)/2", "1128 / 783", {}, ""},
    {"sum of these", "0", "n(n-1)/2", "0 / 15", {}, ""},
    {"Tr(U_kj J_k U_ki')", "128/3 n(n+1)(n+2)", "65/2 n(n+1)(n+2)", "14336 / 10920", {},
     "each trace charged as 4 products, recomputed from scratch"},
    {"sum of these", "0", "1/6 n(n-1)(n+1)", "0 / 35", {}, ""},
    {"Tr(U_mjk J_m U_mi')", "128/3 n^2(n+1)(n+2)", "65/2 n^2(n+1)(n+2)", "86016 / 65520", {},
     "n times as many charged; by symmetry 266 of 336 are needed"},
    {"sum of these", "0", "1/6 n^2(n-1)(n+1)", "0 / 210", {}, ""},
    {"total", "128/3 n^4 + 512/3 n^3 + 844/3 n^2 + 76/3 n", "98/3 n^4 + 781/6 n^3 + 637/3 n^2 + 107/6 n",
     "102440 / 78203", {}, "not executed: book-keeping, products with the rates are not in it"},
    {"executed without reuse, full products", "", "", "", {.formulation = "lagrange-euler", .rule = Rule::dense},
     "the traces that symmetry leaves, each from scratch"},
    {"executed without reuse, zeros used", "", "", "", {.formulation = "lagrange-euler"}, ""},
    {"executed with U, U J and traces kept", "", "", "", {.formulation = "lagrange-euler-cached"},
     "the same equations, every product once"},
};

constexpr Recount link_row(std::string_view stages) {
  return {.formulation = "newton-euler-link", .rule = Rule::dense, .options = listing, .stages = stages};
}

constexpr QuotedRow newton_euler[] = {
    {"omega", "9n", "7n", "54 / 42", link_row("w"), ""},
    {"omega-dot", "9n", "9n", "54 / 54", link_row("wd"), "the table leaves out the two products of omega x z qd"},
    {"v-dot", "27n", "22n", "162 / 132", link_row("vd"), "one addition booked here belongs to the next row"},
    {"a", "15n", "14n", "90 / 84", link_row("a"), "two cross products and one more take 18 multiplications"},
    {"F", "3n", "0", "18 / 0", link_row("F"), ""},
    {"f", "9(n-1)", "9n - 6", "45 / 48", link_row("f"), "nothing is added at the last link"},
    {"N", "24n", "18n", "144 / 108", link_row("N"), ""},
    {"n", "21n - 15", "24n - 15", "111 / 129", link_row("n"), ""},
    {"total", "117n - 24", "103n - 21", "678 / 597", link_row("w|wd|vd|a|F|f|N|n"),
     "without the entries of the rotations and the components of tau, as in the table"},
    {"executed, those included", "", "", "", {.formulation = "newton-euler-link", .rule = Rule::dense, .options = listing}, ""},
    {"executed, zeros used", "", "", "", {.formulation = "newton-euler-link"}, ""},
};

constexpr QuotedRow comparison[] = {
    {"Lagrange-Euler", "128/3 n^4 + 512/3 n^3 + 739/3 n^2 + 160/3 n", "98/3 n^4 + 781/6 n^3 + 559/3 n^2 + 245/6 n",
     "101348 / 77405", {.formulation = "lagrange-euler", .rule = Rule::dense},
     "Table 3.1 without its gravity rows, and n^2 for D qdd; not executed"},
    {"Newton-Euler", "132n", "111n - 4", "792 / 662",
     {.formulation = "newton-euler-link", .rule = Rule::dense, .options = listing},
     "contradicts Table 3.4; nearest are all steps, entries and tau included"},
    {"generalized d'Alembert", "13/6 n^3 + 105/2 n^2 + 268/3 n + 69", "4/3 n^3 + 44 n^2 + 146/3 n + 45", "2963 / 2209",
     {.formulation = "dalembert", .rule = Rule::dense},
     "fractions restored so that counts are whole; the table's procedure is in a figure only"},
    {"generalized d'Alembert, zeros used", "", "", "", {.formulation = "dalembert"}, ""},
};

constexpr Recount wrist_row(std::string_view formulation, WristVariant variant, std::string_view robot,
                            Extent extent = Extent::all) {
  return {.formulation = formulation, .extent = extent, .robot = robot, .wrist = variant};
}

constexpr std::string_view table_arm = "rotary_hollerbach", simple_table_arm = "rotary_hollerbach_simple";

constexpr QuotedRow wrist[] = {
    {"general rotary manipulator",
     "",
     "",
     "688 / 558",
     {.formulation = "rotary", .wrist = WristVariant::general},
     "their own book-keeping adds up to 5 additions less than they print"},
    {"spherical wrist, before the base is fixed", "", "", "448 / 361",
     wrist_row("wrist-spherical", WristVariant::spherical, table_arm),
     "in the text; they save 32 and 32 where only 30 and 30 were spent"},
    {"spherical wrist manipulator", "", "", "408 / 324",
     wrist_row("wrist-fixed-base", WristVariant::fixed_base, table_arm),
     "the difference to the row before is 42 and 41, not 40 and 37"},
    {"the same, live", "", "", "", wrist_row("wrist-fixed-base", WristVariant::fixed_base, table_arm, Extent::live),
     ""},
    {"precomputed inverse kinematics", "", "", "368 / 296",
     wrist_row("wrist-precomputed", WristVariant::precomputed, table_arm),
     "follows from the row before; one product is booked twice"},
    {"the same, live", "", "", "", wrist_row("wrist-precomputed", WristVariant::precomputed, table_arm, Extent::live),
     ""},
    {"simplified inertial parameters", "", "", "194 / 138",
     wrist_row("wrist-simple", WristVariant::simple, simple_table_arm),
     "savings of link 1 are booked twice, and 296 - 168 is 128"},
    {"the same, live", "", "", "", wrist_row("wrist-simple", WristVariant::simple, simple_table_arm, Extent::live),
     "what is printed is beaten when dead components are dropped"},
};

constexpr QuotedTable tables[] = {
    {"complexities of several different algorithms", "Angeles, Ma & Rojas 1989, Table 1", kane},
    {"Lagrange-Euler equations of motion", "Fu, Gonzalez & Lee 1987, Table 3.1", lagrange},
    {"Newton-Euler equations of motion, row by row", "Fu, Gonzalez & Lee 1987, Table 3.4", newton_euler},
    {"comparison of approaches", "Fu, Gonzalez & Lee 1987, Table 3.5", comparison},
    {"dynamics of a 6-dof manipulator under various conditions", "Hollerbach & Sahar 1983, Table 5", wrist},
};

}  // namespace

std::span<const QuotedTable> quoted_tables() { return tables; }

}  // namespace torsor

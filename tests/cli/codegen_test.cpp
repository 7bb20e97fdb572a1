#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("codegen writes a C file that compiles without a warning and passes its own test") {
  const Outcome run =
      torsor("codegen puma560 --functions id,gravity,mass,fd,fk,jacobian -o puma.c --header puma.h --json");
  CHECK(run.code == 0);
  const json answer = json_of(run);
  CHECK(answer["functions"].size() == 6);
  CHECK(answer["functions"][0]["name"] == "puma560_id");
  CHECK(answer["functions"][0]["multiplications"] <= 200);
  const std::string source = read(path("puma.c"));
  CHECK(contains(source, "void puma560_fd(const double q[6]"));
  CHECK(contains(read(path("puma.h")), "extern \"C\""));
  const std::string compile = "cd '" + folder().string() +
                              "' && cc -std=c99 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror -DTORSOR_SELF_TEST "
                              "puma.c -o selftest && ./selftest";
  CHECK(std::system((compile + " >selftest.txt").c_str()) == 0);
  CHECK(contains(read(path("selftest.txt")), "puma560_jacobian J: largest difference"));
  // the self-test can fail
  write("broken.c", [&] {
    std::string text = source;
    const std::size_t at = text.find("tau[3] = ");
    return text.insert(at + 9, "1e-9 + ");
  }());
  CHECK(
      std::system(("cd '" + folder().string() + "' && cc -DTORSOR_SELF_TEST broken.c -o broken && ./broken >broken.txt")
                      .c_str()) != 0);
  CHECK(contains(read(path("broken.txt")), "FAILED"));
}

TEST_CASE("codegen proves what it made, with polynomials for small arms") {
  const Outcome run = torsor("codegen articulated3 --functions id,coriolis,derivatives --prove --json");
  CHECK(run.code == 0);
  const json proof = json_of(run)["proof"];
  CHECK(proof["holds"] == true);
  CHECK(proof["functions"][0]["generated"] < 1e-13);
  CHECK(proof["functions"][0]["polynomial"] < 1e-12);
  CHECK(!proof["functions"][2].contains("polynomials"));
  const json ik = json_of("codegen ur5 --functions ik --precision float --prove")["proof"];
  CHECK(ik["holds"] == true);
  CHECK(ik["states"] == 100);
  // another wrist, a place alone, and by elimination
  for (const char* arm : {"stanford", "articulated3 --position-only", "xarm6", "gen3"})
    CHECK(json_of(std::string("codegen ") + arm + " --functions ik --prove")["proof"]["holds"] == true);
  CHECK(torsor("codegen two_link --position-only").code == 2);
  const Outcome none = torsor("codegen two_link --prove");
  CHECK(none.code == 0);
}

TEST_CASE("codegen takes a reduced model") {
  REQUIRE(torsor("reduce articulated3 --motion motion3.csv -o reduced3.toml",
                 write("motion3.csv",
                       "t,q1,q2,q3\n0,0,0.1,0.2\n0.1,0.1,0.3,0.1\n0.2,0.3,0.4,0.2\n0.3,0.5,0.4,0.3\n0.4,0.6,0.5,0.3\n0."
                       "5,0.6,0.6,0.3\n"))
              .code == 0);
  const Outcome run = torsor("codegen articulated3 --functions id,mass,gravity --reduced reduced3.toml --prove --json");
  CHECK(run.code == 0);
  CHECK(json_of(run)["proof"]["holds"] == true);
  const Outcome refused = torsor("codegen articulated3 --functions coriolis --reduced reduced3.toml");
  CHECK(refused.code == 1);
  CHECK(tells(refused.err, "codegen-reduced"));
}

TEST_CASE("codegen without a file prints the code, and says what is wrong with what it was asked") {
  const Outcome plain = torsor("codegen two_link --functions gravity --name arm");
  CHECK(plain.code == 0);
  CHECK(contains(plain.out, "void arm_gravity(const double q[2], double tau[2]);"));
  const Outcome wrong = torsor("codegen two_link --functions id,gravty --precision half");
  CHECK(wrong.code == 2);
  CHECK(tells(wrong.err, "option-value"));
  CHECK(torsor("codegen two_link --json").code == 2);
  CHECK(torsor("codegen two_link --header -").code == 2);
  const Outcome ik = torsor("codegen cylindrical3 --functions ik");
  CHECK(ik.code == 1);
  CHECK(tells(ik.err, "codegen-ik"));
  CHECK(torsor("codegen two_link -o /nowhere/x.c").code == 3);
}

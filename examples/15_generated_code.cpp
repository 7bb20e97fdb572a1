// C for a PUMA 560: torques and mass matrix in one file of its own, counted, compiled by the system's compiler and compared
// with the library.
#include <cstdio>
#include <fstream>
#include <torsor/codegen.hpp>
#include <torsor/robot.hpp>

using namespace torsor;

int main() {
  const Robot robot = Robot::load("puma560");

  const CodeSubject subject{.model = &robot.model(), .tool = robot.tool()};
  CodeOptions options;
  options.functions = {CodeFunction::id, CodeFunction::mass};
  options.name = "puma560";
  const auto code = codegen(subject, options);
  if (!code) return 2;
  std::ofstream("puma560.c") << code->source;
  std::ofstream("puma560.h") << code->header;
  for (const GeneratedFunction& f : code->functions)
    std::printf("%s: %d multiplications, %d additions\n", f.name.c_str(), f.count.multiplications, f.count.additions);

  // proven where there is a compiler
  const auto proof = prove_code(*code, subject, options.real, nullptr);
  if (!proof) {
    std::printf("%s\n", to_string(proof.faults()[0]).c_str());
    return 0;
  }
  for (const ProvedFunction& f : proof->functions)
    std::printf("%s: largest difference %.1e of the largest entry\n", f.name.c_str(), f.generated);
  return proof->holds() ? 0 : 1;
}

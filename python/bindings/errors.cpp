#include "python/bindings/errors.hpp"

#include <string_view>

namespace torsor::python {

namespace nb = nanobind;

std::string in_python(std::string sentence) {
  // what the library says of the command, and what it is called here; longer phrases before those they contain
  static constexpr std::pair<std::string_view, std::string_view> phrases[] = {
      {"(torsor convert --tip)", "(ts.command(\"convert\", robot, \"--tip\", LINK))"},
      {"(torsor convert --base)", "(ts.command(\"convert\", robot, \"--tip\", LINK, \"--base\", LINK))"},
      {"(torsor convert --to standard-dh)", "(ts.command(\"convert\", robot, \"--to\", \"standard-dh\"))"},
      {"torsor convert --to standard-dh writes", "ts.command(\"convert\", robot, \"--to\", \"standard-dh\") writes"},
      {"--apply NUMBER writes the robot with a change", "proposals[k].robot is the robot with a change"},
      {"more with --all", "more"},
      {"coefficients with --all", "coefficients"},
      {"--all shows", "the answer has"},
      {"next to --q:", "next to the position that was given:"},
      {"upon it (--every)", "upon it (interval)"},
      {"rests there (--time)", "rests there (time)"},
      {"torsor mechanism mobility says", "ts.command(\"mechanism\", \"mobility\", FILE) says"},
      {"Made by torsor mechanism", "Made by torsor"},
      {"--json has", "the answer has"},
      {"--html has it as a map", "ts.page has it as a map"},
      {"--speeds and --accelerations take others", "speeds and accelerations take others"},
      {"(convert --tip)", "(ts.command(\"convert\", robot, \"--tip\", LINK))"},
      {"the other verbs take robots: torsor show ", "ts.load takes robots: "},
      {"torsor mechanism takes it: torsor mechanism check ", "ts.load_mechanism takes it: "},
      {"torsor structure has no such limit", "ts.structure has no such limit"},
      {"check, show, id, fd and terms take loops, and dynamics in C++, C and Python",
       "dynamics, poses and Jacobians take loops"},
      {"(no --numeric)", "(numeric=False)"},
      {"torsor mechanism check says", "ts.command(\"mechanism\", \"check\", FILE) says"},
      {"ask for more instants (--every)", "ask for more instants (a smaller interval)"},
      {"(--integrator radau)", "(integrator=\"radau\")"},
      {"--through-singular", "through_singular=True"},
      {"torsor inertia gives its links masses from their shapes; fk, ik, path, show, convert, regressor and codegen "
       "--functions fk,jacobian,ik need none",
       "ts.fill_inertia gives its links masses from their shapes; kinematics need none"},
      {"torsor ik says why", "ts.inverse_kinematics says why"},
      {", or torsor ik", ", or ts.inverse_kinematics"},
      {"a smaller --step or --tolerance", "a smaller step or tolerance"},
      {"use a smaller --step", "use a smaller step"},
      {"tighten --tolerance", "tighten tolerance"},
      {"torsor ik has all others", "ts.inverse_kinematics has all others"},
      {"leave --tool out", "leave frame out"},
      {"name a link: torsor show lists them", "name a link: robot.link_names lists them"},
      {"(--tool)", "(robot.chain)"},
      {"chain begin behind it (--base)", "chain begin behind it (robot.chain)"},
      {"--open sheet --thickness 0.002", "open=\"sheet\", thickness=0.002"},
      {"--open closed, hull or sheet", "open=\"closed\", \"hull\" or \"sheet\""},
      {"torsor mechanism takes the file", "ts.load_mechanism takes the file"},
      {"the file is a mechanism: torsor mechanism check FILE", "the file is a mechanism: ts.load_mechanism"},
      {"load_robot does, and torsor convert FILE.xacro FILE.urdf", "ts.load does"},
      {"leave out --arg", "leave out arguments"},
      {"say so: --passive ", "say so in passive: "},
      {"give it: --arg ", "give it in arguments: "},
      {"give it: --env ", "give it in environment: "},
      {"--packages DIR for a folder", "packages=DIR for a folder"},
      {"--packages DIR", "packages=DIR"},
      {"--package NAME=DIR", "packages={NAME: DIR}"},
      {"--package ", "packages "},
      {"torsor check may say why", "ts.check may say why"},
      {"take --precision double", "take precision=\"double\""},
      {"leave --reduced out", "leave reduced out"},
      {"leave --prove out", "leave the proof out"},
      {"--prove", "prove_code"},
      {"as torsor check names them", "as ts.check names them"},
      {"as torsor check prints them", "as ts.check names them"},
      {"name it: torsor path FILE --robot ROBOT, torsor track ROBOT FILE", "name it: ts.read_motion(FILE, robot)"},
      {"torsor reduce -o writes complete files", "ReducedModel.to_toml writes complete files"},
      {"torsor control --write writes complete files", "ts.control(...).toml is a complete file"},
  };
  for (const auto& [shell, python] : phrases)
    if (const std::size_t at = sentence.find(shell); at != std::string::npos)
      sentence.replace(at, shell.size(), python);
  return sentence;
}

nb::object faults_of(const Faults& errors) {
  const nb::object fault = nb::module_::import_("torsor._error").attr("Fault");
  nb::list list;
  for (Fault e : errors) {
    e.offender = in_python(std::move(e.offender));
    e.what = in_python(std::move(e.what));
    e.remedy = in_python(std::move(e.remedy));
    list.append(fault(printable(e.where.file).c_str(), e.where.line, printable(e.offender).c_str(), e.rule.c_str(),
                      printable(e.what).c_str(), printable(e.remedy).c_str(), to_string(e).c_str()));
  }
  return list;
}

void raise(const Faults& errors) {
  const nb::object type = nb::module_::import_("torsor._error").attr("Error");
  const nb::object error = type(faults_of(errors));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      try {
        raise(error.faults());
      } catch (nb::python_error& raised) {
        raised.restore();
      }
    }
  });
}

}  // namespace torsor::python

// Why a run did not come to its end: for programs a word, for people a rule and what to do about it.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace torsor {

enum class RunStop {
  none,
  by_caller,        // who was told of an instant did not want more
  start,            // it does not stand as it should at the start
  function_ends,    // a function of time is no longer a number
  locked,           // no motion does what the drivers ask for
  undetermined,     // it leaves a singular position in which it stood
  drivers_fight,    // several prescribe what can be prescribed once
  driver_jumps,     // the value of a function
  driver_too_fast,  // more steps than anybody waits for between two instants
  energy_made_up,   // far more than there was and was done
  too_stiff,        // the method finds no solution, or numbers without bounds
  no_step           // the error allowed cannot be kept, or numbers have no bounds
};

struct RunStopRow {
  RunStop stop;
  std::string_view rule, remedy;
};

inline constexpr std::array<RunStopRow, 12> run_stops = {{
    {RunStop::none, "", ""},
    {RunStop::by_caller, "run-stopped", "ask for all instants"},
    {RunStop::start, "simulation-stop", "torsor mechanism check says what is wrong with the start"},
    {RunStop::function_ends, "function-ends", "give one that goes on, or end the run before"},
    {RunStop::locked, "mechanism-locked", "change lengths or the function of the driver, or end the run before"},
    {RunStop::undetermined, "branch-undetermined",
     "let the drivers stop a little before that position, or end the run there"},
    {RunStop::drivers_fight, "drivers-fight", "leave one of them out, or let them agree"},
    {RunStop::driver_jumps, "driver-jumps", "give a function without jumps, or end the run before"},
    {RunStop::driver_too_fast, "driver-too-fast",
     "end the run before a pole of the function, let it go slower, or ask for more instants (--every)"},
    {RunStop::energy_made_up, "energy-made-up",
     "use a smaller --step or --tolerance, or the integrator radau where stops or springs are stiff"},
    {RunStop::too_stiff, "too-stiff",
     "use the integrator radau (--integrator radau), which is made for stiff mechanisms"},
    {RunStop::no_step, "simulation-stop",
     "end the run before, or change what moves it; smaller tolerances or steps, or --through-singular, may pass a "
     "singular "
     "position"},
}};

/// The row of that reason.
constexpr const RunStopRow& run_stop(RunStop stop) {
  for (const RunStopRow& row : run_stops)
    if (row.stop == stop) return row;
  return run_stops.front();
}

/// How a run ended.
struct MechanismRunEnd {
  bool finished = false;
  double t = 0;     // s: where
  std::string why;  // it did not finish
  RunStop stop = RunStop::none;
  int block = -1;          // whose equations stopped it, if that is known
  std::string stopped_by;  // the same by its name
};

}  // namespace torsor

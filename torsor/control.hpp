// ControlLaw, the catalogue of control laws, and ControlExperiment, a run that compares them.
#pragma once

#include "torsor/control/control_law.hpp"
#include "torsor/control/experiment.hpp"
#include "torsor/simulate/control_run.hpp"

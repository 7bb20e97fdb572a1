// Room: what the equations of motion look like.
#pragma once

#include "torsor/structure/axis_facts.hpp"
#include "torsor/structure/coefficient.hpp"
#include "torsor/structure/coupling.hpp"
#include "torsor/structure/exact_model.hpp"
#include "torsor/structure/exact_robot.hpp"
#include "torsor/structure/exact_round.hpp"
#include "torsor/structure/exact_structure.hpp"
#include "torsor/structure/majorant.hpp"
#include "torsor/structure/reasons.hpp"
#include "torsor/structure/structure_answer.hpp"
#include "torsor/structure/structure_table.hpp"
#include "torsor/structure/workspace_survey.hpp"

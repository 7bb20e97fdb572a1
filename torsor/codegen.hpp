// Everything of torsor/codegen.
#pragma once

#include "torsor/codegen/c_functions.hpp"
#include "torsor/codegen/c_statements.hpp"
#include "torsor/codegen/code_subject.hpp"
#include "torsor/codegen/code_passes.hpp"
#include "torsor/codegen/code_rounding.hpp"
#include "torsor/codegen/generate.hpp"
#include "torsor/codegen/prove.hpp"

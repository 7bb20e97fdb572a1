// Report: tables, figures and verdicts, as an HTML page.
#pragma once

#include "torsor/report/report.hpp"

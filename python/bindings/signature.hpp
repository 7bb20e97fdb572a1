// Signatures of functions of states, as help() and the type stubs show them.
#pragma once

// clang-format off
#define TORSOR_STATE "numpy.typing.ArrayLike"
#define TORSOR_OPTIONAL_STATE "numpy.typing.ArrayLike | None = None"
#define TORSOR_ARRAY "numpy.typing.NDArray[typing.Any]"
/// The arguments that all of them end with, and one array as the answer.
#define TORSOR_OUT "out: numpy.typing.NDArray[typing.Any] | None = None, threads: int = 0) -> " TORSOR_ARRAY
/// The same for those that take loads.
#define TORSOR_LOADS "loads: torsor._loads.Loads | None = None"
#define TORSOR_OUT_LOADS "out: numpy.typing.NDArray[typing.Any] | None = None, threads: int = 0, " TORSOR_LOADS ") -> " TORSOR_ARRAY
/// Several arrays as the answer.
#define TORSOR_OUTS(tuple) "out: " tuple " | None = None, threads: int = 0) -> " tuple
#define TORSOR_OUTS_LOADS(tuple) "out: " tuple " | None = None, threads: int = 0, " TORSOR_LOADS ") -> " tuple
/// Of those that can leave states out: with return_valid, a pair of the answer and a bool for each state (the stubs have
/// that as an overload: stub_patterns.nb).
#define TORSOR_VALID(answer) "return_valid: bool = False) -> " answer
#define TORSOR_OUT_LOADS_VALID(out, answer) "out: " out " | None = None, threads: int = 0, " TORSOR_LOADS ", " TORSOR_VALID(answer)
#define TORSOR_TUPLE2 "tuple[" TORSOR_ARRAY ", " TORSOR_ARRAY "]"
#define TORSOR_TUPLE3 "tuple[" TORSOR_ARRAY ", " TORSOR_ARRAY ", " TORSOR_ARRAY "]"
#define TORSOR_TUPLE4 "tuple[" TORSOR_ARRAY ", " TORSOR_ARRAY ", " TORSOR_ARRAY ", " TORSOR_ARRAY "]"
// clang-format on

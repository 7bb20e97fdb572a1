"""What functions of the extension module lack beside those of Python: a signature for `inspect`, a place in `help`, a pickle; and classes a signature."""

from __future__ import annotations

import copyreg
import inspect
from functools import reduce
from typing import Any

from . import _torsor
from ._command import Page
from ._error import RobotWarning, RowWarning, RunWarning

_FUNCTION: Any = type(_torsor.load)
_METHOD: Any = type(_torsor.Robot.to_toml)
_BOUND: Any = type(_torsor.load("two_link").to_toml)


def signature(function: Any) -> inspect.Signature:
    """The signature of a function, from the line that its help begins with."""
    line, _, defaults = function.__nb_signature__[0]
    for k in range(len(defaults or ())):
        line = line.replace("\\0", f"_defaults[{k}]", 1)
    names: dict[str, Any] = {"_defaults": defaults}
    exec(compile(f"from __future__ import annotations\n{line}: ...", "<signature>", "exec"), names)
    return inspect.signature(names[function.__name__])


def _bound_signature(method: Any) -> inspect.Signature:
    whole = signature(getattr(type(method.__self__), method.__name__))
    return whole.replace(parameters=list(whole.parameters.values())[1:])


def remake(path: str, arguments: tuple[Any, ...]) -> Any:
    """What `path(*arguments)` gave: path is a function of the package, or a method of one of its classes."""
    return reduce(getattr, path.split("."), _torsor)(*arguments)  # type: ignore[operator]


def rebuild(kind: Any, state: tuple[object, ...]) -> Any:
    """An object of the class with what its __getstate__ gave."""
    made = kind.__new__(kind)
    made.__setstate__(state)
    return made


def _by_name(function: Any) -> str:
    return str(function.__qualname__)  # to pickle a str is a global name


def _by_owner(method: Any) -> tuple[Any, tuple[object, str]]:
    return getattr, (method.__self__, method.__name__)


def complete() -> None:
    """Gives them all that. The types are our own (NB_DOMAIN), and nanobind leaves them without."""
    give = _torsor._give  # type: ignore[attr-defined]
    give(_FUNCTION, "__signature__", property(signature))
    give(_METHOD, "__signature__", property(signature))
    give(_BOUND, "__signature__", property(_bound_signature))
    # a class whose objects come from functions has no arguments of its own; Python does not know those of str and Warning
    text = inspect.Parameter("text", inspect.Parameter.POSITIONAL_ONLY, default="", annotation=str)
    for kind in (*vars(_torsor).values(), Page, RobotWarning, RowWarning, RunWarning):
        if not inspect.isclass(kind):
            continue
        try:
            inspect.signature(kind)
        except ValueError:
            ours = kind.__module__ == _torsor.__name__
            setattr(kind, "__signature__", inspect.Signature([] if ours else [text]))
    # to pydoc a routine is what can be bound; a function is not, and stays itself
    give(_FUNCTION, "__get__", lambda function, owner, kind=None: function)
    copyreg.pickle(_FUNCTION, _by_name)
    copyreg.pickle(_METHOD, _by_name)
    copyreg.pickle(_BOUND, _by_owner)

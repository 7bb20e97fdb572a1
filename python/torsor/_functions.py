"""What functions of the extension module lack beside those of Python: a signature for `inspect`, a place in `help`, a pickle."""

from __future__ import annotations

import copyreg
import inspect
from functools import reduce
from typing import Any

from . import _torsor

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
    # to pydoc a routine is what can be bound; a function is not, and stays itself
    give(_FUNCTION, "__get__", lambda function, owner, kind=None: function)
    copyreg.pickle(_FUNCTION, _by_name)
    copyreg.pickle(_METHOD, _by_name)
    copyreg.pickle(_BOUND, _by_owner)

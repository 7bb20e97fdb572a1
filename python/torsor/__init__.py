"""Torsor: dynamics of robot arms and mechanisms.

>>> import torsor as ts
>>> robot = ts.load("puma560")
>>> ts.inverse_dynamics(robot, [0, 0.8, 3.1, 0, 0.8, 0]).shape
(6,)

Every function takes NumPy arrays (or lists) whose last axis is a state and whose leading axes are states, and gives
arrays of the same leading axes. Units are SI and radians.
"""

from ._answers import BaseParameters, MotionTerms, Parameter
from ._error import Error, Fault, RobotWarning
from ._torsor import *  # noqa: F403
from ._torsor import __version__ as __version__

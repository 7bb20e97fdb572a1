"""What the tests share: robots, and random states of them."""

import numpy as np
import pytest
import torsor as ts


def states(robot, count, seed=1, dtype=np.float64):
    """q, qd, qdd of count random states; quaternions of unit length."""
    random = np.random.default_rng(seed)
    q = random.uniform(-2, 2, (count, robot.nq))
    start = 0
    for kind in robot.kinds:
        if kind in ("spherical", "free"):
            e = slice(start, start + 4)
            q[:, e] /= np.linalg.norm(q[:, e], axis=1, keepdims=True)
        start += {"fixed": 0, "planar": 3, "spherical": 4, "free": 7}.get(kind, 1)
    qd, qdd = random.uniform(-2, 2, (2, count, robot.nv))
    return q.astype(dtype), qd.astype(dtype), qdd.astype(dtype)


def close(a, b, tolerance=1e-12):
    """Equal to rounding, measured by the largest entry."""
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    scale = max(1.0, float(np.max(np.abs(b), initial=0)))
    return float(np.max(np.abs(a - b), initial=0)) <= tolerance * scale


@pytest.fixture(scope="session")
def puma():
    return ts.load("puma560")


@pytest.fixture(scope="session")
def robots():
    return {name: ts.load(name) for name in ts.robots()}

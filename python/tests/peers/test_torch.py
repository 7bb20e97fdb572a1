"""torsor.torch: values beside torsor itself, derivatives by torch's own checks. torch is not among the packages of this
environment, being four times as large as all of them: it is tested where it is installed."""

import numpy as np
import pytest
import torsor as ts

torch = pytest.importorskip("torch", reason="torch (4 GB with what it brings) is not installed here: pip install torch into build/python-peers/venv")
from torch.autograd import gradcheck, gradgradcheck  # noqa: E402
import torsor.torch as tt  # noqa: E402

ROBOTS = ["puma560", "stanford", "two_arm", "floating"]


def states(robot, count, seed=1, grad=True):
    random = np.random.default_rng(seed)
    q = np.array([ts.random_position(robot, seed=seed + k) for k in range(count)])
    return [torch.tensor(x, requires_grad=grad) for x in (q, *random.uniform(-1, 1, (2, count, robot.nv)))]


@pytest.mark.parametrize("name", ROBOTS)
def test_values_and_gradients(name):
    robot = ts.load(name)
    q, qd, a = states(robot, 3)
    np.testing.assert_allclose(tt.inverse_dynamics(robot, q, qd, a).detach(), ts.inverse_dynamics(robot, *(x.detach().numpy() for x in (q, qd, a))))
    assert gradcheck(lambda *x: tt.inverse_dynamics(robot, *x), (q, qd, a), check_forward_ad=True)
    assert gradcheck(lambda *x: tt.forward_dynamics(robot, *x), (q, qd, a), atol=1e-4, check_forward_ad=True)
    assert gradcheck(lambda x: tt.mass_matrix(robot, x), (q,))
    assert gradcheck(lambda x: tt.frame_pose(robot, x), (q,))
    with torch.no_grad():
        np.testing.assert_allclose(tt.mass_matrix(robot, q), ts.mass_matrix(robot, q.numpy()))


@pytest.mark.parametrize("name", ["puma560", "floating"])
def test_double_backward(name):
    robot = ts.load(name)
    x = states(robot, 2)
    assert gradgradcheck(lambda *x: tt.inverse_dynamics(robot, *x), x, atol=1e-4)
    assert gradgradcheck(lambda *x: tt.forward_dynamics(robot, *x), x, atol=1e-3)


def test_transformations_of_functions():
    robot = ts.load("puma560")
    q, qd, a = states(robot, 4, grad=False)
    f = lambda q, qd, a: tt.inverse_dynamics(robot, q, qd, a)
    torch.testing.assert_close(torch.func.vmap(f)(q, qd, a), f(q, qd, a))
    exact = ts.inverse_derivatives(robot, q[0].numpy(), qd[0].numpy(), a[0].numpy())
    for given, matrix in zip(torch.func.jacrev(f, (0, 1, 2))(q[0], qd[0], a[0]), exact):
        np.testing.assert_allclose(given, matrix, rtol=1e-10, atol=1e-10)
    for given, matrix in zip(torch.func.jacfwd(f, (0, 1, 2))(q[0], qd[0], a[0]), exact):
        np.testing.assert_allclose(given, matrix, rtol=1e-10, atol=1e-10)


def test_memory_is_shared_and_faults_are_named():
    robot = ts.load("puma560")
    q = torch.zeros(5, 6, dtype=torch.float64)
    assert np.shares_memory(tt._array(q), q.numpy())
    assert tt.inverse_dynamics(robot, q.float()).dtype == torch.float32
    with pytest.raises(ValueError, match=r"q has shape \(5, 5\); expected"):
        tt.inverse_dynamics(robot, q[:, :5])
    with pytest.raises(TypeError, match="expected torch.float64"):
        tt.inverse_dynamics(robot, q.int())
    x = q[0].clone().requires_grad_()
    (g,) = torch.autograd.grad(tt.inverse_dynamics(robot, x).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    with pytest.raises(NotImplementedError, match="third derivatives"):
        torch.autograd.grad(h.sum(), x)

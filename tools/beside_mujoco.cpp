// The run of `torsor bench ROBOT --simulate` in MuJoCo: the same swing, gains, rate and step, its control by mj_rne in
// C, called back in the middle of the first stage of a step, so that nothing is computed twice. Prints a row per
// integrator as `torsor bench --beside` reads it. Built and run by tools/beside-mujoco; no part of the library.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

constexpr double way = 0.5, w = 3.14159265358979323846, duration = 2, period = 1e-3, stiffness = 400, damping = 40;
std::vector<double> middle;
double worst = 0;
bool due = false;  // the control is sampled at the start of a step and held

void control(const mjModel* m, mjData* d) {
  if (!due) return;
  due = false;
  const double s = way * std::sin(w * d->time), sd = way * w * std::cos(w * d->time), sdd = -w * w * s;
  for (int k = 0; k < m->nv; ++k) {
    const double e = middle[k] + s - d->qpos[k];
    worst = std::max(worst, std::fabs(e));
    d->qacc[k] = sdd + damping * (sd - d->qvel[k]) + stiffness * e;
  }
  mj_rne(m, d, 1, d->qfrc_applied);
  for (int k = 0; k < m->nv; ++k) d->qfrc_applied[k] += m->dof_armature[k] * d->qacc[k] - d->qfrc_passive[k];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof error);
  if (!m) return std::fprintf(stderr, "%s\n", error), 1;
  // nothing but the mechanics: no contacts, no limits, no friction solver
  m->opt.timestep = period;
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
  mjData* d = mj_makeData(m);
  for (int k = 3; k < argc; ++k) middle.push_back(std::atof(argv[k]));
  if (static_cast<int>(middle.size()) != m->nv)
    return std::fprintf(stderr, "%d middles for %d joints\n", argc - 3, static_cast<int>(m->nv)), 2;
  mjcb_control = control;
  const struct {
    const char* name;
    int integrator;
  } methods[] = {{"Euler", mjINT_EULER}, {"implicitfast", mjINT_IMPLICITFAST}, {"RK4", mjINT_RK4}};
  for (const auto& method : methods) {
    m->opt.integrator = method.integrator;
    double best = 0;
    for (int run = 0; run < std::atoi(argv[2]); ++run) {
      mj_resetData(m, d);
      for (int k = 0; k < m->nv; ++k) d->qpos[k] = middle[k], d->qvel[k] = way * w;
      worst = 0;
      const std::clock_t start = std::clock();
      for (int step = 0; step < static_cast<int>(duration / period + 0.5); ++step) {
        due = true;
        mj_step(m, d);
      }
      best = std::max(best, duration / (static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC));
    }
    std::printf("MuJoCo %s %s, steps of 1 ms\t%.17g\t%.17g\n", mj_versionString(), method.name, best, worst);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A PUMA 560 whose file is wrong by a few kilograms: its parameters from a record of its motion, and how sure they are.
#include <cmath>
#include <cstdio>
#include <random>
#include <torsor/torsor.hpp>

using namespace torsor;

int main() {
  const Robot truth = Robot::load("puma560_drives");
  Description guess = truth.description();
  guess.links[1].parts[0].mass += 3;
  guess.links[2].friction->viscous *= 2;
  const Robot file(guess);

  // twelve seconds of sines of four frequencies at every joint, the torques with noise of 0.1 N m
  std::mt19937_64 engine(1);
  std::normal_distribution<double> noise(0, 0.1);
  Dynamics arm(truth);
  std::vector<TorqueSample> record;
  for (double t = 0; t < 12; t += 0.01) {
    TorqueSample now{std::vector<double>(6), std::vector<double>(6), std::vector<double>(6), std::vector<double>(6)};
    for (int j = 0; j < 6; ++j)
      for (int k = 1; k <= 4; ++k) {
        const double rate = 1.3 * k, angle = rate * t + 0.7 * j * k + k, size = 0.5 / k;
        now.q[j] += size * std::sin(angle);
        now.qd[j] += size * rate * std::cos(angle);
        now.qdd[j] -= size * rate * rate * std::sin(angle);
      }
    arm.inverse(now.q, now.qd, now.qdd, now.tau);
    for (double& tau : now.tau) tau += noise(engine);
    record.push_back(now);
  }

  const auto found = identify(file.model(), file_parameters(file.model()), record);
  if (!found || !found->unexcited.empty()) return 1;
  const GroupTexts texts = group_texts(guess, file.model(), found->base);
  for (int k = 0; k < found->count(); ++k)
    if (found->deviation[k] < 0.02 * std::abs(found->value[k]))
      std::printf("%9.4f ± %.4f  (file %9.4f)  %s\n", found->value[k], found->deviation[k], found->file[k],
                  texts.combinations[k].c_str());
  double worst = 0;
  for (const JointFit& joint : found->joints) worst = std::fmax(worst, joint.noise);
  std::printf("condition %.0f; noise of the joints up to %.3f N m\n", found->condition, worst);
  return std::abs(worst - 0.1) < 0.02 ? 0 : 1;
}

/* A stranger's first program in C, seeing only what was installed: the weight of a level arm on its last joint. */
#include <stdio.h>
#include <torsor/torsor.h>

int main(void) {
  torsor_robot* arm;
  if (torsor_load("two_link", &arm) != TORSOR_OK) return fprintf(stderr, "%s\n", torsor_error_message()), 2;
  double q[2] = {0, 0}, tau[2] = {0, 0};
  const torsor_status status = torsor_gravity(arm, q, tau);
  printf("Torsor %s: %s, held level: %g %g N m\n", torsor_version(), torsor_name(arm), tau[0], tau[1]);
  torsor_free(arm);
  const double error = tau[1] - 9.8062 * 0.85 * 2.3 / 2;
  return status == TORSOR_OK && -1e-12 < error && error < 1e-12 ? 0 : 1;
}

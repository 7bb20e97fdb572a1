// A mimic joint is a linear map G from the coordinates there are to those there would be.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("mimic joints reduce tau to G^T tau, M to G^T M G and C to G^T C G") {
  Random random(6000);
  int mimicking = 0;
  for (int k = 0; k < draws(70); ++k) {
    const Description d =
        random_robot(random, {.links = 4 + random.below(10), .rotors = true, .friction = true, .mimics = true})
            .description;
    Description free_description = d;
    for (LinkDescription& link : free_description.links) link.mimic.reset();
    const Model<double> reduced = built(d), full = built(free_description);
    const std::size_t n = static_cast<std::size_t>(reduced.nv), N = static_cast<std::size_t>(full.nv);
    if (n == 0) continue;
    mimicking += n < N;

    // G and the offsets, from the description alone: follow the masters by name
    const State state = random_state(random, reduced);
    Numbers G(N * n, 0.0), q(static_cast<std::size_t>(full.nq));
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      const LinkDescription* link = &d.links[i];
      double ratio = 1, offset = 0;
      while (link->mimic) {
        offset += ratio * link->mimic->offset;
        ratio *= link->mimic->ratio;
        link = &*std::find_if(d.links.begin(), d.links.end(),
                              [&](const LinkDescription& l) { return l.joint_name == link->mimic->joint; });
      }
      const Body<double>&b = full[full.body_index(d.links[i].name)], &master = reduced[reduced.body_index(link->name)];
      for (int c = 0; c < row(b.kind).nv; ++c)
        G[static_cast<std::size_t>(b.v + c) * n + static_cast<std::size_t>(master.v + c)] = ratio;
      for (int c = 0; c < row(b.kind).nq; ++c) q[b.q + c] = ratio * state.q[master.q + c] + offset;
    }
    const Numbers Gt = transposed(G, n), qd = times(G, state.qd), qdd = times(G, state.qdd);

    const Numbers tau = inverse(full, q, qd, qdd), M = mass_matrix(full, q), C = coriolis(full, q, qd);
    CHECK(relative(inverse(reduced, state.q, state.qd, state.qdd), times(Gt, tau)) < 1e-12);
    CHECK(relative(mass_matrix(reduced, state.q), product(Gt, product(M, G, n), n)) < 1e-13);
    CHECK(difference(coriolis(reduced, state.q, state.qd), product(Gt, product(C, G, n), n)) <
          1e-12 * (1 + largest(C)));
    CHECK(difference(friction(reduced, state.q, state.qd), times(Gt, friction(full, q, qd))) <
          1e-13 * (1 + largest(qd)));
  }
  CHECK(mimicking > draws(30));
}

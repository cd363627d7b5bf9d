// SPDX-License-Identifier: MIT
// Two methods that race on two threads, beside the slower of them alone.
#include <fmt/core.h>

#include <algorithm>

#include <graze/ask/collide.hpp>
#include <graze/mesh/make.hpp>

#include "harness/clock.hpp"
#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

/// B is `away` from A, and turned.
struct Pair {
  std::string_view shapes;
  Body a, b;
  double away;
  Status expected;

  std::function<std::string()> asking(std::string_view method, int threads) const {
    CollideOptions options;
    options.method = method;
    options.threads = threads;
    return [*this, options] {
      const CollideResult r = collide(a, Pose(), b, Pose({away, 0, 0}, {1, 0.1, 0.2, 0.3}), options);
      // A plane alone is never certain of a contact.
      const bool right =
          r.status == expected || (options.method == "separating_plane" && r.status == Status::undecided);
      return right ? std::string() : fmt::format("{} instead of {}", name(r.status), name(expected));
    };
  }
  /// The method that takes longer by itself.
  std::string_view slower() const {
    double seconds[2];
    constexpr std::string_view methods[2] = {"tree", "separating_plane"};
    for (int m = 0; m < 2; ++m) {
      const auto ask = asking(methods[m], 1);
      ask();
      seconds[m] = 1e30;
      for (int i = 0; i < 5; ++i) {
        const double start = wall_seconds();
        ask();
        seconds[m] = std::min(seconds[m], wall_seconds() - start);
      }
    }
    return methods[seconds[1] > seconds[0]];
  }
};

}  // namespace

void row_cliff_dual(Context& context) {
  const std::size_t many = context.quick ? 2000 : 20000;
  const Body box(make::box()), sphere(make::sphere({.triangles = many})), knot(make::torus_knot({.triangles = many})),
      shell(make::sphere({.radius = context.quick ? 1.1 : 1.003, .triangles = many}));
  std::vector<Cliff> cliffs;
  for (const Pair& pair :
       {Pair{"boxes", box, box, 1.5, Status::free}, Pair{"boxes", box, box, 0.5, Status::contact},
        Pair{"spheres", sphere, sphere, 2.05, Status::free}, Pair{"spheres", sphere, sphere, 1.9, Status::contact},
        Pair{"torus knots", knot, knot, 0.1, Status::contact},
        Pair{"spheres, one in the other,", sphere, shell, 0, Status::free}}) {
    const std::string_view alone = pair.slower();
    cliffs.push_back({fmt::format("two {} {:g} from each other", pair.shapes, pair.away), 1, pair.asking("dual", 2),
                      pair.asking(alone, 1), fmt::format("{} alone", alone), true});
  }
  compare_cliffs(context, "dual", cliffs);
}

}  // namespace graze::bench

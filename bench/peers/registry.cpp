// SPDX-License-Identifier: MIT
#include "peers/peers.hpp"

namespace graze::bench {
namespace {

constexpr Peer kPeers[] = {
#ifdef GRAZE_BENCH_FCL
    {"FCL", "libfcl-dev", enter_fcl_mesh},     {"FCL convex", "libfcl-dev", enter_fcl_convex},
#else
    {"FCL", "libfcl-dev"},
#endif
#ifdef GRAZE_BENCH_CCD
    {"libccd", "libccd-dev", enter_libccd},
#else
    {"libccd", "libccd-dev"},
#endif
#ifdef GRAZE_BENCH_ODE
    {"ODE", "libode-dev", enter_ode},
#else
    {"ODE", "libode-dev"},
#endif
#ifdef GRAZE_BENCH_BULLET
    {"Bullet", "libbullet-dev", enter_bullet},
#else
    {"Bullet", "libbullet-dev"},
#endif
#ifdef GRAZE_BENCH_CGAL
    {"CGAL", "libcgal-dev", enter_cgal},
#else
    {"CGAL", "libcgal-dev"},
#endif
#ifdef GRAZE_BENCH_EMBREE
    {"Embree", "libembree-dev", enter_embree},
#else
    {"Embree", "libembree-dev"},
#endif
};

}  // namespace

std::span<const Peer> peers() { return kPeers; }

Meets meets(const Mesh& a, const Mesh& b) {
#ifdef GRAZE_BENCH_FCL
  return fcl_meets(a, b);
#else
  return graze_meets(a, b);
#endif
}

#ifndef GRAZE_BENCH_FCL
PeerFirstContact fcl_first_contact(const Mesh&, const Mesh&, double) { return {}; }
#endif

#ifndef GRAZE_BENCH_CGAL
std::optional<bool> exactly_meet(const Scene&, std::size_t, const IdPair&) { return std::nullopt; }
#endif

}  // namespace graze::bench

// SPDX-License-Identifier: MIT
#include "engine/first_contact/certificate.hpp"

#include "engine/proof/certificate.hpp"

namespace graze::engine::first_contact {

std::optional<Certificate> write_certificate(const Flight& f, const proof::Proof& proof, double until) {
  if (!proof::can_be_stated(f.motion_a, f.motion_b)) return std::nullopt;
  Certificate c;
  c.until = until;
  // Version 2 tells a checker in advance that there are turning directions, which version 1 does not have; version 3
  // states a separation.
  const int version = f.stated_separation > 0 ? 3 : proof.turns() ? 2 : 1;
  c.text = proof::certificate_head(version, f.motion_a, f.motion_b, until, f.stated_separation);
  proof::append_triangles(c.text, "a", f.a);
  proof::append_triangles(c.text, "b", f.b);
  c.text += "proof\n" + proof.text(until) + "end\n";
  return c;
}

}  // namespace graze::engine::first_contact

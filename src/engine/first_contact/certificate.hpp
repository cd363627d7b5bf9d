// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/pair/method.hpp"
#include "engine/proof/proof.hpp"

namespace graze::engine::first_contact {

/// The proof as docs/certificates.md has it; none for motions that the format has no words for.
std::optional<Certificate> write_certificate(const Flight& flight, const proof::Proof& proof, double until);

}  // namespace graze::engine::first_contact

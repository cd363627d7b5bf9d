// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/pair/method.hpp"
#include "engine/proof/proof.hpp"

namespace graze::engine::first_contact {

/// The proof in the format of docs/certificates.md; none for motions that the format cannot express.
std::optional<Certificate> write_certificate(const Flight& flight, const proof::Proof& proof, double until);

}  // namespace graze::engine::first_contact

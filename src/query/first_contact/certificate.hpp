// SPDX-License-Identifier: MIT
#pragma once

#include "query/first_contact/method.hpp"
#include "query/first_contact/proof.hpp"

namespace graze::query {

/// The proof as docs/certificates.md has it; none for motions that the format has no words for.
std::optional<Certificate> write_certificate(const Flight& flight, const Proof& proof, double until);

}  // namespace graze::query

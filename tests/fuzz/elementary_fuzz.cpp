// SPDX-License-Identifier: MIT
// An elementary query made from the input's bytes: directed advancement against exact arithmetic. No contact is missed
// or reported late, the tolerance is kept, and the number of steps is small.
#include <cstdint>
#include <cstdlib>

#include <graze/ask/elementary.hpp>

#include "fuzz/fuzz_input.hpp"

namespace {

using namespace graze;
using fuzz::require;

/// Small integers, which give exact contacts; sometimes neighbouring doubles, or any double.
double number(fuzz::Bytes& in) {
  const std::uint8_t b = in.byte();
  if (b < 240) return fuzz::small_whole(b, 4);
  return b < 250 ? fuzz::small_whole(b, 4) * (1 + 0x1p-52 * in.byte()) : in.any_double();
}
using Input = fuzz::Numbers<number>;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  ElementaryQuery q;
  const std::uint8_t how = in.byte();
  q.kind = static_cast<ElementaryKind>(how % 4);
  for (Vec3& p : q.start) p = in.vector();
  for (std::size_t i = 0; i < 4; ++i) q.end[i] = (how >> (4 + i) & 1) != 0 ? q.start[i] : in.vector();
  const ElementaryResult r = elementary_contact(q);
  ElementaryOptions options;
  options.method = "exact";
  const ElementaryResult truth = elementary_contact(q, options);
  require((r.status == Status::invalid_request) == (truth.status == Status::invalid_request));
  if (r.status == Status::invalid_request) return 0;
  require(r.steps <= 100000);
  if (truth.status != Status::free) require(r.status != Status::free && r.time.safe <= truth.time.touch);
  require((r.status == Status::touching_at_start) == (truth.status != Status::free && truth.time.touch == 0));
  if (r.status == Status::contact) require(r.gap <= r.tolerance);
  options = {};
  options.exact = true;
  require((elementary_contact(q, options).status == Status::free) == (truth.status == Status::free));
  return 0;
}

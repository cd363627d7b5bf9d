// SPDX-License-Identifier: MIT
// An elementary query made from the input's bytes: directed advancement against exact arithmetic. Nothing is missed or
// late, the tolerance is kept, and few steps are taken.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <graze/query/elementary.hpp>

namespace {

using namespace graze;

/// Takes numbers from the bytes; zeros when they run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  /// Small whole numbers, which meet exactly; now and then their neighbours, or any double.
  double number() {
    const std::uint8_t b = byte();
    const double small = static_cast<int>(b % 9) - 4;
    if (b < 240) return small;
    if (b < 250) return small * (1 + 0x1p-52 * byte());
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
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

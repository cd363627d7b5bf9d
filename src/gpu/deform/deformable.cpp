// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <graze/gpu/deform.hpp>

#include "core/fp_guard.hpp"
#include "gpu/deform/features.hpp"
#include "gpu/deform/step.hpp"

namespace graze::gpu {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

ErrorDetail problem(ErrorCode code, const char* element, std::string message, std::uint64_t id = ErrorDetail::none) {
  ErrorDetail e;
  e.code = code;
  e.element = element;
  e.message = std::move(message);
  e.id = id;
  return e;
}

std::optional<ErrorDetail> positions_problem(std::size_t count, std::size_t vertices) {
  if (count == vertices) return std::nullopt;
  return problem(
      ErrorCode::bad_option, "positions",
      "there must be as many positions as vertices: " + std::to_string(vertices) + ", not " + std::to_string(count));
}
ErrorDetail not_finite(std::uint64_t vertex) {
  return problem(ErrorCode::not_finite, "vertex", "the coordinates of a position must be finite numbers", vertex);
}
std::optional<ErrorDetail> positions_problem(std::span<const Vec3> positions, std::size_t vertices) {
  if (auto wrong = positions_problem(positions.size(), vertices)) return wrong;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!is_finite(positions[i])) return not_finite(i);
  return std::nullopt;
}
std::optional<ErrorDetail> positions_problem(const DevicePositions& positions, std::size_t vertices) {
  if (auto wrong = positions_problem(positions.count, vertices)) return wrong;
  if (vertices > 0 && !positions.xyz)
    return problem(ErrorCode::bad_option, "positions", "the positions are at a null pointer");
  return std::nullopt;
}

template <class Options>
std::optional<ErrorDetail> options_problem(const Options& o) {
  const auto bad = [](const char* option, const char* message) {
    return problem(ErrorCode::bad_option, option, message);
  };
  if (!(o.min_separation >= 0 && std::isfinite(o.min_separation)))
    return bad("option min_separation", "the minimum separation must be a finite distance, 0 or more");
  if (o.tolerance && !(*o.tolerance > 0 && std::isfinite(*o.tolerance)))
    return bad("option tolerance", "a tolerance must be a finite distance greater than 0");
  if (o.threads < 1 || o.threads > 1024) return bad("option threads", "there are 1 to 1024 threads");
  if (o.work > 0 || o.budget || o.cancel.flag())
    return problem(ErrorCode::unsupported, "option",
                   "a step on the GPU cannot be limited: ask without work, budget and cancel, or on the CPU");
  return std::nullopt;
}
std::optional<ErrorDetail> exact_problem(const DeformOptions& o) {
  if (!o.exact || o.min_separation == 0) return std::nullopt;
  return problem(ErrorCode::unsupported, "option exact",
                 "exact answers are about touching: ask without a minimum separation");
}

void refuse(DeformResult& r, ErrorDetail detail) {
  r.status = Status::invalid_request;
  r.error = std::move(detail);
}
void refuse(StepSize& r, ErrorDetail detail) {
  r.status = Status::invalid_request;
  r.time = {0, not_a_number};
  r.error = std::move(detail);
}

/// A power of two that brings these coordinates near 1 where they are far from what floats can hold.
double unit_of(std::span<const Vec3> positions) {
  double largest = 0;
  for (const Vec3& p : positions)
    for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, std::fabs(p[axis]));
  if (largest == 0 || (largest > 0x1p-40 && largest < 0x1p60)) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1022, 1023));
}

DeformContact as_contact(const StepContact& c) {
  return {c.kind == 0 ? ElementaryKind::vertex_face : ElementaryKind::edge_edge,
          {c.vertices[0], c.vertices[1], c.vertices[2], c.vertices[3]},
          {c.safe, c.touch},
          c.gap,
          c.at_start != 0};
}

bool earlier(const DeformContact& x, const DeformContact& y) {
  if (x.time.touch != y.time.touch) return x.time.touch < y.time.touch;
  return x.kind != y.kind ? x.kind < y.kind : x.vertices < y.vertices;
}

}  // namespace

struct Deformable::Data {
  Data(const Mesh& m, void* stream)
      : mesh(m),
        positions(m.positions().begin(), m.positions().end()),
        step(stream),
        features(list_features(m, positions)) {
    step.set_features(features, positions.size());
    step.set_frame(positions);
    set_start(positions);
  }

  Mesh mesh;
  std::vector<Vec3> positions;  ///< the current ones, if `known`
  bool known = true;
  StepOnDevice step;
  Features features;
  std::optional<DeformFilter> filter;
  StepWork work;

  /// What the host is asked for: triangles that cross at the start, and parting features. Made when it is needed.
  std::optional<graze::Deformable> host;
  std::optional<DeformResult> crossings[2];  ///< at the present start, without and with `self`

  void set_start(std::span<const Vec3> next) {
    const Stream& stream = step.stream();
    stream.copy_to_device(step.start(), next.data(), next.size_bytes());
    stream.wait();  // the caller may change them
    if (next.data() != positions.data()) positions.assign(next.begin(), next.end());
    known = true;
    step.set_unit(unit_of(positions));
    forget_start();
  }
  void set_start(DevicePositions next) {
    step.stream().copy_on_device(step.start(), next.xyz, next.count * sizeof(Vec3));
    known = false;
    forget_start();
  }
  void forget_start() { crossings[0].reset(), crossings[1].reset(); }

  std::span<const Vec3> start_on_host() {
    if (!known) {
      step.stream().copy_to_host(positions.data(), step.start(), positions.size() * sizeof(Vec3));
      step.stream().wait();
      known = true;
    }
    return positions;
  }
  graze::Deformable& on_host() {
    if (!host) {
      host.emplace(mesh);
      if (filter) host->set_filter(*filter);
    }
    host->set_positions(start_on_host());
    return *host;
  }
  /// What touches or crosses at the start: the host's answer for a step that goes nowhere.
  const DeformResult& at_start(bool self, int threads) {
    auto& kept = crossings[self ? 1 : 0];
    if (!kept) {
      DeformOptions asked;
      asked.self = self;
      asked.all = false;
      asked.threads = threads;
      kept = on_host().contacts(start_on_host(), asked);
    }
    return *kept;
  }

  const Vec3* end_of(std::span<const Vec3> next) {
    step.stream().copy_to_device(step.end(), next.data(), next.size_bytes());
    return step.end();
  }
  const Vec3* end_of(DevicePositions next) { return reinterpret_cast<const Vec3*>(next.xyz); }

  /// Vertex pairs that the caller's predicate lets touch.
  bool allowed(const DeformContact& c) const {
    if (!filter || !filter->may_touch) return true;
    const std::size_t first = c.kind == ElementaryKind::vertex_face ? 1 : 2;
    const auto body = [&](std::uint32_t v) { return filter->bodies.empty() ? 0 : filter->bodies[v]; };
    const auto settings = [&](std::uint32_t b) {
      return b < filter->settings.size() ? filter->settings[b] : DeformBody{};
    };
    const auto fixed = [&](std::uint32_t v) {
      return std::find(filter->fixed.begin(), filter->fixed.end(), v) != filter->fixed.end();
    };
    const auto bodies_may = [&](std::uint32_t a, std::uint32_t b) {
      const DeformBody x = settings(a), y = settings(b);
      if (a == b) return x.self;
      if (!(x.group & y.mask) || !(y.group & x.mask)) return false;
      return std::none_of(filter->off.begin(), filter->off.end(),
                          [&](const auto& o) { return (o[0] == a && o[1] == b) || (o[0] == b && o[1] == a); });
    };
    for (std::size_t i = 0; i < first; ++i)
      for (std::size_t j = first; j < 4; ++j) {
        const std::uint32_t v = c.vertices[i], w = c.vertices[j];
        if (v != w && !(fixed(v) && fixed(w)) && bodies_may(body(v), body(w)) &&
            filter->may_touch(std::min(v, w), std::max(v, w)))
          return true;
      }
    return false;
  }

  /// Finds all contacts, or the earliest, with the least certified time of all in `safe`. False: a position is not
  /// finite.
  template <class Positions>
  bool find(Positions next, const StepQuestion& question, std::vector<DeformContact>& out, double& safe,
            std::uint64_t& bad) {
    StepQuestion asked = question;
    const bool predicate = filter && filter->may_touch;
    asked.all = question.all || predicate;
    step.begin(end_of(next), asked);
    step.finish();
    work = step.work();
    bad = ~step.counts().not_finite;
    if (bad != ~std::uint64_t{0}) return false;
    const std::size_t count = asked.all ? work.contacts : std::min<std::size_t>(work.contacts, 1);
    out.clear();
    safe = std::numeric_limits<double>::infinity();
    for (const StepContact& c : step.fetch(count)) {
      const DeformContact contact = as_contact(c);
      if (predicate && !allowed(contact)) continue;
      out.push_back(contact);
      safe = std::min(safe, contact.time.safe);
    }
    if (!asked.all && count > 0) safe = EarliestSafe{}(step.counts());
    if (asked.all && !question.all && !out.empty()) {
      const DeformContact first = *std::min_element(out.begin(), out.end(), earlier);
      out.assign(1, first);
    }
    return true;
  }
  struct EarliestSafe {
    double operator()(const StepCounts& c) const {
      double x;
      const std::uint64_t kept = ~c.earliest_safe;
      static_assert(sizeof(x) == sizeof(kept));
      std::copy_n(reinterpret_cast<const unsigned char*>(&kept), sizeof(x), reinterpret_cast<unsigned char*>(&x));
      return x;
    }
  };

  template <class Positions>
  DeformResult contacts(Positions next, const DeformOptions& options) {
    DeformResult r;
    r.time = {0, not_a_number};
    if (auto wrong = positions_problem(next, positions.size())) return refuse(r, *wrong), r;
    if (auto wrong = options_problem(options)) return refuse(r, *wrong), r;
    if (auto wrong = exact_problem(options)) return refuse(r, *wrong), r;
    double safe = 0;
    std::uint64_t bad = 0;
    const StepQuestion question{
        options.self,   options.all, options.exact, options.min_separation, options.tolerance.value_or(0),
        options.threads};
    if (!find(next, question, r.contacts, safe, bad)) return refuse(r, not_finite(bad)), r;
    if (options.crossing_at_start) {
      const DeformResult& start = at_start(options.self, options.threads);
      r.crossing_at_start = start.crossing_at_start;
      r.edges_crossing_at_start = start.edges_crossing_at_start;
    }
    r.time = {1, not_a_number};
    if (!r.contacts.empty())
      r.time = {safe, std::min_element(r.contacts.begin(), r.contacts.end(), earlier)->time.touch};
    const bool crossing = !r.crossing_at_start.empty() || !r.edges_crossing_at_start.empty();
    r.status = r.contacts.empty() && !crossing ? Status::free : Status::contact;
    r.counters.elementary_tests = work.near;
    return r;
  }

  /// After a question: the step is taken.
  template <class Positions>
  void move(Positions next, const DeformResult& r, const DeformOptions& options) {
    if (r.status == Status::invalid_request) return;
    set_start(next);
    // Apart at the start, and no features touched: apart here, too.
    if (r.status == Status::free && options.crossing_at_start && !filter && options.min_separation == 0) {
      DeformResult apart;
      apart.status = Status::free;
      apart.time = {1, not_a_number};
      crossings[options.self ? 1 : 0] = apart;
    }
  }

  std::vector<Vec3> on_host(std::span<const Vec3> next) { return {next.begin(), next.end()}; }
  std::vector<Vec3> on_host(DevicePositions next) {
    std::vector<Vec3> copy(next.count);
    step.stream().copy_to_host(copy.data(), next.xyz, next.count * sizeof(Vec3));
    step.stream().wait();
    return copy;
  }

  template <class Positions>
  StepSize step_size(Positions next, const StepSizeOptions& options) {
    StepSize r;
    if (auto wrong = positions_problem(next, positions.size())) return refuse(r, *wrong), r;
    if (auto wrong = options_problem(options)) return refuse(r, *wrong), r;
    if (!(options.slack >= 0 && options.slack < 1))
      return refuse(r, problem(ErrorCode::bad_option, "option slack",
                               "the slack is a share of the certified time, from 0 to below 1")),
             r;
    // What touches or crosses at the start needs more than times of contact: the host looks at it.
    if (!options.ignore_start_crossings && at_start(options.self, options.threads).status != Status::free)
      return on_host().step_size(on_host(next), options);
    std::vector<DeformContact> first;
    double safe = 0;
    std::uint64_t bad = 0;
    if (!find(next,
              {options.self, false, false, options.min_separation, options.tolerance.value_or(0), options.threads},
              first, safe, bad))
      return refuse(r, not_finite(bad)), r;
    if (!first.empty() && !(safe > 0)) return on_host().step_size(on_host(next), options);
    r.status = first.empty() ? Status::free : Status::contact;
    r.time = {first.empty() ? 1 : safe, not_a_number};
    r.step = 1;
    if (!first.empty()) {
      r.first = first[0];
      r.time.touch = first[0].time.touch;
      r.step = (1 - options.slack) * safe;
    }
    return r;
  }
};

Deformable::Deformable(const Mesh& mesh, void* stream) {
  const core::FpGuard guard;
  data_ = std::make_unique<Data>(mesh, stream);
}
Deformable::~Deformable() = default;
Deformable::Deformable(Deformable&&) noexcept = default;
Deformable& Deformable::operator=(Deformable&&) noexcept = default;

const Mesh& Deformable::mesh() const { return data_->mesh; }
const StepWork& Deformable::work() const { return data_->work; }

void Deformable::set_positions(std::span<const Vec3> next) {
  const core::FpGuard guard;
  if (auto wrong = positions_problem(next, data_->positions.size())) throw Error(std::move(*wrong));
  data_->set_start(next);
}
void Deformable::set_positions(DevicePositions next) {
  if (auto wrong = positions_problem(next, data_->positions.size())) throw Error(std::move(*wrong));
  data_->set_start(next);
}
void Deformable::set_filter(DeformFilter filter) {
  Data& d = *data_;
  graze::Deformable(d.mesh).set_filter(filter);  // throws if it does not fit
  d.host.reset();
  d.forget_start();
  d.step.set_filter(filter, d.positions.size());
  d.filter = std::move(filter);
}

DeformResult Deformable::contacts(std::span<const Vec3> next, const DeformOptions& options) {
  const core::FpGuard guard;
  if (auto wrong = positions_problem(next, data_->positions.size())) {
    DeformResult r;
    r.time = {0, not_a_number};
    refuse(r, *wrong);
    return r;
  }
  return data_->contacts(next, options);
}
DeformResult Deformable::contacts(DevicePositions next, const DeformOptions& options) {
  const core::FpGuard guard;
  return data_->contacts(next, options);
}
DeformResult Deformable::step(std::span<const Vec3> next, const DeformOptions& options) {
  const core::FpGuard guard;
  DeformResult r = data_->contacts(next, options);
  data_->move(next, r, options);
  return r;
}
DeformResult Deformable::step(DevicePositions next, const DeformOptions& options) {
  const core::FpGuard guard;
  DeformResult r = data_->contacts(next, options);
  data_->move(next, r, options);
  return r;
}
StepSize Deformable::step_size(std::span<const Vec3> next, const StepSizeOptions& options) {
  const core::FpGuard guard;
  return data_->step_size(next, options);
}
StepSize Deformable::step_size(DevicePositions next, const StepSizeOptions& options) {
  const core::FpGuard guard;
  return data_->step_size(next, options);
}

ProximityResult Deformable::near(std::span<const Vec3> positions, double distance, const ProximityOptions& options) {
  const core::FpGuard guard;
  ProximityResult r;
  data_->on_host().near(positions, distance, options, r);
  return r;
}
ProximityResult Deformable::near(DevicePositions positions, double distance, const ProximityOptions& options) {
  const core::FpGuard guard;
  if (auto wrong = positions_problem(positions, data_->positions.size())) {
    ProximityResult r;
    r.status = Status::invalid_request;
    r.error = std::move(wrong);
    return r;
  }
  return near(data_->on_host(positions), distance, options);
}

void Deformable::begin(DevicePositions next, const DeformOptions& options) {
  const core::FpGuard guard;
  Data& d = *data_;
  if (auto wrong = positions_problem(next, d.positions.size())) throw Error(std::move(*wrong));
  if (auto wrong = options_problem(options)) throw Error(std::move(*wrong));
  if (auto wrong = exact_problem(options)) throw Error(std::move(*wrong));
  if (options.crossing_at_start || (d.filter && d.filter->may_touch))
    throw Error(problem(ErrorCode::unsupported, "option",
                        "what stays on the GPU cannot use crossing_at_start nor a predicate: the host answers these"));
  d.step.begin(d.end_of(next), {options.self, options.all, options.exact, options.min_separation,
                                options.tolerance.value_or(0), options.threads});
}
DeviceContacts Deformable::finish() {
  const core::FpGuard guard;
  Data& d = *data_;
  d.step.finish();
  d.work = d.step.work();
  if (const std::uint64_t bad = ~d.step.counts().not_finite; bad != ~std::uint64_t{0}) throw Error(not_finite(bad));
  const std::size_t count = d.step.question().all ? d.work.contacts : std::min<std::size_t>(d.work.contacts, 1);
  return {d.step.contacts(), count};
}

void Deformable::sort_in_space() {
  const core::FpGuard guard;
  Data& d = *data_;
  order_features(d.features, d.start_on_host());
  d.step.set_features(d.features, d.positions.size());
  d.step.stream().copy_to_device(d.step.start(), d.positions.data(), d.positions.size() * sizeof(Vec3));
  d.step.stream().wait();
}

}  // namespace graze::gpu

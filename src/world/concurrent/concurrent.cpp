// SPDX-License-Identifier: MIT
#include <graze/world/concurrent.hpp>

#include <algorithm>

#include "core/refusal.hpp"
#include "world/concurrent/shared.hpp"

namespace graze {

using world::drain;
using world::FinishedAnswer;
using world::FinishedCheck;
using world::PostedFrame;
using world::PostedQuestion;

namespace {

/// Without the request for method counters: the caller could not know when the detector writes them.
ConcurrentOptions for_detector(ConcurrentOptions o) {
  o.check.method_counters = nullptr;
  return o;
}

}  // namespace

ConcurrentWorld::Shared::Shared(const ConcurrentOptions& o) : options(for_detector(o)), world(o.world) {
  world.state_->stop = &stopping;
  detector = std::thread([this] { run(); });
}

ConcurrentWorld::Shared::~Shared() {
  stopping.store(true, std::memory_order_relaxed);
  wake();
  detector.join();
  drain(frames.take());
  drain(results.take());
  drain(answers.take());
}

/// Zachmann 6.4: sleeps while the queue is empty, then takes all posted frames and processes them.
void ConcurrentWorld::Shared::run() {
  while (true) {
    const std::uint32_t rung = bell.load(std::memory_order_acquire);
    std::unique_ptr<PostedFrame> next = frames.take();
    if (stopping.load(std::memory_order_relaxed)) return drain(std::move(next));
    if (!next) {
      bell.wait(rung, std::memory_order_acquire);
      continue;
    }
    while (next && !stopping.load(std::memory_order_relaxed)) {
      process(*next, options.every_frame || !next->next);
      next = std::move(next->next);
    }
    drain(std::move(next));
  }
}

namespace {

/// Runs the work and stores the first exception that it throws.
template <class Work>
void guarded(FinishedCheck& finished, Work&& work) {
  try {
    work();
  } catch (...) {
    if (!finished.error) finished.error = std::current_exception();
  }
}

}  // namespace

void ConcurrentWorld::Shared::process(PostedFrame& f, bool with_check) {
  auto finished = std::make_unique<FinishedCheck>();
  for (world::Change& c : f.changes)  // each on its own: a failing change does not affect the others
    guarded(*finished, [&] {
      if (const world::MoveBody* move = std::get_if<world::MoveBody>(&c))
        world.move(move->id, move->pose);
      else
        std::get<1>(c)(world);
    });
  answer(f, *finished);
  world.state_->frame = f.number - 1;  // the check increments it
  if (with_check) guarded(*finished, [&] { world.check(options.check, finished->result); });
  if (!with_check) skipped.fetch_add(1, std::memory_order_relaxed);
  if (with_check || finished->error) results.give(std::move(finished));
  checked.store(f.number, std::memory_order_release);
  checked.notify_all();
}

/// Queries are answered in every frame, checked or not, and before its check: if a sweep moves bodies back along their
/// paths, the check sees them there.
void ConcurrentWorld::Shared::answer(const PostedFrame& f, FinishedCheck& finished) {
  for (const PostedQuestion& q : f.questions) {
    if (stopping.load(std::memory_order_relaxed)) return;
    auto done = std::make_unique<FinishedAnswer>();
    done->answer.question = q.number;
    done->answer.frame = f.number;
    guarded(finished, [&] {
      try {
        q.ask(world, done->answer);
      } catch (const Error& error) {
        done->answer.error = error.detail();
      }
    });
    answers.give(std::move(done));
  }
}

ConcurrentWorld::ConcurrentWorld(const ConcurrentOptions& options) : shared_(std::make_unique<Shared>(options)) {}
ConcurrentWorld::~ConcurrentWorld() = default;
ConcurrentWorld::ConcurrentWorld(ConcurrentWorld&&) noexcept = default;
ConcurrentWorld& ConcurrentWorld::operator=(ConcurrentWorld&&) noexcept = default;

std::uint64_t ConcurrentWorld::post() {
  Shared& s = shared_->from_application();
  s.frame->number = ++s.posted_number;
  s.posted.store(s.posted_number, std::memory_order_relaxed);
  s.frames.give(std::exchange(s.frame, std::make_unique<PostedFrame>()));
  s.wake();
  return s.posted_number;
}

void ConcurrentWorld::take(std::vector<CheckResult>& out) {
  std::exception_ptr error;
  for (std::unique_ptr<FinishedCheck> r = shared_->from_application().results.take(); r; r = std::move(r->next)) {
    if (r->error && !error) error = r->error;
    if (r->result.frame) out.push_back(std::move(r->result));
  }
  if (error) std::rethrow_exception(error);
}

void ConcurrentWorld::take(std::vector<ConcurrentAnswer>& out) {
  for (std::unique_ptr<FinishedAnswer> r = shared_->from_application().answers.take(); r; r = std::move(r->next))
    out.push_back(std::move(r->answer));
}

namespace {

/// Adds the poses of the bodies that an answer names.
void add_poses(const World& world, std::vector<BodyId> ids, ConcurrentAnswer& answer) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const BodyId id : ids) answer.poses.push_back({id, world.pose(id)});
}

template <class Pairs>
std::vector<BodyId> both_of(const Pairs& pairs) {
  std::vector<BodyId> ids;
  for (const auto& p : pairs) ids.insert(ids.end(), {p.a, p.b});
  return ids;
}

}  // namespace

std::uint64_t ConcurrentWorld::ask_sweep(const SweepOptions& options) {
  Shared& s = shared_->from_application();
  // Copy the method name: the caller's string may no longer exist when the query runs.
  s.frame->questions.push_back(
      {++s.question_number, [options, method = std::string(options.method)](World& w, ConcurrentAnswer& out) {
         SweepOptions own = options;
         own.method = method;
         own.method_counters = nullptr;
         SweepResult result = w.sweep(own);
         add_poses(w, both_of(result.contacts), out);
         out.error = result.error;
         out.answer = std::move(result);
       }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::ask_near(double d, const NearOptions& options) {
  Shared& s = shared_->from_application();
  core::throw_if(world::bad_distance(d));
  s.frame->questions.push_back({++s.question_number, [d, options](World& w, ConcurrentAnswer& out) {
                                  NearResult result = w.near(d, options);
                                  add_poses(w, both_of(result.pairs), out);
                                  out.error = result.error;
                                  out.answer = std::move(result);
                                }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::ask_ray(const Vec3& from, const Vec3& to, const WorldRayOptions& options) {
  Shared& s = shared_->from_application();
  world::check_ray(from, to);
  s.frame->questions.push_back({++s.question_number, [from, to, options](World& w, ConcurrentAnswer& out) {
                                  std::vector<BodyHit> hits = w.ray(from, to, options);
                                  std::vector<BodyId> ids;
                                  for (const BodyHit& h : hits) ids.push_back(h.body);
                                  add_poses(w, std::move(ids), out);
                                  out.answer = std::move(hits);
                                }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::ask_rays(std::span<const Ray> rays, const WorldRayOptions& options) {
  Shared& s = shared_->from_application();
  for (const Ray& r : rays) world::check_ray(r.from, r.to);
  s.frame->questions.push_back({++s.question_number, [all = std::vector<Ray>(rays.begin(), rays.end()), options](
                                                         World& w, ConcurrentAnswer& out) {
                                  std::vector<std::vector<BodyHit>> hits(all.size());
                                  w.rays(all, options, hits);
                                  std::vector<BodyId> ids;
                                  for (const std::vector<BodyHit>& of_ray : hits)
                                    for (const BodyHit& h : of_ray) ids.push_back(h.body);
                                  add_poses(w, std::move(ids), out);
                                  out.answer = std::move(hits);
                                }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::ask_in_box(const Box3& box) {
  Shared& s = shared_->from_application();
  world::check_question_box(box);
  s.frame->questions.push_back({++s.question_number, [box](World& w, ConcurrentAnswer& out) {
                                  std::vector<BodyId> ids = w.in_box(box);
                                  add_poses(w, ids, out);
                                  out.answer = std::move(ids);
                                }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::ask_cast(const Body& body, const Motion& motion, const CastOptions& options) {
  Shared& s = shared_->from_application();
  s.frame->questions.push_back({++s.question_number, [body, motion, options, method = std::string(options.method)](
                                                         World& w, ConcurrentAnswer& out) {
                                  CastOptions own = options;
                                  own.method = method;
                                  CastResult result = w.cast(body, motion, own);
                                  std::vector<BodyId> ids;
                                  if (result.earliest) ids.push_back(result.earliest->body);
                                  for (const CastContact& c : result.contacts) ids.push_back(c.body);
                                  add_poses(w, std::move(ids), out);
                                  out.error = result.error;
                                  out.answer = std::move(result);
                                }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::ask_overlap(const Body& body, const Pose& pose, const OverlapOptions& options) {
  Shared& s = shared_->from_application();
  s.frame->questions.push_back({++s.question_number, [body, pose, options](World& w, ConcurrentAnswer& out) {
                                  OverlapResult result = w.overlap(body, pose, options);
                                  add_poses(w, result.bodies, out);
                                  out.error = result.error;
                                  out.answer = std::move(result);
                                }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::ask_nearest(const Vec3& point, std::size_t k, const NearestOptions& options) {
  Shared& s = shared_->from_application();
  s.frame->questions.push_back({++s.question_number, [point, k, options](World& w, ConcurrentAnswer& out) {
                                  NearestResult result = w.nearest(point, k, options);
                                  std::vector<BodyId> ids;
                                  for (const NearestBody& b : result.bodies) ids.push_back(b.body);
                                  add_poses(w, std::move(ids), out);
                                  out.error = result.error;
                                  out.answer = std::move(result);
                                }});
  return s.question_number;
}

std::uint64_t ConcurrentWorld::posted() const { return shared_->posted.load(std::memory_order_relaxed); }
std::uint64_t ConcurrentWorld::checked() const { return shared_->checked.load(std::memory_order_acquire); }
std::uint64_t ConcurrentWorld::skipped_frames() const { return shared_->skipped.load(std::memory_order_relaxed); }

void ConcurrentWorld::wait() const {
  shared_->from_application();
  for (std::uint64_t c = checked(); c < posted(); c = checked()) shared_->checked.wait(c, std::memory_order_acquire);
}

}  // namespace graze

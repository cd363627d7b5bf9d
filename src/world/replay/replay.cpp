// SPDX-License-Identifier: MIT
#include <graze/world/replay.hpp>

#include <fstream>
#include <istream>

#include <graze/world/world.hpp>

#include "world/record/hash.hpp"
#include "world/replay/recorded_bodies.hpp"
#include "world/replay/recorded_line.hpp"
#include "world/replay/recorded_questions.hpp"
#include "world/state.hpp"

namespace graze {

namespace world {

/// Replays a recording.
class Replayer {
 public:
  Replayer(std::string name, std::function<void(const World&, const CheckResult&)> on_check)
      : name_(std::move(name)), on_check_(std::move(on_check)) {}

  ReplayResult run(std::istream& in) {
    std::string text;
    for (line_ = 1; std::getline(in, text); ++line_) {
      RecordedLine line(text, name_, line_);
      const std::string_view call = line.word();
      if (line_ == 1) {
        if (call != "graze-world") line.refuse("this is no recording of a world: the first word must be graze-world");
        version_ = line.whole();
        if (version_ < 1 || version_ > 5)
          line.refuse("this version of recordings is not known; a newer graze may have written it");
      } else if (line_ == 2) {
        begin(call, line);
      } else {
        run_line(call, line);
      }
      line.end();
    }
    if (line_ <= 2) RecordedLine("", name_, line_).refuse("the recording ends before it begins");
    return result_;
  }

 private:
  void begin(std::string_view call, RecordedLine& line) {
    if (call != "options") line.refuse("the second line must be the world's options");
    WorldOptions o;
    o.broad = line.text();
    o.threads = static_cast<int>(std::min<std::uint32_t>(line.small(), 1u << 20));
    o.solid = line.flag();
    o.coherent_pairs = static_cast<std::size_t>(line.whole());
    if (version_ >= 2) o.boxes = boxes(line);
    refused_as_here(line, [&] { world_.emplace(o); });
  }

  static BroadBoxes boxes(RecordedLine& line) {
    const std::string text = line.text();
    for (const BroadBoxes b : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes})
      if (text == name(b)) return b;
    line.refuse("there are no boxes \"" + text + "\"");
  }

  /// If the world refuses a recorded call, the error names the line of the recording.
  template <class Call>
  void refused_as_here(RecordedLine& line, Call&& call) {
    try {
      call();
    } catch (const Error& error) {
      if (error.detail().file == name_) throw;
      line.refuse(error.what());
    }
  }

  void run_line(std::string_view call, RecordedLine& line) {
    if (RecordedBodies::holds(call)) return refused_as_here(line, [&] { bodies_.read(call, line); });
    ++result_.calls;
    for (const auto& known : calls)
      if (known.first == call) return refused_as_here(line, [&] { (this->*known.second)(line); });
    line.refuse("there is no call \"" + std::string(call.substr(0, 40)) + "\"");
  }

  BodySettings settings(RecordedLine& line) {
    BodySettings s;
    s.name = line.text();
    s.frame = line.optional([&] { return line.id<FrameId>(); });
    s.interest = line.flag();
    s.group = line.small();
    s.mask = line.small();
    return s;
  }
  void add(RecordedLine& line) {
    const Body& b = bodies_.body(line);
    const Pose p = line.pose();
    world_->add(b, p, settings(line));
  }
  void remove(RecordedLine& line) { world_->remove(line.id<BodyId>()); }
  void move(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    world_->move(id, line.pose());
  }
  void teleport(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    world_->teleport(id, line.pose());
  }
  void deform(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    std::vector<Vec3> positions(line.count());
    for (Vec3& p : positions) p = line.point();
    world_->deform(id, positions);
  }
  void replace(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    world_->replace(id, bodies_.body(line));
  }
  void break_up(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    std::vector<Body> pieces;
    for (std::size_t left = line.count(); left > 0; --left) pieces.push_back(bodies_.body(line));
    world_->break_up(id, pieces);
  }
  void add_frame(RecordedLine& line) {
    const Pose p = line.pose();
    world_->add_frame(p, line.optional([&] { return line.id<FrameId>(); }));
  }
  void remove_frame(RecordedLine& line) { world_->remove_frame(line.id<FrameId>()); }
  void move_frame(RecordedLine& line) {
    const auto id = line.id<FrameId>();
    world_->move(id, line.pose());
  }
  void attach(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    const auto frame = line.optional([&] { return line.id<FrameId>(); });
    world_->attach(id, frame, line.pose());
  }
  void teleport_frame(RecordedLine& line) {
    const auto id = line.id<FrameId>();
    world_->teleport(id, line.pose());
  }
  void attach_frame(RecordedLine& line) {
    const auto id = line.id<FrameId>();
    const auto parent = line.optional([&] { return line.id<FrameId>(); });
    world_->attach(id, parent, line.pose());
  }
  void add_articulated(RecordedLine& line) {
    const Chain c = read_chain(line);
    const std::vector<LinkBody> l = bodies_.links(line);
    const std::vector<double> coordinates = line.reals();
    const Pose base = line.pose();
    world_->add(c, l, coordinates, base, settings(line));
  }
  void move_articulated(RecordedLine& line) {
    const auto id = line.id<ArticulatedId>();
    const std::vector<double> coordinates = line.reals();
    world_->move(id, coordinates, line.optional([&] { return line.pose(); }));
  }
  void teleport_articulated(RecordedLine& line) {
    const auto id = line.id<ArticulatedId>();
    const std::vector<double> coordinates = line.reals();
    world_->teleport(id, coordinates, line.optional([&] { return line.pose(); }));
  }
  void remove_articulated(RecordedLine& line) { world_->remove(line.id<ArticulatedId>()); }
  void attach_articulated(RecordedLine& line) {
    const auto id = line.id<ArticulatedId>();
    const auto frame = line.optional([&] { return line.id<FrameId>(); });
    world_->attach(id, frame, line.pose());
  }
  void interest(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    world_->interest(id, line.flag());
  }
  void groups(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    const std::uint32_t group = line.small();
    world_->groups(id, group, line.small());
  }
  void trigger(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    world_->trigger(id, line.flag());
  }
  void pair_interest(RecordedLine& line) {
    const auto a = line.id<BodyId>(), b = line.id<BodyId>();
    world_->interest(a, b, line.flag());
  }
  void margin(RecordedLine& line) {
    const auto id = line.id<BodyId>();
    world_->margin(id, line.real());
  }

  void set_pair(RecordedLine& line) {
    const auto a = line.id<BodyId>(), b = line.id<BodyId>();
    PairSettings s;
    s.interest = line.optional([&] { return line.flag(); });
    s.method = line.text();
    if (s.method == "automatic") s.method = "tree";  // what it was, in recordings before it was given up
    s.tolerance = line.optional([&] { return line.real(); });
    world_->set_pair(a, b, s);
  }

  void check(RecordedLine& line) {
    const std::uint64_t frame = line.whole();
    if (frame == 0) line.refuse("frames are numbered from 1");
    CheckOptions o;
    o.pairs = line.optional([&] { return line.whole(); });
    o.work = line.whole();
    const std::uint64_t expected = line.whole();
    world_->state_->frame = frame - 1;
    const CheckResult r = world_->check(o);
    ++result_.checks;
    result_.events += r.events.size();
    result_.event_hash = graze::event_hash(r.events, result_.event_hash);
    compare(graze::event_hash(r.events), expected);
    if (on_check_) on_check_(*world_, r);
  }
  void sweep(RecordedLine& line) { sweep(line, {}); }
  void sweep_each(RecordedLine& line) {
    SweepOptions o;
    o.each = true;
    sweep(line, o);
  }
  void sweep_apart(RecordedLine& line) { sweep_apart(line, {}); }
  void sweep_apart_each(RecordedLine& line) {
    SweepOptions o;
    o.each = true;
    sweep_apart(line, o);
  }
  void sweep_apart(RecordedLine& line, SweepOptions o) {
    o.min_separation = line.real();
    sweep(line, o);
  }
  void sweep(RecordedLine& line, SweepOptions o) {
    o.earliest = line.flag();
    o.advance = line.flag();
    const std::string method = line.text();
    o.method = method;
    o.tolerance = line.optional([&] { return line.real(); });
    o.ignore_start_if_separating = line.flag();
    o.work = line.whole();
    const std::uint64_t expected = line.whole();
    ++result_.sweeps;
    compare(answer_hash(world_->sweep(o)), expected);
  }
  /// By time or a cancellation: it has no answer, but bodies whose path is not covered yet went on.
  void sweep_ended(RecordedLine&) {
    const CancelSource source;
    source.cancel();
    SweepOptions o;
    o.cancel = source.token();
    ++result_.sweeps;
    world_->sweep(o);
  }
  void near(RecordedLine& line) {
    const double d = line.real();
    answered(line, [&] {
      const NearResult result = world_->near(d);
      if (result.error) throw Error(*result.error);
      return answer_hash(result.pairs);
    });
  }
  void ray(RecordedLine& line) {
    const Vec3 from = line.point(), to = line.point();
    answered(line, [&] { return answer_hash(world_->ray(from, to)); });
  }
  void in_box(RecordedLine& line) {
    const Vec3 lo = line.point(), hi = line.point();
    answered(line, [&] { return answer_hash(world_->in_box({lo, hi})); });
  }
  void ray_with(RecordedLine& line) { answered(line, read_ray_with(*world_, line)); }
  void rays(RecordedLine& line) { answered(line, read_rays(*world_, line)); }
  void cast(RecordedLine& line) {
    const Body& b = bodies_.body(line);
    answered(line, read_cast(*world_, b, line));
  }
  void overlap(RecordedLine& line) {
    const Body& b = bodies_.body(line);
    answered(line, read_overlap(*world_, b, line));
  }
  void nearest(RecordedLine& line) { answered(line, read_nearest(*world_, line)); }
  template <class Ask>
  void answered(RecordedLine& line, Ask&& ask) {
    const std::uint64_t expected = line.whole();
    ++result_.questions;
    compare(ask(), expected);
  }
  void compare(std::uint64_t now, std::uint64_t recorded) {
    if (now != recorded) result_.different.push_back(line_);
  }

  using Call = void (Replayer::*)(RecordedLine&);
  static constexpr std::pair<std::string_view, Call> calls[] = {
      {"add", &Replayer::add},
      {"remove", &Replayer::remove},
      {"move", &Replayer::move},
      {"teleport", &Replayer::teleport},
      {"deform", &Replayer::deform},
      {"replace", &Replayer::replace},
      {"break_up", &Replayer::break_up},
      {"add_frame", &Replayer::add_frame},
      {"remove_frame", &Replayer::remove_frame},
      {"move_frame", &Replayer::move_frame},
      {"teleport_frame", &Replayer::teleport_frame},
      {"hang", &Replayer::attach},
      {"attach_frame", &Replayer::attach_frame},
      {"add_articulated", &Replayer::add_articulated},
      {"move_articulated", &Replayer::move_articulated},
      {"teleport_articulated", &Replayer::teleport_articulated},
      {"remove_articulated", &Replayer::remove_articulated},
      {"attach_articulated", &Replayer::attach_articulated},
      {"interest", &Replayer::interest},
      {"groups", &Replayer::groups},
      {"trigger", &Replayer::trigger},
      {"margin", &Replayer::margin},
      {"pair_interest", &Replayer::pair_interest},
      {"set_pair", &Replayer::set_pair},
      {"check", &Replayer::check},
      {"sweep", &Replayer::sweep},
      {"sweep_each", &Replayer::sweep_each},
      {"sweep_apart", &Replayer::sweep_apart},
      {"sweep_apart_each", &Replayer::sweep_apart_each},
      {"sweep_ended", &Replayer::sweep_ended},
      {"near", &Replayer::near},
      {"ray", &Replayer::ray},
      {"in_box", &Replayer::in_box},
      {"ray_with", &Replayer::ray_with},
      {"rays", &Replayer::rays},
      {"cast", &Replayer::cast},
      {"overlap", &Replayer::overlap},
      {"nearest", &Replayer::nearest},
  };

  std::string name_;
  std::function<void(const World&, const CheckResult&)> on_check_;
  std::uint64_t line_ = 0, version_ = 0;
  std::optional<World> world_;
  RecordedBodies bodies_;
  ReplayResult result_;
};

std::ifstream open_recording(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw Error({.code = ErrorCode::file_not_found,
                 .message = "cannot be opened; check the name and the rights",
                 .element = {},
                 .id = ErrorDetail::none,
                 .file = file,
                 .line = ErrorDetail::none});
  return in;
}

}  // namespace world

ReplayResult replay_world(std::istream& in, const std::string& name,
                          const std::function<void(const CheckResult&)>& on_check) {
  const auto without_world = [&](const World&, const CheckResult& result) {
    if (on_check) on_check(result);
  };
  return world::Replayer(name, without_world).run(in);
}

ReplayResult replay_world(const std::string& file, const std::function<void(const CheckResult&)>& on_check) {
  std::ifstream in = world::open_recording(file);
  return replay_world(in, file, on_check);
}

ReplayResult replay_world(const std::string& file,
                          const std::function<void(const World&, const CheckResult&)>& on_check) {
  std::ifstream in = world::open_recording(file);
  return world::Replayer(file, on_check).run(in);
}

bool is_recording(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string word(12, '\0');
  in.read(word.data(), 12);
  return word == "graze-world ";
}

}  // namespace graze

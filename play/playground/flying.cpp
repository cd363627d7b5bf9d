// SPDX-License-Identifier: MIT
// Bodies that fly, and are reflected by what they touch: `hands` and `cage`.
#include <cmath>

#include <graze/mesh/make.hpp>

#include "flock.hpp"
#include "playground/makers.hpp"

namespace graze::play {
namespace {

class Flying : public Application {
 public:
  explicit Flying(Flock flock) : flock_(std::move(flock)) {
    for (std::size_t i = 0; i < flock_.size(); ++i)
      bodies_.push_back(
          {"body " + std::to_string(i), flock_.flyer(i).mesh, flock_.flyer(i).pose, false, false, {}, {}});
  }

  Frame frame(const Input& input) override {
    FlockReport report = flock_.step(input.time);
    for (std::size_t i = 0; i < flock_.size(); ++i) {
      bodies_[i].pose = flock_.flyer(i).pose;
      if (flock_.flyer(i).deform) bodies_[i].positions = flock_.positions(i);
      bodies_[i].touching = std::move(report.touching[i]);
    }
    Frame frame;
    frame.numbers = {{"seconds", report.seconds}, {"pairs", static_cast<double>(report.pairs)}};
    return frame;
  }

 private:
  Flock flock_;
};

}  // namespace

std::unique_ptr<Application> make_hands(double detail) { return std::make_unique<Flying>(kitamura_flock(detail)); }

std::unique_ptr<Application> make_cage(double detail) {
  const auto share = [&](double triangles) { return static_cast<std::size_t>(triangles * detail); };
  const Mesh kinds[] = {make::sphere({.radius = 0.35, .triangles = share(960)}),
                        make::torus({.major = 0.3, .minor = 0.12, .triangles = share(1200)}),
                        make::tetra_flake({.size = 0.8, .triangles = share(864)}), make::chair({.size = 0.8})};
  Flock flock({{-2, -2, -2}, {2, 2, 2}});
  for (int i = 0; i < 12; ++i) {
    const double a = 2.4 * i, r = 1.5;
    flock.add({kinds[i % 4],
               Pose({r * std::cos(a), r * std::sin(a), 0.3 * (i - 6)}),
               {std::sin(5.0 * i), std::cos(3.0 * i), std::sin(7.0 * i + 1)},
               {0.5 * std::cos(a), 0.7, 0.3},
               {}});
  }
  return std::make_unique<Flying>(std::move(flock));
}

}  // namespace graze::play

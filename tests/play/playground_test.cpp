// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/core/error.hpp>

#include "playground/application.hpp"

namespace graze::play {
namespace {

/// A hand on a circle around the first body that may be held.
Input circling(const Application& application, int frame) {
  Input input;
  for (std::size_t i = 0; i < application.bodies().size() && !input.holding; ++i)
    if (application.bodies()[i].held) input.body = i, input.holding = true;
  const double a = 0.1 * frame;
  input.target = Pose({std::cos(a), std::sin(a), 0.5 * std::cos(0.3 * a)}, {1, 0.2 * std::sin(a), 0.1, 0});
  return input;
}

TEST(Playground, EveryApplicationRunsAndRepeatsItself) {
  for (const ApplicationInfo& info : applications()) {
    const auto one = make_application(info.name, 0.03), other = make_application(info.name, 0.03);
    ASSERT_FALSE(one->bodies().empty()) << info.name;
    for (int i = 0; i < 25; ++i) {
      one->frame(circling(*one, i));
      other->frame(circling(*other, i));
    }
    EXPECT_FALSE(one->frame({}).numbers.empty()) << info.name << " shows nothing beside its picture";
    other->frame({});
    for (std::size_t b = 0; b < one->bodies().size(); ++b) {
      const Shown& shown = one->bodies()[b];
      EXPECT_EQ(shown.pose, other->bodies()[b].pose) << info.name;
      EXPECT_EQ(shown.positions, other->bodies()[b].positions) << info.name;
      EXPECT_TRUE(shown.positions.empty() || shown.positions.size() == shown.mesh.vertex_count()) << info.name;
      for (const Vec3& p : shown.positions) ASSERT_TRUE(is_finite(p)) << info.name;
    }
  }
}

TEST(Playground, SettingsThatAreListedAreTakenAndOthersRefused) {
  for (const ApplicationInfo& info : applications()) {
    const auto application = make_application(info.name, 0.03);
    EXPECT_THROW(application->set("colour", "blue"), Error) << info.name;
    std::string_view rest = info.settings;
    while (!rest.empty()) {
      const std::string_view setting = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), setting.size() + 1));
      const std::string_view name = setting.substr(0, setting.find('='));
      std::string_view values = setting.substr(name.size() + 1);
      while (!values.empty()) {
        const std::string_view value = values.substr(0, values.find('|'));
        values.remove_prefix(std::min(values.size(), value.size() + 1));
        EXPECT_NO_THROW(application->set(name, value)) << info.name << " " << name << "=" << value;
        application->frame(circling(*application, 1));
      }
    }
  }
  EXPECT_THROW(make_application("nothing"), Error);
  EXPECT_THROW(make_application("door", 0), Error);
}

TEST(Playground, TheClothNeverMeetsItselfOrTheBall) {
  const auto cloth = make_application("cloth", 0.05);
  for (int i = 0; i < 60; ++i) {
    cloth->frame({});
    const Shown& shown = cloth->bodies()[0];
    const Body now = Body(shown.mesh).deformed(shown.positions);
    ASSERT_EQ(self_collide(now).status, Status::free) << i;
  }
  double lowest = 1;
  for (const Vec3& p : cloth->bodies()[0].positions) lowest = std::fmin(lowest, p.z);
  EXPECT_LT(lowest, -0.5);  // it hangs down beside the ball
}

}  // namespace
}  // namespace graze::play

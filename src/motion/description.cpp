// SPDX-License-Identifier: MIT
#include "motion/description.hpp"

#include <cstdio>

#include "motion/path.hpp"

namespace graze::motion {

void append(std::string& text, double x) {
  char number[40];
  std::snprintf(number, sizeof number, " %a", x);
  text += number;
}

bool states_courses(const std::string& description) {
  for (const char* const kind : {" cubic ", " quintic ", " spline "})
    if (description.find(kind) != std::string::npos) return true;
  return false;
}

void append(std::string& text, const Vec3& v) {
  append(text, v.x);
  append(text, v.y);
  append(text, v.z);
}

void append(std::string& text, const Pose& pose) {
  append(text, pose.translation());
  const Quat& q = pose.rotation();
  append(text, q.w);
  append(text, q.x);
  append(text, q.y);
  append(text, q.z);
}

}  // namespace graze::motion

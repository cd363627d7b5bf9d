// SPDX-License-Identifier: MIT
// Part of graze/ompl.hpp.
#pragma once

#include <graze/core/export.hpp>  // first: it says that C++20 is needed

#include <mutex>
#include <utility>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>

namespace graze {

namespace detail {

/// What the validators of rigid bodies and of robots share: the count of motions, and the last valid state.
class CertifiedMotionValidator : public ::ompl::base::MotionValidator {
 public:
  using State = ::ompl::base::State;
  using MotionValidator::MotionValidator;

  bool checkMotion(const State* from, const State* to) const override { return counted(is_free(from, to)); }

  /// `last.second` is the time of a state strictly before the first contact; the motion from `from` to `last.first` is
  /// certified itself, because planners add it to their tree. It is 0 (and the state `from`) where the motion starts in
  /// contact.
  bool checkMotion(const State* from, const State* to, std::pair<State*, double>& last) const override {
    if (counted(is_free(from, to))) return true;
    const ::ompl::base::StateSpacePtr& space = si_->getStateSpace();
    State* const there = space->allocState();  // `last.first` may be `from` or `to` itself
    const double until = free_until(from, to);
    double time = 0;
    for (double back = 1e-6; back < 1 && !(time > 0); back *= 4) {
      space->interpolate(from, to, until * (1 - back), there);
      if (is_free(from, there)) time = until * (1 - back);
    }
    if (!(time > 0)) space->copyState(there, from);
    if (last.first) space->copyState(last.first, there);
    last.second = time;
    space->freeState(there);
    return false;
  }

 protected:
  virtual bool is_free(const State* from, const State* to) const = 0;
  /// Certified free before this time.
  virtual double free_until(const State* from, const State* to) const = 0;

 private:
  bool counted(bool valid) const {
    const std::lock_guard lock(counting_);  // OMPL's own validator counts without one
    ++(valid ? valid_ : invalid_);
    return valid;
  }
  mutable std::mutex counting_;
};

}  // namespace detail

}  // namespace graze

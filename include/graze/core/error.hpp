// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <string>

#include <graze/core/export.hpp>

namespace graze {

enum class ErrorCode {
  not_finite,          ///< a NaN or infinite coordinate, pose or option
  index_out_of_range,  ///< a polygon refers to a vertex that does not exist
  empty_mesh,          ///< no polygon at all
  bad_polygon,         ///< fewer than three corners
  bad_pose,            ///< zero quaternion, or a matrix that is not a rotation
  bad_option,          ///< an option outside its range
  file_not_found,      ///< the file cannot be opened
  bad_file,            ///< the file's contents are invalid; `line` or `element`/`id` give the position
  unknown_format,      ///< neither the file name nor the request determines the format
  too_large,           ///< more elements than 32-bit ids can number
  cannot_write,        ///< the output could not be written
  unsupported,         ///< this method cannot answer the question for these bodies
};

/// The name of a code as it is printed: "not_finite" and so on.
GRAZE_API const char* name(ErrorCode code);

/// What went wrong, where, and what to do about it. Also carried by results with `Status::invalid_request`.
struct ErrorDetail {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  ErrorCode code = ErrorCode::bad_option;
  std::string message;        ///< one readable sentence: what happened and what to do about it
  std::string element;        ///< "vertex", "polygon", "body", "option", ... or empty
  std::uint64_t id = none;    ///< which element, zero-based
  std::string file;           ///< the file, if the input came from one
  std::uint64_t line = none;  ///< one-based line in a text file

  /// "file:line: element id: message", omitting unknown parts.
  GRAZE_API std::string text() const;
};

/// The rule for every public call:
///
/// A call whose result has an `error` never throws `Error`. For an invalid argument or option, and for bodies that the
/// question does not apply to, the result is `invalid_request`, with the `error`, and nothing has been changed. These
/// are the queries: `collide`, `distance`, `first_contact`, `Deformable::step`, `World::sweep`, `Robot::check` and the
/// like.
///
/// Every other call throws `Error` and changes nothing: constructors, readers and writers, functions that return a
/// value (`prove_step`, `by_bodies`, `Chain::link_motion`, `clash::check`), and those of `World`, `Robot`, `Deformable`
/// and `BroadPhase` that change it or look something up. So do calls of a `ConcurrentWorld`; what it can only find out
/// later is the `error` of the answer.
///
/// Other exceptions pass through: those of the caller's functions (callbacks, own motions, surfaces), and
/// std::bad_alloc.
class GRAZE_API Error : public std::exception {
 public:
  explicit Error(ErrorDetail detail);
  const char* what() const noexcept override { return text_.c_str(); }
  const ErrorDetail& detail() const noexcept { return detail_; }

 private:
  ErrorDetail detail_;
  std::string text_;
};

}  // namespace graze

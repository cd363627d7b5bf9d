// SPDX-License-Identifier: MIT
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include <graze/core/error.hpp>

#include "engine.hpp"
#include "many.hpp"

namespace graze::web {
namespace {

Engine& engine() {
  static Engine one;
  return one;
}

const Answers& answers() {
  static const Answers all = [] {
    Answers list;
#ifdef GRAZE_WASM_PLAY
    add_play(list);
#else
    add_meshes(list);
    add_bodies(list);
    add_questions(list);
    add_moving(list);
    add_deform(list);
    add_world(list);
#endif
#ifdef GRAZE_WASM_VIEW
    add_open(list);
#endif
    return list;
  }();
  return all;
}

Json thrown(Json error) { return Json{{"thrown", std::move(error)}}; }

constexpr const char* request_name = "request";

/// A request is no file, and its keys are options.
Json thrown(ErrorDetail detail) {
  if (detail.file == request_name) {
    detail.file.clear();
    if (detail.code == ErrorCode::bad_file) detail.code = ErrorCode::bad_option;
  }
  return thrown(app::to_json(detail));
}

Json answer(const std::string& text) {
  try {
    JsonReader request = JsonReader::parse(request_name, text);
    const std::string question = request.text("do");
    const auto found = answers().find(question);
    if (found == answers().end()) request.refuse("do", "names no question that this engine knows");
    Json reply = found->second(engine(), request);
    request.finish();  // what changes something, or makes an object that takes options, has asked this before
    return reply;
  } catch (const Error& error) {
    return thrown(error.detail());
  } catch (const std::bad_alloc&) {
    return thrown({{"code", "out_of_memory"},
                   {"message", "the engine has no memory left: dispose bodies that are no longer needed"}});
  } catch (const std::exception& error) {
    return thrown({{"code", "internal"}, {"message", error.what()}});
  }
}

std::string& reply() {
  static std::string text;
  return text;
}

}  // namespace
}  // namespace graze::web

extern "C" {

/// Answers the request of `size` bytes at `text`, JSON in UTF-8; returns the length of the reply at `graze_reply`.
std::size_t graze_ask(const char* text, std::size_t size) {
  graze::web::reply() =
      graze::web::answer({text, size}).dump(-1, ' ', false, graze::app::Json::error_handler_t::replace);
  return graze::web::reply().size();
}

const char* graze_reply() { return graze::web::reply().data(); }

#ifndef GRAZE_WASM_PLAY
/// See many.hpp.
int graze_many(int question, std::uint32_t a, std::uint32_t b, const double* poses, std::size_t count, double* out) {
  return graze::web::many(graze::web::engine(), question, a, b, poses, count, out);
}
#endif
}

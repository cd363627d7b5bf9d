// SPDX-License-Identifier: MIT
#include "scene/scene_questions.hpp"

#include <fmt/format.h>

namespace graze::app {

void add_answers(const Scene& scene, const SceneAnswers& answers, const BodyName& name_of, Json& out) {
  for (std::size_t i = 0; i < answers.rays.size(); ++i) {
    Json hits = Json::array();
    for (const BodyHit& h : answers.rays[i])
      hits.push_back(Json{{"body", name_of(h.body)},
                          {"fraction", h.hit.fraction},
                          {"point", to_json(h.hit.point)},
                          {"normal", h.hit.normal ? to_json(*h.hit.normal) : Json()}});
    out["rays"].push_back(Json{{"name", scene.rays[i].name}, {"hits", std::move(hits)}});
  }
  for (std::size_t i = 0; i < answers.casts.size(); ++i) {
    const CastResult& r = answers.casts[i];
    Json entry{{"name", scene.casts[i].name}, {"status", name(r.status)}, {"safe", r.safe}};
    if (r.earliest) {
      const FirstContactResult& c = r.earliest->contact;
      entry["body"] = name_of(r.earliest->body);
      entry["time"] = Json::array({c.time.safe, c.time.touch});
      entry["normal"] = c.normal ? to_json(*c.normal) : Json();
    }
    out["casts"].push_back(std::move(entry));
  }
}

void print_answers(const Scene& scene, const SceneAnswers& answers, const BodyName& name_of, std::uint64_t frame) {
  for (std::size_t i = 0; i < answers.rays.size(); ++i)
    for (const BodyHit& h : answers.rays[i])
      fmt::print("frame {}: ray {} hits {} at {:.6g} of its length\n", frame, scene.rays[i].name, name_of(h.body),
                 h.hit.fraction);
  for (std::size_t i = 0; i < answers.casts.size(); ++i) {
    const CastResult& r = answers.casts[i];
    if (r.earliest)
      fmt::print("frame {}: cast {} meets {} at t = {:.6g}\n", frame, scene.casts[i].name, name_of(r.earliest->body),
                 r.earliest->contact.time.touch);
  }
}

}  // namespace graze::app

// SPDX-License-Identifier: MIT
#include "robot/urdf/srdf.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "robot/urdf/xml.hpp"

namespace graze::robot {

namespace {

class Srdf {
 public:
  Srdf(const XmlFile& file, RobotModel& model) : file_(file), model_(model) {
    for (const Link& link : model.links) {
      links_[link.name] = &link;
      if (!link.joint.name.empty()) joints_[link.joint.name] = &link;
    }
  }

  void read() {
    const Element& root = file_.root();
    for (const Element* joint : children(root, "virtual_joint")) virtual_.insert(file_.attribute(*joint, "name"));
    for (const Element* group : children(root, "group")) open_[file_.attribute(*group, "name")].push_back(group);
    for (const Element* group : children(root, "group")) read_group(*group, file_.attribute(*group, "name"));
    for (const Element* state : children(root, "group_state")) read_state(*state);
    for (const Element* joint : children(root, "passive_joint"))
      add_joint(model_.passive, *joint, file_.attribute(*joint, "name"));
    // In the order of MoveIt: what is disabled by itself stays disabled.
    for (const Element* link : children(root, "disable_default_collisions")) disable_all_of(*link);
    for (const Element* pair : children(root, "enable_collisions")) enable(*pair);
    for (const Element* pair : children(root, "disable_collisions")) disable(*pair);
  }

 private:
  const Link& link_of(const Element& at, const std::string& name) const {
    const auto found = links_.find(name);
    if (found == links_.end()) file_.fail(at, "the URDF has no link \"" + name + "\"");
    return *found->second;
  }
  /// The child link of a joint.
  const Link& joint_of(const Element& at, const std::string& name) const {
    const auto found = joints_.find(name);
    if (found == joints_.end()) file_.fail(at, "the URDF has no joint \"" + name + "\"");
    return *found->second;
  }

  /// Groups may name groups that follow later in the file.
  const RobotGroup& read_group(const Element& at, const std::string& name) {
    if (const auto found = groups_.find(name); found != groups_.end()) return model_.groups[found->second];
    const auto elements = open_.find(name);
    if (elements == open_.end()) file_.fail(at, "there is no group \"" + name + "\"");
    const std::vector<const Element*> mine = std::move(elements->second);
    if (mine.empty()) file_.fail(at, "the group \"" + name + "\" contains itself; leave this line out");
    elements->second.clear();
    if (++depth_ > 1000) file_.fail(at, "groups name groups more than 1000 levels deep; name what is inside of them");
    RobotGroup group{name, {}};
    for (const Element* element : mine) {
      for (const Element* joint : children(*element, "joint"))
        add_joint(group.links, *joint, file_.attribute(*joint, "name"));
      for (const Element* link : children(*element, "link"))
        add(group, link_of(*link, file_.attribute(*link, "name")).name);
      for (const Element* chain : children(*element, "chain")) add_chain(group, *chain);
      for (const Element* inner : children(*element, "group"))
        for (const std::string& link : read_group(*inner, file_.attribute(*inner, "name")).links) add(group, link);
    }
    --depth_;
    groups_[name] = model_.groups.size();
    model_.groups.push_back(std::move(group));
    return model_.groups.back();
  }

  static void add(RobotGroup& group, const std::string& link) {
    if (std::find(group.links.begin(), group.links.end(), link) == group.links.end()) group.links.push_back(link);
  }
  /// A virtual joint holds the robot's base in the world, and has no link to name it by: RobotOptions::base is there.
  void add_joint(std::vector<std::string>& links, const Element& at, const std::string& name) const {
    if (virtual_.count(name)) return;
    const std::string& link = joint_of(at, name).name;
    if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(link);
  }

  std::vector<std::string> way_from_root(const std::string& link) const {
    std::vector<std::string> way;
    for (std::string up = link; !up.empty(); up = links_.at(up)->parent) way.push_back(up);
    std::reverse(way.begin(), way.end());
    return way;
  }

  /// All joints on the way between the two links, which may branch off from a link above both.
  void add_chain(RobotGroup& group, const Element& chain) {
    const auto base = way_from_root(link_of(chain, file_.attribute(chain, "base_link")).name);
    const auto tip = way_from_root(link_of(chain, file_.attribute(chain, "tip_link")).name);
    const auto fork = std::mismatch(base.begin(), base.end(), tip.begin(), tip.end());
    for (auto link = base.end(); link != fork.first;) add(group, *--link);
    for (auto link = fork.second; link != tip.end(); ++link) add(group, *link);
  }

  void read_state(const Element& element) {
    RobotState state{file_.attribute(element, "name"), file_.attribute(element, "group"), {}};
    if (!groups_.count(state.group)) file_.fail(element, "there is no group \"" + state.group + "\"");
    for (const RobotState& other : model_.states)
      if (other.name == state.name && other.group == state.group)
        file_.fail(element, "another state of this group has this name, too; rename one");
    for (const Element* joint : children(element, "joint")) {
      const std::string name = file_.attribute(*joint, "name");
      const std::vector<double> values = file_.needed_numbers(*joint, "value", 0);
      if (virtual_.count(name)) continue;
      const Link& link = joint_of(*joint, name);
      const std::size_t wanted = coordinates_of(link.joint.type);
      if (wanted == 0) continue;  // a fixed joint
      if (values.size() != wanted)
        file_.fail(*joint, "has " + std::to_string(values.size()) + " values; a joint that is " +
                               graze::name(link.joint.type) + " has " + std::to_string(wanted));
      state.values.emplace_back(link.name, values);
    }
    model_.states.push_back(std::move(state));
  }

  void disable_all_of(const Element& element) {
    const std::string name = link_of(element, file_.attribute(element, "link")).name;
    for (const Link& other : model_.links)
      if (other.name != name) model_.allowed.push_back({name, other.name, "disabled by default"});
  }

  /// A pair of links that are not there cannot touch: as with MoveIt, no reason to refuse the file, but to tell.
  bool is_there(const Element& element, const std::string& link) {
    if (links_.count(link)) return true;
    model_.notes.push_back(file_.place(element) + ": the URDF has no link \"" + link + "\"; this line is left out");
    return false;
  }

  void disable(const Element& element) {
    const std::string a = file_.attribute(element, "link1"), b = file_.attribute(element, "link2");
    const char* const reason = element.Attribute("reason");
    if (is_there(element, a) && is_there(element, b)) model_.allowed.push_back({a, b, reason ? reason : "disabled"});
  }

  void enable(const Element& element) {
    const std::string a = file_.attribute(element, "link1"), b = file_.attribute(element, "link2");
    if (!is_there(element, a) || !is_there(element, b)) return;
    std::erase_if(model_.allowed, [&](const AllowedPair& pair) {
      return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
    });
  }

  const XmlFile& file_;
  RobotModel& model_;
  std::map<std::string, const Link*> links_, joints_;
  std::set<std::string> virtual_;                            ///< joints
  std::map<std::string, std::vector<const Element*>> open_;  ///< groups by name; emptied when they are read
  std::map<std::string, std::size_t> groups_;                ///< numbers in the model
  int depth_ = 0;
};

}  // namespace

void read_srdf(const std::filesystem::path& file, RobotModel& model) {
  const XmlFile xml(file);
  Srdf(xml, model).read();
}

}  // namespace graze::robot

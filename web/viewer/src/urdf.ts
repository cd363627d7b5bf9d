// SPDX-License-Identifier: MIT
// A URDF as a robot file (docs/motions.md), which the engine reads: links, joints, and what collides. Each collision
// element is a link of its own, fixed to the one that it belongs to, so that its shape can be asked about.
import { ending } from "./files.js";

type Pose = [number, number, number, number, number, number, number];
interface Link {
  name: string;
  parent?: string;
  mesh?: string;
  joint: { [key: string]: unknown };
}

/** A mesh that the URDF scales: the robot file names it `name`. */
export interface ScaledMesh {
  name: string;
  file: string;
  scale: number[];
}

const children = (of: Element, name: string) => Array.from(of.children).filter((child) => child.tagName === name);
const child = (of: Element, name: string) => children(of, name)[0];

/** Throws an error that says which element is wrong. */
export function robot_of_urdf(text: string): { robot: object; scaled: ScaledMesh[] } {
  const xml = new DOMParser().parseFromString(text, "text/xml");
  const root = xml.documentElement;
  if (xml.querySelector("parsererror")) throw new Error("is no XML file");
  if (root.tagName !== "robot") throw new Error("has no <robot>: this is no URDF");
  if (/<xacro:|\$\{|\$\(/.test(text)) throw new Error("is a xacro file, which must be expanded first: xacro FILE > robot.urdf");
  const scaled: ScaledMesh[] = [];
  const links = children(root, "link"), joints = children(root, "joint");
  const joint_of = new Map(joints.map((joint) => [attribute(child(joint, "child"), "link", joint), joint]));
  const child_of = new Map(joints.map((joint) => [attribute(joint, "name"), attribute(child(joint, "child"), "link", joint)]));
  const by_name = new Map(links.map((link) => [attribute(link, "name"), link]));
  if (by_name.size < links.length) throw new Error("has two links of one name");
  if (joint_of.size < joints.length) throw new Error("has two joints that move one link");
  for (const name of joint_of.keys()) if (!by_name.has(name)) throw new Error(`has a joint of link ${name}, which is not there`);

  // Parents first: a link is added after the one that it hangs on.
  const out: Link[] = [], done = new Set<string>();
  let waiting = [...by_name.keys()];
  while (waiting.length > 0) {
    const later: string[] = [];
    for (const name of waiting) {
      const joint = joint_of.get(name);
      const parent = joint && attribute(child(joint, "parent"), "link", joint);
      if (parent !== undefined && !done.has(parent)) {
        later.push(name);
        continue;
      }
      out.push({ name, ...(parent === undefined ? {} : { parent }), joint: joint ? moved(joint, child_of) : { type: "fixed" } });
      out.push(...collisions(by_name.get(name)!, name, by_name, scaled));
      done.add(name);
    }
    if (later.length === waiting.length) throw new Error(`has links that hang on each other, or on none: ${later.slice(0, 3).join(", ")}`);
    waiting = later;
  }
  return { robot: { version: 1, links: out }, scaled };
}

function attribute(of: Element | undefined, name: string, inside?: Element): string {
  const value = of?.getAttribute(name);
  if (value === null || value === undefined || value === "")
    throw new Error(`<${(of ?? inside)?.tagName}> ${(of ?? inside)?.getAttribute("name") ?? ""} has no ${of ? name : "child or parent"}`);
  return value;
}

function numbers(of: Element | undefined, name: string, otherwise: number[]): number[] {
  const text = of?.getAttribute(name)?.trim();
  if (text === undefined || text === null || text === "") return otherwise;
  const values = text.split(/\s+/).map(Number);
  if (values.length !== otherwise.length || values.some((value) => !Number.isFinite(value)))
    throw new Error(`<${of!.tagName}> ${name}="${text.slice(0, 80)}": ${otherwise.length} numbers are needed`);
  return values;
}

/** Rotations about x, then y, then z, all fixed. */
function origin(of: Element): Pose {
  const element = child(of, "origin");
  const [x, y, z] = numbers(element, "xyz", [0, 0, 0]);
  const [r, p, w] = numbers(element, "rpy", [0, 0, 0]).map((angle) => angle / 2);
  const [cr, sr, cp, sp, cw, sw] = [Math.cos(r!), Math.sin(r!), Math.cos(p!), Math.sin(p!), Math.cos(w!), Math.sin(w!)];
  return [x!, y!, z!, cr * cp * cw + sr * sp * sw, sr * cp * cw - cr * sp * sw, cr * sp * cw + sr * cp * sw, cr * cp * sw - sr * sp * cw];
}

function moved(joint: Element, child_of: Map<string, string>): { [key: string]: unknown } {
  const type = attribute(joint, "type");
  const out: { [key: string]: unknown } = { type, name: attribute(joint, "name"), origin: origin(joint) };
  if (type !== "fixed" && type !== "floating") out["axis"] = numbers(child(joint, "axis"), "xyz", [1, 0, 0]);
  const mimic = child(joint, "mimic");
  if (mimic) {
    const followed = child_of.get(attribute(mimic, "joint"));
    if (followed === undefined) throw new Error(`joint ${attribute(joint, "name")} follows ${attribute(mimic, "joint")}, which is not there`);
    const [factor, offset] = [...numbers(mimic, "multiplier", [1]), ...numbers(mimic, "offset", [0])];
    out["mimic"] = { link: followed, factor, offset };
  }
  return out;
}

function collisions(link: Element, name: string, names: ReadonlyMap<string, unknown>, scaled: ScaledMesh[]): Link[] {
  return children(link, "collision").map((collision, i) => {
    let own = i === 0 ? `${name} body` : `${name} body ${i + 1}`;
    while (names.has(own)) own += "'";
    return { name: own, parent: name, mesh: geometry(collision, name, scaled), joint: { type: "fixed", origin: origin(collision) } };
  });
}

/** A shape's text, or a file. */
function geometry(collision: Element, link: string, scaled: ScaledMesh[]): string {
  const kind = child(collision, "geometry")?.children[0];
  const needed = (name: string, count: number) => {
    attribute(kind, name);
    return numbers(kind, name, Array<number>(count).fill(0));
  };
  if (kind?.tagName === "box") return `box:${needed("size", 3).join(",")}`;
  if (kind?.tagName === "sphere") return `sphere:${needed("radius", 1)[0]}`;
  if (kind?.tagName === "cylinder") return `cylinder:${needed("radius", 1)[0]},${needed("length", 1)[0]}`;
  if (kind?.tagName !== "mesh") throw new Error(`link ${link} has a collision element without a box, sphere, cylinder or mesh`);
  const file = attribute(kind, "filename").replace(/^(package|file):\/\//, "");
  if (!["obj", "stl", "ply", "off"].includes(ending(file)))
    throw new Error(`link ${link} needs ${file}: this page reads OBJ, STL, PLY and OFF only; \`graze view\` shows the robot`);
  const scale = numbers(kind, "scale", [1, 1, 1]);
  if (scale.every((factor) => factor === 1)) return file;
  const own = `${file} ${scale.join(" ")}.obj`;
  if (!scaled.some(({ name }) => name === own)) scaled.push({ name: own, file, scale });
  return own;
}

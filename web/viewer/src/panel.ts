// SPDX-License-Identifier: MIT
// The lists beside the picture. Texts come from files that may be hostile: they are only ever text, never markup.
import type { Contact } from "./contacts.js";
import { colour_of, type Style } from "./picture.js";

export const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** More rows make no list that anybody reads. */
const listed = 2000;

export function show_contacts(contacts: readonly Contact[], choose: (i: number) => void): void {
  element("contacts_part").hidden = contacts.length === 0;
  element("contact_count").textContent = contacts.length > listed ? `${listed} of ${contacts.length}` : contacts.length > 1 ? String(contacts.length) : "";
  element("contacts").replaceChildren(...contacts.slice(0, listed).map((contact, i) => {
    const button = document.createElement("button");
    const detail = document.createElement("small");
    button.textContent = contact.text;
    detail.textContent = contact.detail;
    button.append(detail);
    button.onclick = () => choose(i);
    const entry = document.createElement("li");
    entry.append(button);
    return entry;
  }));
}

export function choose_contact(chosen: number | null): void {
  Array.from(element("contacts").children).forEach((entry, i) => {
    const button = entry.firstElementChild!;
    if (i === chosen) {
      button.setAttribute("aria-current", "true");
      button.scrollIntoView({ block: "nearest" });
    } else {
      button.removeAttribute("aria-current");
    }
  });
}

export interface ListedBody {
  name: string;
  triangles: number;
}

export function show_bodies(bodies: readonly ListedBody[], look: (body: number) => void, style: (body: number, style: Style) => void): void {
  element("bodies_part").hidden = bodies.length === 0;
  element("bodies").replaceChildren(...bodies.slice(0, listed).map((body, i) => {
    const entry = document.createElement("li");
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = `#${colour_of(i).toString(16).padStart(6, "0")}`;
    const name = document.createElement("button");
    name.className = "name";
    name.textContent = `${body.name} `;
    name.title = body.name;
    const count = document.createElement("small");
    count.textContent = `${body.triangles.toLocaleString("en")} triangles`;
    name.append(count);
    name.onclick = () => look(i);
    const styles = document.createElement("select");
    styles.setAttribute("aria-label", `how ${body.name} is drawn`);
    styles.append(...["solid", "translucent", "wire", "hidden"].map((text) => new Option(text)));
    styles.onchange = () => style(i, styles.value as Style);
    entry.append(swatch, name, styles);
    return entry;
  }));
}

export function hold_body(held: number | null): void {
  Array.from(element("bodies").children).forEach((entry, i) => entry.classList.toggle("held", i === held));
}

export function select_styles(style: Style): void {
  for (const select of document.querySelectorAll<HTMLSelectElement>("#bodies select")) select.value = style;
}

export function body_choices(names: readonly string[]): void {
  for (const [id, chosen] of [["ask_a", 0], ["ask_b", 1]] as const) {
    const select = element<HTMLSelectElement>(id);
    select.replaceChildren(...names.slice(0, listed).map((name, i) => new Option(name, String(i))));
    select.value = String(Math.min(chosen, names.length - 1));
  }
  element("ask_part").hidden = names.length === 0;
}

export function save(name: string, address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

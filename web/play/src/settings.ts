// SPDX-License-Identifier: MIT

/** "order=first|second undo=1" as elements: a choice is a list, a single value is a button. */
export function settings_elements(text: string, set: (name: string, value: string) => void): HTMLElement[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((entry) => {
      const [name, values] = entry.split("=") as [string, string];
      const all = values.split("|");
      if (all.length === 1) {
        const button = document.createElement("button");
        button.textContent = name;
        button.dataset["setting"] = name;
        button.onclick = () => set(name, values);
        return button;
      }
      const label = document.createElement("label");
      const select = document.createElement("select");
      select.dataset["setting"] = name;
      select.append(...all.map((value) => new Option(value)));
      select.onchange = () => set(name, select.value);
      label.append(`${name} `, select);
      return label;
    });
}

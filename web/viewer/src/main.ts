// SPDX-License-Identifier: MIT
import { document_inside } from "./document.js";
import { Engine } from "./engine.js";
import { Viewer } from "./viewer.js";

declare global {
  interface Window {
    /** For the console and the tests. */
    graze_view?: Viewer;
  }
}

/** The page becomes usable; a document inside it is shown. */
async function start(): Promise<void> {
  const viewer = new Viewer(await Engine.load());
  const inside = await document_inside();
  await viewer.show(inside);
  window.graze_view = viewer;
}

start().catch((error: Error) => {
  const message = document.getElementById("message")!;
  message.classList.add("error");
  message.textContent = `${error.message} (this page needs WebAssembly with SIMD, and WebGL 2)`;
});

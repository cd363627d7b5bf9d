// SPDX-License-Identifier: MIT
import { copyFileSync } from "node:fs";
import { defineConfig } from "vite";

// scripts/web builds the engine before it builds this.
const engine = process.env["GRAZE_WASM"] ?? "../../build-wasm/bin/graze.wasm";

export default defineConfig({
  build: {
    lib: { entry: "src/index.ts", formats: ["es"], fileName: () => "graze.js" },
    target: "es2022",
    sourcemap: true,
    rollupOptions: { external: [/^node:/] },
  },
  plugins: [
    {
      name: "graze-wasm",
      closeBundle() {
        copyFileSync(engine, "dist/graze.wasm");
      },
    },
  ],
});

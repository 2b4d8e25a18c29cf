import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const SERVER = "http://localhost:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/zashiki/web",
    emptyOutDir: true,
    // Old enough for the last two versions of every browser, new enough for no helpers.
    target: ["chrome111", "firefox114", "safari16.4"],
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { "/api": SERVER, "/socket": { target: SERVER, ws: true } },
  },
  test: {
    projects: [
      {
        extends: true,
        resolve: { conditions: ["browser"] },
        test: { name: "parts", include: ["tests/parts/**/*.test.ts"], environment: "jsdom" },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: { name: "measure", include: ["tests/browser/**/*.measure.ts"], testTimeout: 300_000, hookTimeout: 120_000, fileParallelism: false },
      },
    ],
  },
});

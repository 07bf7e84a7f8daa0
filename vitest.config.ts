import { defineConfig } from "vitest/config";
import packageJson from "./package.json" with { type: "json" };

export default defineConfig({
  define: { COMMONPLACE_VERSION: JSON.stringify(packageJson.version) },
  test: {
    include: ["src/**/*.test.ts", "web/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/packed-program.ts"],
    // The end-to-end tests start processes; two cores start them slowly.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a browser shows is waited for; a busy machine is slow to show it.
    expect: { poll: { timeout: 20_000 } },
  },
});

// An esbuild plugin that makes a start and the first call faster. Node loads
// these modules of its own only when they are asked for, each in 3 to 10 ms,
// and an import asks for them at once, needed or not. Here each becomes an
// object that asks when one of its functions is first used. A host that starts
// the server and searches its notes needs none of them.
import { createRequire } from "node:module";
import type { Plugin } from "esbuild";

const LATE = /^node:(?:child_process|crypto|fs\/promises|readline\/promises|worker_threads)$/;

const require = createRequire(import.meta.url);

export const lateBuiltins: Plugin = {
  name: "late-builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LATE }, ({ path, namespace }) =>
      namespace === "late" ? { path, external: true } : { path, namespace: "late" },
    );
    onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => {
      const getters = Object.keys(require(path) as object).map((name) => `get ${name}() { return load().${name}; }`);
      return { contents: `const load = () => require("${path}");\nmodule.exports = { ${getters.join(", ")} };` };
    });
  },
};

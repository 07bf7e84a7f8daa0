// An esbuild plugin for build.ts that makes a start 18 ms faster (of 70, on
// Node 24). The MCP SDK builds some 400 Zod schemas while it is loaded and at
// the first request; a connection uses a handful of them. Each declaration
//   const PingRequestSchema = RequestSchema.extend({…});
// becomes one that is evaluated when the schema is first used:
//   const PingRequestSchema = lazily(() => RequestSchema.extend({…}));
// Nothing else of the SDK changes. The number of declarations is fixed for the
// release that package.json names: the build fails on any other, and
// test/e2e/protocol/lazy-schemas.test.ts compares the built server with an unchanged SDK.
import { readFileSync } from "node:fs";
import { parse, type AnyNode, type Expression } from "acorn";
import type { Plugin } from "esbuild";

/** Wrapped declarations in the release of the SDK that package.json names. */
export const WRAPPED = 426;

const RUNTIME = `
  export function lazily(make) {
    let made;
    const value = () => (made ??= make());
    return new Proxy(value, {
      get: (value, key) => value()[key],
      set: (value, key, to) => ((value()[key] = to), true),
      has: (value, key) => key in value(),
      getPrototypeOf: (value) => Object.getPrototypeOf(value()),
    });
  }
  /** For a Set, whose methods want the Set itself as "this". */
  export function lazySet(make) {
    let made;
    return { has: (key) => (made ??= make()).has(key) };
  }`;

export const lazySchemas: Plugin = {
  name: "lazy-schemas",
  setup({ onResolve, onLoad, onEnd }) {
    let found = 0;
    onResolve({ filter: /^lazily$/ }, ({ path }) => ({ path, namespace: "lazily" }));
    onLoad({ filter: /.*/, namespace: "lazily" }, () => ({ contents: RUNTIME }));
    onLoad({ filter: /@modelcontextprotocol[\\/](core|server)[\\/]dist[\\/].*\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const wraps = wrapsIn(source);
      found += wraps.length;
      return { contents: wraps.length === 0 ? source : rewrite(source, wraps) };
    });
    onEnd(() => {
      if (found !== WRAPPED)
        throw new Error(
          `lazy-schemas wrapped ${found} declarations of the MCP SDK instead of ${WRAPPED}. Read how this release declares its schemas, then correct the number.`,
        );
    });
  },
};

interface Wrap {
  readonly init: Expression;
  readonly by: "lazily" | "lazySet";
}

function wrapsIn(source: string): Wrap[] {
  const wraps: Wrap[] = [];
  const visit = (node: AnyNode): void => {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init) {
      const { init } = node;
      const text = source.slice(init.start, init.end);
      if (
        /Schema(\$\d+)?$/.test(node.id.name) &&
        init.type === "CallExpression" &&
        /^(z\.|\w+Schema(\$\d+)?\.)/.test(text)
      ) {
        wraps.push({ init, by: "lazily" });
        return;
      }
      // Tables that look into schemas while they are made.
      if (init.type === "NewExpression" && /^new Set\(.*Schema\.shape/s.test(text)) wraps.push({ init, by: "lazySet" });
      if (init.type === "ObjectExpression" && /: shapeKeys\(/.test(text)) wraps.push({ init, by: "lazily" });
    }
    for (const child of Object.values(node) as unknown[]) {
      for (const item of Array.isArray(child) ? child : [child]) {
        if (typeof (item as AnyNode | null)?.type === "string") visit(item as AnyNode);
      }
    }
  };
  visit(parse(source, { ecmaVersion: "latest", sourceType: "module" }));
  return wraps;
}

function rewrite(source: string, wraps: readonly Wrap[]): string {
  let text = "";
  let from = 0;
  for (const { init, by } of wraps) {
    text += `${source.slice(from, init.start)}__${by}(() => (${source.slice(init.start, init.end)}))`;
    from = init.end;
  }
  return `import { lazily as __lazily, lazySet as __lazySet } from "lazily";\n${text}${source.slice(from)}`;
}

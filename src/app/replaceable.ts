// A Commonplace whose settings can be replaced while it is served: calls that run
// end on what they began with, and later ones use the new one. Used by the server
// over HTTP, where a person chooses another vault.
import type { Commonplace } from "./app.ts";

export interface Replaceable {
  /** Always the current one. */
  readonly commonplace: Commonplace;
  /** Waits until the calls of the previous one have ended, and closes it. */
  readonly replace: (next: Commonplace) => Promise<void>;
}

export function replaceable(first: Commonplace): Replaceable {
  let current = first;
  const commonplace = new Proxy(first, {
    get: (_, name) => {
      const value: unknown = Reflect.get(current, name);
      // A caller may keep a method: it must call that of the Commonplace that is
      // current then.
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => (Reflect.get(current, name) as (...all: unknown[]) => unknown)(...given);
    },
  });
  return {
    commonplace,
    replace: async (next) => {
      const previous = current;
      current = next;
      await previous.close();
    },
  };
}

// Runs a script of JavaScript for Automation on the simulated OmniOutliner, in a
// separate JavaScript context. Used by the simulated osascript, and by tests that
// make thousands of requests without a process for each.
import { createContext, runInContext } from "node:vm";
import { applicationOf } from "./dictionary.ts";
import { AppleEventError } from "./model.ts";
import type { SimulatedState } from "./state.ts";

export interface Ran {
  readonly output?: string;
  readonly error?: { readonly message: string; readonly number: number };
  /** Whether the state has changed. */
  readonly isChanged: boolean;
}

export function runScript(script: string, input: string, state: SimulatedState): Ran {
  const { application, models } = applicationOf(state);
  const isChanged = () => state.wasLaunched || [...models.values()].some((model) => model.isChanged);
  const context = createContext({
    Application: (name: string) => {
      if (name !== "OmniOutliner" || !state.isInstalled)
        throw new AppleEventError(-2700, "Application can't be found.");
      return application;
    },
    ObjC: { import: () => {}, unwrap: (value: { text: string }) => value.text },
    $: {
      NSUTF8StringEncoding: 4,
      NSFileHandle: { fileHandleWithStandardInput: { readDataToEndOfFile: { bytes: input } } },
      NSString: { alloc: { initWithDataEncoding: ({ bytes }: { bytes: string }) => ({ text: bytes }) } },
    },
  });
  try {
    return { output: String(runInContext(`${script}\n;run([])`, context)), isChanged: isChanged() };
  } catch (error) {
    const { message = String(error), errorNumber = -2700 } = error as Partial<AppleEventError>;
    return { error: { message, number: errorNumber }, isChanged: isChanged() };
  }
}

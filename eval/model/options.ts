// The options of `npm run eval`.
import { parseArgs } from "node:util";
import { PROTOCOLS, protocolAt, type ProtocolName } from "./protocols.ts";

export const HELP = `npm run eval                        does a search for tools find the right one? No model needed.
npm run eval -- --model URL         does a model call the right one?
npm run eval -- outcomes [ID …]     what comes of the recorded calls? With --model URL: of a model's.

  --model URL        an OpenAI- or Anthropic-compatible endpoint, such as http://localhost:11434/v1
  --name MODEL       the model to ask there
  --key-env VAR      the environment variable that holds the key
  --protocol NAME    openai or anthropic, if the URL does not tell
  --toolsets LIST    the tools to offer: default, lean, all …
  --parallel N       questions at a time (4)
  --out FILE         where the results go (eval/results/MODEL-TOOLSETS.json, and .md beside it)`;

export interface ModelOptions {
  readonly address: URL;
  readonly model: string;
  readonly keyVariable: string | undefined;
  readonly protocol: ProtocolName;
  readonly toolsets: string;
  readonly parallel: number;
  readonly out: string | undefined;
}

export interface Options {
  readonly help: boolean;
  /** Undefined: for each request, the list that a person who asks for it has. */
  readonly toolsets: string | undefined;
  /** Without it, no model is asked. */
  readonly withModel?: ModelOptions;
  /** Ids of outcomes. */
  readonly words: readonly string[];
  /** Whether outcomes that are right now are closed. */
  readonly close: boolean;
}

/** @throws Error with a sentence for the person */
export function readOptions(argv: readonly string[], isOfOutcomes = false): Options {
  const { values, positionals: words } = parseArgs({
    args: [...argv],
    allowPositionals: isOfOutcomes,
    options: {
      model: { type: "string" },
      name: { type: "string", default: "default" },
      "key-env": { type: "string" },
      protocol: { type: "string" },
      toolsets: { type: "string" },
      parallel: { type: "string", default: "4" },
      out: { type: "string" },
      help: { type: "boolean", default: false },
      close: { type: "boolean", default: false },
    },
  });
  const { help, toolsets, close } = values;
  if (close && !isOfOutcomes) throw new Error("--close: for outcomes only.");
  if (values.model === undefined) return { help, toolsets, words, close };
  const address = addressFrom(values.model);
  const protocol = values.protocol === undefined ? protocolAt(address) : protocolFrom(values.protocol);
  const parallel = Number(values.parallel);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > 32)
    throw new Error("--parallel: a whole number from 1 to 32.");
  if (values.out !== undefined && !values.out.endsWith(".json")) throw new Error("--out: a file that ends in .json.");
  const withModel = {
    address,
    model: values.name,
    keyVariable: values["key-env"],
    protocol,
    toolsets: toolsets ?? "default",
    parallel,
    out: values.out,
  };
  return { help, toolsets, withModel, words, close };
}

function addressFrom(given: string): URL {
  const address = URL.parse(given);
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new Error("--model: the address of an endpoint, such as http://localhost:11434/v1.");
  if (address.username !== "" || address.password !== "")
    throw new Error("--model: put the key into an environment variable, and name that with --key-env.");
  return address;
}

function protocolFrom(given: string): ProtocolName {
  if (Object.hasOwn(PROTOCOLS, given)) return given as ProtocolName;
  throw new Error(`--protocol: ${Object.keys(PROTOCOLS).join(" or ")}.`);
}

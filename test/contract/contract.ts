// The form of a contract's table: what tests check about a tool is data. A new
// tool gets a row under `tools` and as many cases as the contract has sentences.
import type { JsonSchema } from "../../src/tools/definition/field.ts";

export interface ContractTable {
  /** The contract's parameters of each tool, by name; what we add beyond them is optional. */
  readonly tools: Readonly<
    Record<string, { readonly required: readonly string[]; readonly parameters: Readonly<Record<string, JsonSchema>> }>
  >;
  readonly cases: readonly ContractCase[];
}

export interface ContractCase {
  /** What must hold, as a sentence after the tool's name. */
  readonly it: string;
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  /** Matched against structuredContent: asymmetric matchers are welcome. */
  readonly result: unknown;
}

// The vault contract, call by call.
import type { ContractTable } from "./contract.ts";

export const VAULT: ContractTable = { tools: {}, cases: [] };

// The outline contract, call by call.
import type { ContractTable } from "./contract.ts";

export const OUTLINE: ContractTable = { tools: {}, cases: [] };

// The form of a case of the outline contract, and what its cases are built from.
import { expect } from "vitest";
import type { ContractCase } from "./contract.ts";

/** Three kinds of files, and the OmniOutliner application. */
export const FORMATS = ["ooutline", "opml", "md", "app"] as const;
export type Format = (typeof FORMATS)[number];

/** Stands for the id of the row that has this topic. */
export class RowNamed {
  readonly topic: string;
  constructor(topic: string) {
    this.topic = topic;
  }
}
export const row = (topic: string) => new RowNamed(topic);

/** The state of a parent without a checkbox whose leaves are mixed: only OmniOutliner shows theirs. */
export const OF_LEAVES = Symbol("mixed in OmniOutliner, none in OPML and Markdown");

export interface OutlineCase extends ContractCase {
  /** The rows in the file afterwards, as a second reader finds them; omitted if not a byte may change. */
  readonly after?: readonly string[];
  /** Differences between formats. */
  readonly only?: readonly Format[];
  /** The result in the application, if it differs from that of a file. */
  readonly inApp?: object;
}

/** The content of the document before the first case. */
export const BEFORE = [
  "Project Tasks | the plan",
  "  [ ] Design",
  "  [x] Build",
  "Completed Tasks",
  "Meeting Notes",
  "  Item 1",
  "    Sub-item",
  "  Item 2",
] as const;

export const fails = (
  it: string,
  tool: string,
  sent: object,
  code: string,
  message: unknown = expect.any(String),
): OutlineCase => ({
  it,
  tool,
  arguments: { ...sent },
  isError: true,
  result: { success: false, error: { code, message } },
});

export const id = expect.stringMatching(/^\S+$/);

/** A complete row object. */
export const rowLike = (topic: string, facts: object = {}) => ({
  id,
  topic,
  note: null,
  level: 0,
  state: "none",
  hasChildren: false,
  parentId: null,
  childIds: [],
  ...facts,
});

/** Every write has these in addition to what a case says. */
export const written = { success: true, undoAvailable: true, version: expect.any(String) };

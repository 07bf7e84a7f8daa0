// Arguments that say where something is or shall be, sent to a tool that does not
// take them: models send the name of a note and its folder apart, or the document
// or vault that they mean. A tool that writes refuses them, since its change would
// be somewhere else. Pure; used by argument-names.ts and call.ts.
import { Problem } from "../../../kernel/kernel.ts";
import type { Tool } from "../../definition/define-tool.ts";
import { isAmong } from "./argument-spelling.ts";
import { FOLDERS, OUTLINES } from "./argument-synonyms.ts";

type Values = Readonly<Record<string, unknown>>;

const PLACES = `${FOLDERS} parent parentFolder parentPath parentDirectory subfolder location targetFolder targetDirectory destination destinationFolder toFolder into in inside within`;
const TARGETS = `${PLACES} ${OUTLINES} documentName inDocument notePath noteName page vault vaultName project projectName projectPath`;

/** The arguments that say where something is or will be, the latter first. */
const PATHS = ["newPath", "targetPath", "filePath", "path"];

/** Characters of a folder that a hint repeats. */
const MAX_LENGTH = 200;

/** A call of which an argument says where to write, and would be ignored. */
export class TargetNotTaken extends Problem {}

/** Throws if an argument that the tool does not know names the target of a write, and no other one says the same. */
export function refuseOtherTarget(tool: Tool, values: Values, unknown: Values, takes: string): void {
  // An id says by itself what is meant. What is remembered has no place.
  if (values["id"] !== undefined || tool.toolset === "memory") return;
  const name = Object.keys(unknown).find((each) => isAmong(TARGETS, each) && !isSaid(unknown[each], values));
  if (name === undefined) return;
  const advice =
    tool.toolset === "outline"
      ? "It works in the current outline: to open another, open_document {path}."
      : (placeHint(name, unknown[name], values) ?? takes);
  throw new TargetNotTaken("invalid", `Nothing was changed: ${tool.name} does not take ${name}.`, advice);
}

/** Returns whether the arguments that the tool takes say the same, or there is nothing to say. */
function isSaid(value: unknown, values: Values): boolean {
  if (typeof value !== "string") return value === undefined || value === null || value === false;
  const wanted = placeIn(value);
  if (wanted === "") return true;
  return [...PATHS, "documentName", "vault"].some((field) => {
    const sent = values[field];
    if (typeof sent !== "string") return false;
    const place = placeIn(sent);
    return `${place}/`.startsWith(`${wanted}/`) || withoutEnding(`/${place}`).endsWith(withoutEnding(`/${wanted}`));
  });
}

function placeIn(value: string): string {
  return withoutEnds(value).toLowerCase();
}

/** Without `./` and slashes around it. */
function withoutEnds(value: string): string {
  return value.replace(/^[./]+(?=\/|$)|(?<!\/)\/+$/g, "").replace(/^\/+/, "");
}

function withoutEnding(path: string): string {
  return path.replace(/\.[a-z0-9]{1,8}$/, "");
}

/** The path to send; undefined if the argument names no folder, or the path that was sent says the same. */
export function placeHint(name: string, value: unknown, values: Values): string | undefined {
  if (!isAmong(PLACES, name) || typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  const folder = withoutEnds(value);
  const field = PATHS.find((each) => typeof values[each] === "string");
  const sent = values[field ?? ""];
  // An address such as daily:today says where by itself.
  if (folder === "" || field === undefined || typeof sent !== "string" || sent.includes(":")) return undefined;
  if (`${sent}/`.toLowerCase().startsWith(`${folder}/`.toLowerCase())) return undefined;
  const meant = `${folder}/${sent.slice(sent.lastIndexOf("/") + 1)}`;
  return `The folder belongs to the path: send ${field} ${JSON.stringify(meant)}.`;
}

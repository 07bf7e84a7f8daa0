// An argument that names a folder, sent to a tool that takes whole paths: models
// send the name of a note and its folder apart. What was ignored cannot be taken
// back, so the hint has the next call. Pure; used by argument-names.ts.
import type { Tool } from "../../definition/define-tool.ts";
import { isAmong } from "./argument-spelling.ts";
import { FOLDERS } from "./argument-synonyms.ts";
import type { Offers } from "../offered-tools.ts";

type Values = Readonly<Record<string, unknown>>;

const PLACES = `${FOLDERS} parent parentFolder parentPath parentDirectory subfolder location targetFolder targetDirectory destination destinationFolder toFolder into in inside within`;

/** The arguments that say where something is or will be, the latter first. */
const PATHS = ["newPath", "targetPath", "filePath", "path"];

const MOVE = "vaultManager_moveNote";
/** Characters of a folder that a hint repeats. */
const MAX_LENGTH = 200;

/** A call and its outcome. */
export interface CallMade {
  readonly tool: Pick<Tool, "name" | "effects">;
  /** The arguments that the tool took. */
  readonly values: Values;
  /** The path of what it worked on last; undefined if it failed. */
  readonly place: string | undefined;
  readonly offers: Offers;
}

/** Undefined if the argument names no folder, or the path that was sent says the same. */
export function placeHint(name: string, value: unknown, { tool, values, place, offers }: CallMade): string | undefined {
  if (!isAmong(PLACES, name) || typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  const folder = value.replace(/^[./]+(?=\/|$)|(?<!\/)\/+$/g, "").replace(/^\/+/, "");
  const field = PATHS.find((each) => typeof values[each] === "string");
  const sent = place ?? values[field ?? ""];
  // An address such as daily:today says where by itself.
  if (folder === "" || field === undefined || typeof sent !== "string" || sent.includes(":")) return undefined;
  if (`${sent}/`.toLowerCase().startsWith(`${folder}/`.toLowerCase())) return undefined;
  const meant = `${folder}/${sent.slice(sent.lastIndexOf("/") + 1)}`;
  const again = `${field} ${JSON.stringify(meant)}`;
  if (place === undefined || tool.effects.readOnly) return `The folder belongs to the path: send ${again}.`;
  const isMade = field === "newPath" || field === "targetPath" || /_create/.test(tool.name);
  const move = { path: place, newPath: meant, ...(values["vault"] !== undefined && { vault: values["vault"] }) };
  if (isMade && offers(MOVE) === true)
    return `It is at ${place}, not in ${folder}. To put it there: ${MOVE} ${JSON.stringify(move)}`;
  return `This changed ${place}, nothing in ${folder}. If ${meant} was meant, undo this, then send ${again}.`;
}

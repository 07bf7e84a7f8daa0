// The file beside a session's events that names it and its folder. Used by
// copilot-cli.ts.
import { CORE_SCHEMA, load } from "js-yaml";
import { textAt } from "../kit/json-document.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { timeOf, type ConversationFacts } from "../source.ts";

export type Workspace = Pick<ConversationFacts, "title" | "titleBy" | "folder" | "branch"> & {
  /** In milliseconds. Of a fork, when it was made. */
  readonly created: number | undefined;
};

/** A dozen short lines. */
const LARGEST = 1 << 16;

export function workspaceAt(path: string): Workspace | undefined {
  const fields = recordOf(parsed(textAt(path)));
  if (fields === undefined) return undefined;
  const name = textOf(fields["name"]);
  // Version 0 had a summary instead of a name; while there were both, the name was the person's.
  const isByUser = fields["user_named"] ?? (name !== undefined && textOf(fields["summary"]) !== undefined);
  return {
    title: name ?? textOf(fields["summary"]),
    ...(isByUser === true && name !== undefined && { titleBy: "user" }),
    folder: textOf(fields["cwd"]),
    branch: textOf(fields["branch"]),
    created: timeOf(fields["created_at"]),
  };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text.length > LARGEST) return undefined;
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch {
    return undefined;
  }
}

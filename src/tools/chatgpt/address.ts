// The addresses of search results for ChatGPT: those of the resources, with the
// message of a conversation that matched. Pure. Used by chatgpt.ts.
import type { SearchHit } from "../every/searchers.ts";

export type Address =
  | { readonly kind: "note"; readonly path: string; readonly vault?: string }
  | { readonly kind: "outline"; readonly id: string }
  | { readonly kind: "conversation"; readonly id: string; readonly message?: string };

export function addressOf({ kind, id, vault, message }: Pick<SearchHit, "kind" | "id" | "vault" | "message">): string {
  if (kind === "outline") return `outline:///${encodeURIComponent(id)}`;
  if (kind === "conversation")
    return `conversation:///${encodeURIComponent(id)}${message === undefined ? "" : `#${encodeURIComponent(message)}`}`;
  return `note://${vault === undefined ? "" : encodeURIComponent(vault)}/${id.split("/").map(encodeURIComponent).join("/")}`;
}

/** @returns undefined if it is the address of nothing that search returns */
export function addressIn(sent: string): Address | undefined {
  const [, scheme, host = "", rest = "", fragment] =
    /^(note|outline|conversation):\/\/([^/#]*)\/([^#]*)(?:#(.*))?$/s.exec(sent.trim()) ?? [];
  if (scheme === undefined || rest === "") return undefined;
  try {
    const [vault, path, message] = [host, rest, fragment ?? ""].map(decodeURIComponent) as [string, string, string];
    if (scheme === "note") return { kind: "note", path, ...(vault !== "" && { vault }) };
    if (scheme === "outline") return { kind: "outline", id: path };
    return { kind: "conversation", id: path, ...(message !== "" && { message }) };
  } catch {
    // Not the encoding of any text.
    return undefined;
  }
}

// Sends an archive of conversations to the server. With XMLHttpRequest, since
// fetch does not report how much was sent. Used by the client.
import type { ImportLine } from "../../src/mcp/mcp.ts";
import { Problem, Unauthorized } from "./failures.ts";

export type ImportResult = Extract<ImportLine, { readonly summary: string }>;

export interface ImportProgress {
  readonly step: "sending" | "importing";
  /** From 0 to 1. */
  readonly share: number;
}

export function sendArchive(
  file: File,
  token: string,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/import");
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress({ step: "sending", share: loaded / (total || 1) });
    request.upload.onload = () => onProgress({ step: "importing", share: 0 });
    request.onprogress = () => {
      const line = lastLine(request.responseText);
      if (line !== undefined && "done" in line) onProgress({ step: "importing", share: line.done / line.total });
    };
    request.onerror = () => reject(new Error("The connection broke off."));
    request.onload = () => {
      const line = lastLine(request.responseText);
      if (request.status === 401) reject(new Unauthorized());
      else if (line !== undefined && "summary" in line) resolve(line);
      else if (line !== undefined && "error" in line) reject(new Problem(line.error.message, line.error.hint));
      else reject(new Problem(`The server answered ${request.status}.`));
    };
    request.send(file);
  });
}

/** Undefined if it has not arrived as a whole. */
function lastLine(text: string): ImportLine | undefined {
  try {
    return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as ImportLine;
  } catch {
    return undefined;
  }
}

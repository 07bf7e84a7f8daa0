// Amp: a document per thread, of those that it keeps on this machine; newer
// versions keep most of them on its server.
import { basename, join } from "node:path";
import { documentSource } from "../kit/document-source.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundIn } from "../kit/transcript-search.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import { timeOf } from "../source.ts";

export const amp = documentSource({
  name: "amp",
  title: "Amp",
  reader: 1,
  resume: { command: "amp threads continue ID".split(" "), idPattern: /^T-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/ },
  find: ({ folder, environment }) =>
    foundIn(join(environment["XDG_DATA_HOME"] || join(folder, ".local", "share"), "amp", "threads"), /^T-.*\.json$/),
  sessionOf: (path) => basename(path, ".json"),
  list: "messages",
  factsIn: (fieldOf) => {
    const tree = recordsOf(recordOf(recordOf(fieldOf("env"))?.["initial"])?.["trees"])[0];
    const folder = textOf(tree?.["uri"]);
    return {
      title: textOf(fieldOf("title")),
      ...(folder !== undefined && { folder: folderOfUri(folder) }),
      ...storedTimes(timeOf(fieldOf("created"))),
    };
  },
  meaningOf: (message, { session, at }) => {
    if (message["role"] !== "user" && message["role"] !== "assistant") return undefined;
    const usage = recordOf(message["usage"]) ?? {};
    const content = Array.isArray(message["content"])
      ? recordsOf(message["content"]).map(withResult)
      : message["content"];
    const { inputTokens: input, outputTokens: output, cacheReadInputTokens: cached } = usage;
    return {
      message: { role: message["role"], content },
      id: `${session}:${textOf(message["dbMessageID"]) ?? at}`,
      time: usage["timestamp"] ?? recordOf(message["meta"])?.["sentAt"],
      tokens: tokensIn({ input, output, cached, written: usage["cacheCreationInputTokens"] }, true),
      facts: { model: textOf(usage["model"]) },
    };
  },
  cut: [{ key: "run" }],
});

/** What a tool gave is among how it ran. */
function withResult(block: Fields): Fields {
  const run = recordOf(block["run"]);
  if (block["type"] !== "tool_result" || run === undefined) return block;
  const result = run["result"] ?? recordOf(run["error"])?.["message"] ?? run["status"];
  const fields = recordOf(result);
  const shown = fields === undefined ? result : (fields["output"] ?? fields["content"] ?? fields["diff"]);
  const content = typeof shown === "string" ? shown : JSON.stringify(shown ?? result ?? "");
  return { type: "tool_result", tool_use_id: block["toolUseID"], content };
}

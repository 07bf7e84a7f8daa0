// iFlow: a file per session in a folder per project, with the records of Claude
// Code and the tools of Gemini CLI. While an answer is streamed, its calls are
// repeated in several records.
import { basename, dirname, join } from "node:path";
import { callsIn, saidInMessage, withoutReminders } from "../kit/said.ts";
import { logSource, OpenCalls, type Fields, type SessionLog } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { type Finding, type Said, type SourceEvent, timeOf } from "../source.ts";

interface Own {
  readonly session: string;
  readonly project: string;
  readonly calls: OpenCalls;
}

export const iflow = logSource<Own>({
  name: "iflow",
  title: "iFlow",
  reader: 1,
  *find({ folder }): Generator<Finding> {
    const projects = join(folder, ".iflow", "projects");
    for (const project of yield* lookedInto(projects))
      for (const { name } of (yield* listed(join(projects, project.name))) ?? [])
        if (name.endsWith(".jsonl")) yield* foundFile(join(projects, project.name, name));
  },
  begin: (path, saved) => ({
    session: basename(path, ".jsonl"),
    project: basename(dirname(path)),
    calls: new OpenCalls(saved?.calls),
  }),
  conversation: ({ session }) => session,
  eventsOf,
  cut: [
    { key: "content", depth: 4 },
    { key: "toolUseResult", isLeftOut: true },
  ],
});

function* eventsOf(record: Fields, log: SessionLog<Own>): Generator<SourceEvent> {
  const message = recordOf(record["message"]);
  const id = textOf(record["uuid"]);
  if (message === undefined || id === undefined) return log.skip("records without a message");
  const { project: workspace, calls } = log.own;
  const isNew = (call: string | undefined) => call === undefined || calls.toolOf(call) === undefined;
  const content = message["content"];
  const blocks = Array.isArray(content)
    ? content.filter(
        (block: unknown) => recordOf(block)?.["type"] !== "tool_use" || isNew(textOf(recordOf(block)?.["id"])),
      )
    : content;
  const own = { ...message, content: blocks };
  for (const { id: call, tool } of callsIn(own)) calls.add(call, tool);
  yield* log.changedFacts({
    folder: textOf(record["cwd"]),
    branch: textOf(record["gitBranch"]),
    workspace,
    model: textOf(message["model"]),
  });
  const said = saidIn(record, own, calls);
  if (said === undefined) return log.skipUnknown("messages", message["role"]);
  const isSubagent = record["isSidechain"] === true;
  yield* log.parts(said, id, timeOf(record["timestamp"]), textOf(message["id"]), isSubagent);
  const usage = recordOf(message["usage"]);
  yield* log.usage(tokensIn({ input: usage?.["input_tokens"], output: usage?.["output_tokens"] }));
}

function saidIn(record: Fields, message: Fields, calls: OpenCalls): Said[] | undefined {
  if (record["isMeta"] === true) return [];
  const results = recordsOf(message["content"]).map(withOutput);
  const content = results.length > 0 ? results : message["content"];
  const said = saidInMessage(
    { ...message, content },
    { toolOf: (call) => calls.toolOf(call), typed: withoutReminders },
  );
  return record["isCompactSummary"] === true
    ? said?.map((one): Said => ({ ...one, kind: "summary", role: "assistant" }))
    : said;
}

/** A result has the response of Gemini's interface in place of a text. */
function withOutput(block: Fields): Fields {
  const parts = recordOf(recordOf(block["content"])?.["responseParts"]);
  const response = recordOf(recordOf(parts?.["functionResponse"])?.["response"]);
  return response === undefined ? block : { ...block, content: response["output"] ?? JSON.stringify(response) };
}

// gptme: a folder per conversation with its messages, one per line, and
// `config.toml` with its name and folder. An edit or undo writes the file again.
import { basename, dirname, join } from "node:path";
import { operatingSystem, systemFolders } from "../../../kernel/kernel.ts";
import { textAt } from "../kit/json-document.ts";
import { messageLogSource } from "../kit/message-program.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundFile, lookedInto } from "../kit/transcript-search.ts";
import type { Finding } from "../source.ts";

export const gptme = messageLogSource({
  name: "gptme",
  title: "gptme",
  reader: 1,
  resume: { command: ["gptme", "--name", "ID"], idPattern: /^[\w][\w.-]{0,200}$/ },
  *find({ folder, systems, environment }): Generator<Finding> {
    const data = systems.map((system) =>
      environment["XDG_DATA_HOME"]
        ? join(environment["XDG_DATA_HOME"], "gptme")
        : join(systemFolders({ home: folder, environment }, operatingSystem(system), join).data, "gptme"),
    );
    const places = environment["GPTME_LOGS_HOME"]
      ? [environment["GPTME_LOGS_HOME"]]
      : data.map((one) => join(one, "logs"));
    for (const logs of new Set(places))
      for (const { name } of yield* lookedInto(logs))
        yield* foundFile(join(logs, name, "conversation.jsonl"), [join(logs, name, "config.toml")]);
  },
  sessionOf: (path) => basename(dirname(path)),
  factsAt: (path) => {
    const config = textAt(join(dirname(path), "config.toml")) ?? "";
    const valueOf = (name: string) => textOf(new RegExp(`^${name} = "([^"\\n]+)"$`, "m").exec(config)?.[1]);
    const folder = valueOf("workspace");
    return { title: valueOf("name"), ...(folder !== "@log" && { folder }) };
  },
  meaningOf: ({ role, content, timestamp: time, metadata, pinned, hide }, { at }) => {
    const { model, usage } = recordOf(metadata) ?? {};
    const { input_tokens: input, output_tokens: output, ...cache } = recordOf(usage) ?? {};
    const tokens = tokensIn(
      { input, output, cached: cache["cache_read_tokens"], written: cache["cache_creation_tokens"] },
      true,
    );
    if (role === "user" || role === "assistant")
      return { message: { role, content }, time, tokens, facts: { model: textOf(model) } };
    // What tools gave had the role of the system before 2026; so have the prompts of the program.
    if (role !== "tool" && role !== "system") return undefined;
    const isPrompt = role === "system" && (pinned === true || hide === true || at === 0);
    return isPrompt ? {} : { message: { role: "tool", content }, time };
  },
});

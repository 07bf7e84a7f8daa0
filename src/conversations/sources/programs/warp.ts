// Warp: prompts as rows of its database. What its agent answered is there in a
// form that is not documented, and is not read.
import { join } from "node:path";
import { rowSource } from "../kit/row-source.ts";
import { recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import { foundDatabase } from "../kit/transcript-search.ts";
import type { Finding } from "../source.ts";

export const warp = rowSource({
  name: "warp",
  title: "Warp",
  reader: 1,
  *find({ folder, environment }): Generator<Finding> {
    const group = join("Library", "Group Containers", "2BBY89MBSN.dev.warp", "Library", "Application Support");
    const places = [
      join(folder, group, "dev.warp.Warp-Stable"),
      join(environment["XDG_STATE_HOME"] || join(folder, ".local", "state"), "warp-terminal"),
      join(environment["LOCALAPPDATA"] || join(folder, "AppData", "Local"), "warp", "Warp", "data"),
    ];
    for (const place of places) yield* foundDatabase(join(place, "warp.sqlite"));
  },
  tables: ["ai_queries"],
  sessions: `SELECT conversation_id AS id, min(working_directory) AS folder, max(model_id) AS model
    FROM ai_queries GROUP BY conversation_id`,
  marks: "SELECT conversation_id AS id, count(*) || ' ' || sum(octet_length(input)) AS mark FROM ai_queries GROUP BY 1",
  messages: `SELECT exchange_id, CAST(start_ts AS TEXT) AS time, input FROM ai_queries
    WHERE conversation_id = ? AND octet_length(input) <= 67108864 ORDER BY start_ts`,
  factsOf: ({ folder, model }) => ({ folder: textOf(folder), model: textOf(model) }),
  meaningOf: ({ exchange_id: id, time, input }) => {
    const typed = recordsOf(storedJson(input)).flatMap((one) => textOf(recordOf(one["Query"])?.["text"]) ?? []);
    return {
      message: { role: "user", content: typed.join("\n\n") },
      // In UTC, without a zone.
      time: `${String(time).replace(" ", "T").replace(/Z$/, "")}Z`,
      id: String(id),
    };
  },
});

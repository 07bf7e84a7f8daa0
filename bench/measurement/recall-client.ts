// The built server on a home folder, asked for conversations alone. Used by the
// benchmarks of recall.
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { LineClient } from "./line-client.ts";

interface Answer {
  readonly conversations: readonly { readonly id: string; readonly holds?: string }[];
}

export type RecallServer = Awaited<ReturnType<typeof serveRecall>>;

/** @param ours the folder for the index @param projects folders in which programs may keep conversations */
export async function serveRecall(home: string, ours: string, projects: readonly string[] = []) {
  const elsewhere = join(ours, "elsewhere");
  mkdirSync(elsewhere, { recursive: true });
  const client = new LineClient(
    [
      "bin/commonplace.js",
      "--home",
      ours,
      "--project",
      elsewhere,
      ...(projects.length > 0 ? ["--projects", projects.join(delimiter)] : []),
    ],
    // Nothing else of the environment: a variable may name the real folder of a program.
    { PATH: process.env["PATH"], HOME: home, USERPROFILE: home },
  );
  await client.initialize();
  // What a server does only once is not measured.
  await client.request("tools/list");
  return {
    recall: async (sent: object) => {
      const { result } = (await client.request("tools/call", { name: "recall_conversations", arguments: sent })) as {
        result: { isError?: true; content: { text: string }[]; structuredContent: Answer };
      };
      if (result.isError) throw new Error(result.content[0]!.text);
      return result.structuredContent;
    },
    memory: () => client.memory(),
    peakMemory: () => client.peakMemory(),
    processorTime: () => client.processorTime() ?? Number.NaN,
    close: () => client.close(),
  };
}

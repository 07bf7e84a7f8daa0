// The built server on a vault, asked by its search tool alone. Used by the
// benchmarks of the search.
import { LineClient } from "./line-client.ts";

export interface Serving {
  /** Further flags. */
  readonly more?: readonly string[];
  /** The user's home folder, in which conversations are looked for; by default the real one. */
  readonly user?: string;
}

interface Answer {
  readonly results: { readonly id: string; readonly kind: string; readonly title: string }[];
  readonly related?: { readonly filePath: string }[];
  readonly indexing?: object;
}

export async function serve(vault: string, home: string, { more = [], user }: Serving = {}) {
  const args = ["bin/commonplace.js", "--vault", vault, "--home", home, ...more];
  const env = user === undefined ? process.env : { PATH: process.env["PATH"], HOME: user, USERPROFILE: user };
  const client = new LineClient(args, env);
  await client.initialize();
  /** A row of an outline is named by its topic. */
  const ask = async (query: string, limit: number, kinds?: readonly string[]) => {
    for (;;) {
      const { result } = (await client.request("tools/call", {
        name: "search",
        arguments: { query, limit, ...(kinds && { kinds }) },
      })) as { result: { structuredContent: Answer } };
      const { results, related = [], indexing } = result.structuredContent;
      if (indexing === undefined)
        return {
          results: results.map(({ id, kind, title }) => (kind === "outline" ? title : id)),
          related: related.map(({ filePath }) => filePath),
        };
    }
  };
  const search = async (query: string, limit: number): Promise<string[]> => (await ask(query, limit)).results;
  return {
    ask,
    search,
    memory: () => client.memory(),
    processorTime: () => client.processorTime(),
    close: () => client.close(),
  };
}

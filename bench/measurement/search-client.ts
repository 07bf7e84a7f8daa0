// The built server on a vault, asked by its search tool alone. Used by the
// benchmarks of the search.
import { LineClient } from "./line-client.ts";

export async function serve(vault: string, home: string) {
  const client = new LineClient(["bin/commonplace.js", "--vault", vault, "--home", home]);
  await client.initialize();
  const ask = async (query: string, limit: number): Promise<{ results: string[]; related: string[] }> => {
    for (;;) {
      const { result } = (await client.request("tools/call", { name: "search", arguments: { query, limit } })) as {
        result: {
          structuredContent: { results: { id: string }[]; related?: { filePath: string }[]; indexing?: object };
        };
      };
      const { results, related = [], indexing } = result.structuredContent;
      if (indexing === undefined)
        return { results: results.map(({ id }) => id), related: related.map(({ filePath }) => filePath) };
    }
  };
  const search = async (query: string, limit: number): Promise<string[]> => (await ask(query, limit)).results;
  return { ask, search, memory: () => client.memory(), close: () => client.close() };
}

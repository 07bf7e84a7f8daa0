// The built server on a vault, asked by its search tool alone. Used by the
// benchmarks of the search.
import { LineClient } from "./line-client.ts";

export async function serve(vault: string, home: string) {
  const client = new LineClient(["bin/commonplace.js", "--vault", vault, "--home", home]);
  await client.initialize();
  const search = async (query: string, limit: number): Promise<string[]> => {
    for (;;) {
      const { result } = (await client.request("tools/call", { name: "search", arguments: { query, limit } })) as {
        result: { structuredContent: { results: { id: string }[]; indexing?: object } };
      };
      if (result.structuredContent.indexing === undefined) return result.structuredContent.results.map(({ id }) => id);
    }
  };
  return { search, memory: () => client.memory(), close: () => client.close() };
}

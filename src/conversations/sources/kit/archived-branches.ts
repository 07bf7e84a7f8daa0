// The messages of a conversation that a service sent as a tree: in the order in
// which they are read, and which of them the conversation no longer builds on.
// Pure; used by the sources whose conversations are imported.

export interface TreeNode {
  readonly id: string;
  readonly parent: string | undefined;
  readonly time: number | undefined;
}

export interface PlacedNode<N> {
  readonly node: N;
  readonly isAbandoned: boolean;
}

/**
 * Each message after the one that it follows, with the branches of one message one after the other, the oldest first.
 * @param leaf the last message of the branch that the person was on; the newest message if it is not known
 */
export function inReadingOrder<N extends TreeNode>(nodes: readonly N[], leaf: string | undefined): PlacedNode<N>[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const last = (leaf === undefined ? undefined : byId.get(leaf)) ?? newestOf(nodes);
  const current = new Set<string>();
  for (let node = last; node !== undefined && !current.has(node.id); node = byId.get(node.parent ?? ""))
    current.add(node.id);
  return [...walk(nodes, byId)].map((node) => ({ node, isAbandoned: !current.has(node.id) }));
}

function* walk<N extends TreeNode>(nodes: readonly N[], byId: ReadonlyMap<string, N>): Generator<N> {
  const children = Map.groupBy(nodes, ({ parent }) => (parent !== undefined && byId.has(parent) ? parent : undefined));
  const seen = new Set<string>();
  // What follows itself, in a damaged file, comes last.
  for (const root of [...(children.get(undefined) ?? []), ...nodes]) {
    const stack = [root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      yield node;
      const next = (children.get(node.id) ?? []).toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0));
      for (const child of next.toReversed()) stack.push(child);
    }
  }
}

function newestOf<N extends TreeNode>(nodes: readonly N[]): N | undefined {
  return nodes.reduce<N | undefined>(
    (newest, node) => (newest === undefined || (node.time ?? 0) >= (newest.time ?? 0) ? node : newest),
    undefined,
  );
}

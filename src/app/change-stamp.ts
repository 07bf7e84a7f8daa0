// A text that differs after every change of what open pages show: notes, the
// outline, conversations. Used by app.ts.
import type { Conversations } from "../conversations/conversations.ts";
import type { Outlines } from "../outline/outline.ts";
import type { Vault } from "../vault/vault.ts";
import type { Parts } from "./parts.ts";

/** Re-indexes external changes first. Parts that were never opened cannot have shown anything that changed. */
export async function changeStamp({ vaults, outlines, conversations }: Parts): Promise<string> {
  const stamps = await Promise.allSettled([
    ...vaults.map(({ vault }) => vault.get().then(stampOfVault)),
    outlines.opened().then(stampOfOutline),
    conversations.opened().then(stampOfConversations),
  ]);
  return stamps.map((stamp) => (stamp.status === "fulfilled" ? stamp.value : String(stamp.reason))).join(" ");
}

/** Includes the journal: changes of folders and of unknown files are not in the index. */
async function stampOfVault({ index, journal }: Vault): Promise<string> {
  await index.refresh();
  return `${await index.stamp()} ${(await journal.history({ limit: 1 })).entries[0]?.id ?? "-"}`;
}

/** Includes the file's time: a page may have shown a version that was changed and changed back. */
async function stampOfOutline(outlines: Outlines | undefined): Promise<string> {
  if (outlines === undefined) return "-";
  const document = await outlines.currentIfThere();
  const version = document && (await document.read()).version;
  // Other documents that a page shows, or an assistant changes.
  const times = await Promise.allSettled(outlines.inUse().map((each) => each.modified()));
  const used = times.map((time) => (time.status === "fulfilled" ? time.value : undefined));
  return `${version} ${await document?.modified()} ${used.toSorted().join(" ")}`;
}

/** A conversation that continues becomes the newest. */
async function stampOfConversations(conversations: Conversations | undefined): Promise<string> {
  if (conversations === undefined) return "-";
  const { answer } = await conversations.recall({ limit: 1 });
  const [newest] = answer.conversations;
  return `${answer.total}-${newest?.updated}-${newest?.messages}`;
}

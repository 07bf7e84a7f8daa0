// commonplace store unshare and leave: take back what one has added to a space. They
// ask first, since nothing brings it back.
import { projectsSharedHere, stopSharing } from "../../app/app.ts";
import { counted, Problem } from "../../kernel/kernel.ts";
import {
  countFiles,
  countOwnRows,
  leaveSpace,
  ownConversation,
  type OwnRows,
  type Space,
  spaceNamed,
  type Store,
  unshare,
} from "../../shared/shared.ts";
import type { Invocation } from "../command.ts";
import { isConfirmed } from "../confirmation.ts";
import { done, undone } from "./outcome.ts";
import { spaceOf } from "./space-flag.ts";

export async function unshareRows(store: Store, invocation: Invocation): Promise<number> {
  const space = await spaceNamed(store, spaceOf(invocation));
  const [project, conversation] = [textOf(invocation, "project"), textOf(invocation, "conversation")];
  if (project !== undefined && conversation !== undefined)
    throw new Problem("invalid", "--project and --conversation exclude each other.");
  if (conversation !== undefined) return unshareConversation(store, invocation, space, conversation);
  const [rows, shared] = await Promise.all([
    countOwnRows(store, space, { project }),
    projectsSharedHere(invocation.settings, store, space, project),
  ]);
  if (project !== undefined && rows.conversations === 0 && shared.length === 0)
    throw new Problem("not_found", `You share no conversations of a project called ${project} with ${space.name}.`);
  const what = `the ${amountOf(rows)} that you added to ${space.name}`;
  if (!(await isConfirmed(invocation, `Delete ${what}? This cannot be undone.`, "does"))) return undone(invocation);
  // First: a push of the system would bring them back.
  await stopSharing(invocation.settings, store, space, shared);
  const identities = shared.map((one) => one.project);
  const deleted = await unshare(store, space, { project }, identities);
  return done(invocation, `Deleted from ${space.name}: ${amountOf(deleted)}.`, { space: space.name, deleted });
}

async function unshareConversation(store: Store, invocation: Invocation, space: Space, id: string): Promise<number> {
  const { number, key, title } = await ownConversation(store, space, id);
  const question = `Delete the conversation "${title}" from ${space.name}? This cannot be undone.`;
  if (!(await isConfirmed(invocation, question, "does"))) return undone(invocation);
  const deleted = await unshare(store, space, { conversation: number });
  return done(invocation, `Deleted from ${space.name}: "${title}".`, { space: space.name, conversation: key, deleted });
}

/** Files belong to the space, not to who wrote them: they go with its last member. */
export async function leave(store: Store, invocation: Invocation): Promise<number> {
  const space = await spaceNamed(store, spaceOf(invocation));
  const rows = await countOwnRows(store, space);
  const isLast = space.members.length === 1;
  const { files } = (await countFiles(store)).get(space.name) ?? { files: 0 };
  const what = isLast
    ? `${space.name} and everything in it, with ${counted(files, "file")} and their history`
    : `the ${amountOf(rows)} that you added to ${space.name}`;
  if (!(await isConfirmed(invocation, `Delete ${what}, and leave? This cannot be undone.`, "does")))
    return undone(invocation);
  await stopSharing(
    invocation.settings,
    store,
    space,
    await projectsSharedHere(invocation.settings, store, space, undefined),
  );
  await leaveSpace(store, space);
  const deleted = { ...rows, ...(isLast && { files }) };
  return done(invocation, `You have left ${space.name}. Deleted: ${what}.`, { left: space.name, deleted });
}

function textOf({ flags }: Invocation, name: string): string | undefined {
  const given = flags[name];
  if (given === "") throw new Problem("invalid", `--${name} names nothing.`);
  return typeof given === "string" ? given : undefined;
}

function amountOf({ events, conversations }: OwnRows): string {
  return `${counted(events, "event")} and ${counted(conversations, "conversation")}`;
}

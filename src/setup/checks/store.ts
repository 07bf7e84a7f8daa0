// Checks the shared store: whether it can be reached, and what one may do there.
// Loaded only if a store is named.
import { byteCount, counted, Problem } from "../../kernel/kernel.ts";
import {
  checkServerLogin,
  countFiles,
  isServerLogin,
  listSpaces,
  NEWEST_STORE_VERSION,
  openStore,
  ownName,
  spaceNamed,
} from "../../shared/shared.ts";
import type { ServerSettings, Settings } from "../../settings.ts";
import type { Check, Finding } from "./finding.ts";

export const checkStore: Check = async ({ store: address, server }) => {
  const part = "store";
  const path = address!.shown;
  const store = openStore({ address: address!.reveal() });
  try {
    if (await isServerLogin(store)) {
      await checkServerLogin(store);
      return { part, state: "ok", path, note: `version ${NEWEST_STORE_VERSION}, ${servingNote(server)}` };
    }
    const name = await ownName(store);
    const spaces = await listSpaces(store);
    const named = spaces.map((space) => `${space.name} (${space.role})`).join(", ");
    return {
      part,
      state: spaces.length === 0 ? "problem" : "ok",
      path,
      note: `version ${NEWEST_STORE_VERSION}, you are ${name}, in ${counted(spaces.length, "space")}${named === "" ? "" : `: ${named}`}`,
      ...(spaces.length === 0 && { hint: "an owner of a space lets you in with 'commonplace store add'" }),
      counts: { spaces: spaces.length },
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { part, state: "problem", path, note: error.message, hint: error.hint ?? "see docs/guide/shared.md" };
  } finally {
    await store.close();
  }
};

function servingNote(server: ServerSettings | undefined): string {
  const address = server?.publicUrl === undefined ? "" : ` at ${server.publicUrl}`;
  const issuer = server?.oauth === undefined ? "" : ` and access tokens of ${server.oauth.issuer}`;
  return `the login serves members${address}, with personal tokens${issuer}`;
}

/** A vault that is a space of the store. */
export async function checkSharedVault({ store: address }: Settings, space: string): Promise<Finding> {
  const about = { part: "vault", path: `store:${space}` } as const;
  const store = openStore({ address: address!.reveal() });
  try {
    const { role } = await spaceNamed(store, space);
    const { files, bytes } = (await countFiles(store)).get(space) ?? { files: 0, bytes: 0 };
    const note = `${counted(files, "file")}, ${byteCount(bytes)}, in the shared store; you are its ${role}`;
    return { ...about, state: "ok", note, counts: { files, bytes } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...about, state: "problem", note: error.message, hint: error.hint ?? "see docs/guide/shared.md" };
  } finally {
    await store.close();
  }
}

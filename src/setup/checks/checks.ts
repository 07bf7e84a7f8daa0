// The table of doctor's checks, in the order of its output. To add one, write its
// file beside this one and add a line here.
import type { Settings } from "../../settings.ts";
import { checkConfig } from "./config.ts";
import type { Check, Finding } from "./finding.ts";
import { checkHosts } from "./hosts.ts";
import { checkIssuer } from "./issuer.ts";
import { checkJournal } from "./journal.ts";
import { checkMemory } from "./memory.ts";
import { checkNode } from "./node.ts";
import { checkNoteIndex } from "./note-index.ts";
import { checkOutline } from "./outline.ts";
import { checkCache, checkData, checkToken } from "./own-folders.ts";
import { checkVault } from "./vault.ts";

/** By the name of the part. */
const CHECKS: Readonly<Record<string, Check>> = {
  node: checkNode,
  vault: ofEveryVault(checkVault),
  index: ofEveryVault(checkNoteIndex),
  journal: ofEveryVault(checkJournal),
  memory: ofEveryVault(checkMemory),
  outline: checkOutline,
  conversations: async (settings) => (await import("./conversations.ts")).checkConversations(settings),
  store: async (settings) => (settings.store === undefined ? [] : (await import("./store.ts")).checkStore(settings)),
  issuer: checkIssuer,
  schedule: async (settings) => (await import("./schedule.ts")).checkSchedule(settings),
  data: checkData,
  cache: checkCache,
  token: checkToken,
  config: checkConfig,
  hosts: checkHosts,
};

/** Checks each vault. If there are several, a finding says which one it is about. */
function ofEveryVault(check: Check): Check {
  return async (settings) => {
    const { vaults } = settings;
    const found = await Promise.all(
      vaults.map(async (own) => {
        const others = vaults.filter((other) => other !== own);
        return [await check({ ...settings, vault: own.folder, vaults: [own, ...others] })].flat();
      }),
    );
    if (vaults.length === 1) return found.flat();
    return found.flatMap((findings, i) =>
      findings.map((finding) => ({ ...finding, part: `${finding.part} ${vaults[i]!.name}` })),
    );
  };
}

/** Checks that do not apply to a member server. */
const OF_A_PERSON: ReadonlySet<string> = new Set([
  "vault",
  "index",
  "journal",
  "memory",
  "outline",
  "conversations",
  "schedule",
  "hosts",
]);

/** Runs all checks. They change and create nothing. */
export async function findings(settings: Settings): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const [part, check] of Object.entries(CHECKS)) {
    if (settings.server !== undefined && OF_A_PERSON.has(part)) continue;
    try {
      found.push(...[await check(settings)].flat());
    } catch (error) {
      // A check that throws must not hide the other findings.
      const note = error instanceof Error ? error.message : String(error);
      found.push({ part, state: "problem", note, hint: "if it is unclear, report it with this line" });
    }
  }
  return found;
}

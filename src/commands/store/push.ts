// commonplace push: adds what this machine alone has to the shared store.
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { noStore, openCommonplace, type Commonplace, type PushedMemory, type PushedToSpace } from "../../app/app.ts";
import {
  byteCount,
  counted,
  joined,
  print,
  printable,
  type Printable,
  printJson,
  Problem,
} from "../../kernel/kernel.ts";
import { realPath } from "../../files/files.ts";
import { memoryPlaces } from "../../memory/memory.ts";
import type { Settings } from "../../settings.ts";
import { pushingTo } from "../../setup/setup.ts";
import type { Command } from "../command.ts";
import { withProgress } from "../progress.ts";
import { isPasswordOfTerminal } from "./password.ts";
import { spaceOf } from "./space-flag.ts";

export const command: Command = {
  usage:
    "push [memory | conversations] [--project NAME] [--space NAME] [--preview | --install | --remove] [--yes] [--json]",
  help: `Adds what this machine has to a space of the shared store, where every member of the space can
read it. Nothing is pushed unless you say so. Secrets are redacted first, and what mentions hidden
files stays here. Only what the store does not have is sent: an interrupted push is continued by
the next one.
memory         sessions, states, workspaces and traces of calls; other machines with a vault of the
               same name find them at once
conversations  those of the projects that you name with --project, now and in later pushes, until
               'commonplace store unshare --project NAME'. Long texts of tools are cut at 100,000
               characters, and kept up to 8 million of a conversation
Without either, both. --preview says what would be sent, and sends nothing. --install has the system
push every hour.`,
  flags: {
    project: { value: "NAME", repeats: true, help: "with conversations: a project to share from now on" },
    space: { value: "NAME", help: "the space, if you are in several" },
    preview: { help: "say what would be sent, and send nothing" },
    install: { help: "have the system push every hour; shows what it writes first" },
    remove: { help: "take that out again" },
    yes: { help: "with --install or --remove: do not ask" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, flags, words } = invocation;
    const [what, ...others] = words;
    if (others.length > 0 || (what !== undefined && what !== "memory" && what !== "conversations"))
      throw new Problem("invalid", "Say what to push: memory or conversations.", command.usage);
    const space = spaceOf(invocation);
    const projects = Array.isArray(flags["project"]) ? (flags["project"] as readonly string[]) : [];
    if (projects.length > 0 && what === "memory") throw new Problem("invalid", "--project goes with conversations.");
    if (["preview", "install", "remove"].filter((flag) => flags[flag]).length > 1)
      throw new Problem("invalid", "--preview, --install and --remove exclude each other.");
    if (flags["yes"] && !flags["install"] && !flags["remove"])
      throw new Problem("invalid", "--yes requires --install or --remove.");
    if (flags["remove"]) return (await import("../schedule.ts")).remove(invocation, pushingTo(what, space));
    if (settings.store === undefined) throw noStore();
    if (flags["install"]) {
      if (projects.length > 0)
        throw new Problem("invalid", "--install goes on with the projects that were pushed before.", "Push them once.");
      checkPassword(settings);
      return (await import("../schedule.ts")).install(invocation, pushingTo(what, space));
    }
    const commonplace = openCommonplace(settings);
    const options = { space, isPreview: flags["preview"] === true };
    try {
      const memory =
        what === "conversations" || isOff(settings, what) ? undefined : await pushMemory(commonplace, options);
      const pushed = what === "memory" ? undefined : await pushConversations(commonplace, { ...options, projects });
      if (flags["json"])
        printJson({ ...(options.isPreview && { preview: true }), ...memory?.result, ...pushed?.result });
      else
        print(
          joined([
            ...(memory?.lines ?? []),
            ...(pushed?.lines ?? []),
            ...(options.isPreview ? [printable`This is a preview: nothing was sent.`] : []),
          ]),
        );
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

/** Returns whether there is no memory to push, and nobody asked for it in particular. */
function isOff({ memory }: Settings, what: string | undefined): boolean {
  return what === undefined && memory === "off";
}

/** The result of a push, and a function that words it. */
interface Done<T> {
  readonly result: T;
  readonly lines: readonly Printable[];
}

interface Options {
  readonly space: string | undefined;
  readonly isPreview: boolean;
}

async function pushMemory(commonplace: Commonplace, options: Options): Promise<Done<PushedMemory>> {
  const { result, seconds } = await withProgress(`${doing(options)} memory`, (onProgress) =>
    commonplace.pushMemory({ ...options, onProgress }),
  );
  const lines = result.vaults.map((vault) => memoryLine(result.space, vault, seconds));
  const isNone = result.vaults.every(({ total }) => total === 0);
  return { result, lines: isNone ? [...lines, ...memoryElsewhere(commonplace.settings)] : lines };
}

/** Memory belongs to a vault: without --vault, somebody may ask for another one than they mean. */
function memoryElsewhere({ folders, vaults }: Settings): Printable[] {
  const kept = join(folders.data, "memory");
  const own = new Set(
    vaults.map(({ folder, space }) => {
      const vaultFolder = space === undefined ? realPath(folder) : folder;
      return basename(memoryPlaces({ memory: "home", vaultFolder, dataFolder: folders.data }).log.path);
    }),
  );
  const count = existsSync(kept) ? readdirSync(kept).filter((name) => !own.has(name)).length : 0;
  const asked = vaults.map(({ name, folder, space }) => `${name} (${space === undefined ? folder : `store:${space}`})`);
  const others = count === 0 ? "" : ` ${counted(count, "other vault")} ${count === 1 ? "has" : "have"} some.`;
  return [printable`There is no memory of ${asked.join(", ")} on this machine.${others} --vault names another one.`];
}

function doing({ isPreview }: Options): string {
  return isPreview ? "comparing" : "pushing";
}

async function pushConversations(
  commonplace: Commonplace,
  options: Options & { readonly projects: readonly string[] },
): Promise<Done<{ readonly space: string; readonly conversations: Omit<PushedToSpace, "space"> }>> {
  const { result: pushed, seconds } = await withProgress(`${doing(options)} conversations`, (onProgress) =>
    commonplace.pushConversations({ ...options, onProgress }),
  );
  const { space: name, ...conversations } = pushed;
  return { result: { space: name, conversations }, lines: conversationLines(pushed, seconds) };
}

/** The system starts the program without the variables of this terminal, and what it starts is for all to see. */
function checkPassword(settings: Settings): void {
  if (isPasswordOfTerminal(settings))
    throw new Problem(
      "invalid",
      "The system would start the push without the password, which only this terminal has.",
      "Put it into ~/.pgpass, or the whole address into the config file.",
    );
}

function memoryLine(
  space: string,
  { vault, total, added, hidden, bytes }: PushedMemory["vaults"][number],
  seconds: string,
) {
  const size = added === 0 ? "" : ` (${byteCount(bytes)})`;
  const kept = hidden === 0 ? "" : `, ${hidden} about hidden files not shared`;
  return printable`${vault} to ${space}: ${counted(total, "event")}, ${added} new${size}${kept}, in ${seconds} s`;
}

function conversationLines(pushed: PushedToSpace, seconds: string): Printable[] {
  const { space, projects, added, changed, unchanged, ofOthers, unshared, unsharedProjects, hidden, sent } = pushed;
  const left = unsharedProjects.map(
    (name) => printable`${name}: unshared. 'commonplace push conversations --project ${name}' shares it again.`,
  );
  if (projects.length === 0 && left.length > 0) return left;
  if (projects.length === 0)
    return [
      printable`No conversations are shared with ${space}: name projects with 'commonplace push conversations --project NAME'.`,
    ];
  const counts = [
    `${added} new`,
    `${changed} changed`,
    `${unchanged} as before`,
    ...(ofOthers === 0 ? [] : [`${ofOthers} pushed by others before`]),
    ...(unshared === 0 ? [] : [`${unshared} unshared, and left out until their project is named again`]),
    ...(hidden === 0 ? [] : [`${hidden} about hidden files not shared`]),
  ];
  const amounts = [
    counted(sent.messages, "message"),
    byteCount(sent.bytes),
    `${counted(sent.redactions, "secret")} left out`,
  ];
  return [
    ...left,
    ...projects.map(({ name, conversations }) => printable`${name}: ${counted(conversations, "conversation")}`),
    printable`Conversations to ${space}: ${counts.join(", ")}, in ${seconds} s`,
    ...(added + changed === 0 ? [] : [printable`New and changed: ${amounts.join(", ")}`]),
  ];
}

// commonplace store: creates and migrates a shared store, shows what one may do
// there, and decides who else may.
import { noStore } from "../../app/app.ts";
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
import {
  admitMember,
  admitPerson,
  checkName,
  countFiles,
  createStore,
  ensureSpace,
  linkMember,
  listSpaces,
  migrateStore,
  NEWEST_STORE_VERSION,
  openStore,
  ownName,
  removeMember,
  ROLES,
  setRole,
  spaceNamed,
  type Migrated,
  type Role,
  type Space,
  type SpaceFiles,
  type Store,
} from "../../shared/shared.ts";
import type { Command, Invocation } from "../command.ts";
import { isConfirmed } from "../confirmation.ts";
import { exportFiles, importFiles } from "./files.ts";
import { leave, unshareRows } from "./leaving.ts";
import { done, undone } from "./outcome.ts";
import { spaceOf } from "./space-flag.ts";
import { manageTokens } from "./token.ts";

export const command: Command = {
  usage:
    "store init | status | migrate | add MEMBER | remove MEMBER | link MEMBER | import DIR | export DIR | unshare | leave | token … [--space NAME] [--project NAME | --conversation ID] [--json]",
  help: `Sets up a store on PostgreSQL (15 or newer) that several machines and people share.
init      creates it in the database that --store names, with a space of your own
status    shows its version, who you are there, and your spaces with their members
migrate   brings its tables to the version of this release
add       lets a member into a space as --role; with --login, makes a database login a member first;
          with --without-login, somebody who comes through a server over HTTP
remove    ends a member's access to a space at once; what they added stays
link      has a member sign in at an issuer (--issuer, or that of --server), who is called --subject there
import    adds the files of a folder to those of a space, which is then a vault: --vault store:SPACE
export    writes the files of a space into a folder; neither replaces a file that differs
unshare   deletes what you added to a space; with --project the conversations of that project, with
          --conversation one. It stays on your machines, and none of them pushes the conversations
          again until you name their project again
leave     deletes all that you pushed, and leaves the space; if you are its last member, the whole
          space with its files and their history. Neither can be undone
token     create NAME | list | revoke NAME: your tokens for servers over HTTP, each shown once
The password is taken from COMMONPLACE_STORE, PGPASSWORD or ~/.pgpass, never from a flag.`,
  flags: {
    space: { value: "NAME", help: "the space, if you are in several; for init: its name" },
    project: { value: "NAME", help: "with unshare: only the conversations of this project" },
    conversation: { value: "ID", help: "with unshare: only this conversation" },
    "replace-settings": { help: "with import: Obsidian's settings that differ take the place of the space's" },
    role: { value: "ROLE", help: `with add: ${ROLES.join(", ")} (default: writer)` },
    login: { value: "LOGIN", help: "with add: the database login of a new member" },
    "without-login": { help: "with add: a new member who comes through a server over HTTP" },
    issuer: { value: "URL", help: "with link: the issuer of access tokens" },
    subject: { value: "SUB", help: "with link: what the issuer calls the member (the claim sub)" },
    member: { value: "NAME", help: "with token: another member, for the login of a server" },
    expires: { value: "DAYS", help: "with token create: 1d to 366d (default: 90d)" },
    yes: { help: "do not ask" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words } = invocation;
    const [action = "status", ...rest] = words;
    const chosen = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (chosen === undefined)
      throw new Problem("invalid", `Unknown action '${action}'.`, `There are ${Object.keys(ACTIONS).join(", ")}.`);
    if (chosen.arguments !== "any" && rest.length !== chosen.arguments)
      throw new Problem(
        "invalid",
        chosen.arguments === 0
          ? `store ${action} takes no name.`
          : `Name one ${chosen.of ?? "member"}: store ${action} ${chosen.of === "folder" ? "DIR" : "NAME"}`,
      );
    if (settings.store === undefined) throw noStore();
    const store = openStore({ address: settings.store.reveal() });
    try {
      return await chosen.run(store, invocation, rest[0] ?? "", rest);
    } finally {
      await store.close();
    }
  },
};

interface Action {
  readonly arguments: 0 | 1 | "any";
  /** The kind of thing that the argument names; by default a member. */
  readonly of?: "folder";
  readonly run: (store: Store, invocation: Invocation, named: string, words: readonly string[]) => Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  init: {
    arguments: 0,
    run: async (store, invocation) => {
      const wanted = spaceOf(invocation);
      // Before anything is made.
      if (wanted !== undefined) checkName(wanted, "space");
      const migrated = await createStore(store);
      if (wanted !== undefined || (await listSpaces(store)).length === 0)
        await ensureSpace(store, wanted ?? store.address.login);
      return showStatus(store, invocation, migrated);
    },
  },
  status: { arguments: 0, run: (store, invocation) => showStatus(store, invocation) },
  migrate: {
    arguments: 0,
    run: async (store, { flags }) => {
      const { from, to } = await migrateStore(store);
      if (flags["json"]) printJson({ from, to });
      else print(from === to ? `The store has version ${to} already.` : `Migrated from version ${from} to ${to}.`);
      return 0;
    },
  },
  add: {
    arguments: 1,
    run: async (store, invocation, member) => {
      const { login, role = "writer", "without-login": withoutLogin } = invocation.flags;
      if (withoutLogin && login !== undefined)
        throw new Problem("invalid", "--login and --without-login exclude each other.");
      if (!ROLES.some((each) => each === role))
        throw new Problem("invalid", `--role must be one of ${ROLES.join(", ")}.`);
      const space = await spaceNamed(store, spaceOf(invocation));
      if (typeof login === "string") await admitMember(store, { name: member, login });
      if (withoutLogin) await admitPerson(store, member);
      await setRole(store, space, member, role as Role);
      return done(invocation, `${member} is ${role === "owner" ? "an" : "a"} ${String(role)} of ${space.name}.`, {
        space: space.name,
        member,
        role,
      });
    },
  },
  remove: {
    arguments: 1,
    run: async (store, invocation, member) => {
      const space = await spaceNamed(store, spaceOf(invocation));
      if (space.role !== "owner" && member !== (await ownName(store)))
        throw new Problem(
          "denied",
          `Only an owner of ${space.name} may end the access of others. Nothing was changed.`,
        );
      if (!(await isConfirmed(invocation, `End the access of ${member} to ${space.name}?`, "does")))
        return undone(invocation);
      await removeMember(store, space, member);
      return done(invocation, `${member} has no access to ${space.name} any more.`, {
        space: space.name,
        removed: member,
      });
    },
  },
  link: {
    arguments: 1,
    run: async (store, invocation, member) => {
      const { issuer = invocation.settings.server?.oauth?.issuer, subject } = invocation.flags;
      if (typeof issuer !== "string" || !URL.canParse(issuer))
        throw new Problem("invalid", "Name the issuer with --issuer URL, or with oauth in --server.");
      if (typeof subject !== "string" || subject.trim() === "")
        throw new Problem("invalid", "Name what the issuer calls the member, with --subject (the claim sub).");
      await linkMember(store, member, { issuer, subject });
      return done(invocation, `${subject} of ${issuer} is ${member}.`, { member, issuer, subject });
    },
  },
  import: { arguments: 1, of: "folder", run: importFiles },
  export: { arguments: 1, of: "folder", run: exportFiles },
  unshare: { arguments: 0, run: unshareRows },
  leave: { arguments: 0, run: leave },
  token: {
    arguments: "any",
    run: (store, invocation, _member, words) => manageTokens(store, invocation, words),
  },
};

async function showStatus(store: Store, { flags }: Invocation, migrated?: Migrated): Promise<number> {
  const member = await ownName(store);
  const spaces = await listSpaces(store);
  const stored = await countFiles(store);
  const { shown: address } = store.address;
  const plain = ({ name, role, members }: Space) => ({ name, role, members, ...(stored.get(name) ?? NO_FILES) });
  if (flags["json"]) printJson({ store: address, version: NEWEST_STORE_VERSION, member, spaces: spaces.map(plain) });
  else
    print(
      joined([
        ...(migrated?.from === 0 ? [printable`Created the store in ${address}.`] : []),
        printable`${address}: version ${NEWEST_STORE_VERSION}, you are ${member}`,
        ...spaces.map((space) => spaceLine(space, stored.get(space.name))),
        ...(spaces.length === 0
          ? ["You are in no space: an owner of one lets you in with 'commonplace store add'."]
          : []),
      ]),
    );
  return 0;
}

const NO_FILES: SpaceFiles = { files: 0, bytes: 0 };

function spaceLine({ name, role, members }: Space, stored: SpaceFiles | undefined): Printable {
  const inIt = stored === undefined ? "" : `; ${counted(stored.files, "file")}, ${byteCount(stored.bytes)}`;
  return printable`  ${name} (${role}): ${members.map((one) => `${one.name} (${one.role})`).join(", ")}${inIt}`;
}

// Exported conversations: their names, their three forms, and the folder that
// they go to.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { onPlatform } from "../../../test/fixtures/simulated-file-systems.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { scanMarkdown } from "../../markdown/scanner/scanner.ts";
import { exportConversations, exportName, type ExportFormat } from "./export.ts";
import { exportFolder, folderWriter, storesOf, type Places } from "./export-folder.ts";
import { exportedMessage, headOf, readExported } from "./exported-json.ts";
import type { RecalledConversation } from "../recall/recall.ts";
import type { ConversationSummary, Message } from "../store/conversation-reader.ts";

const CONVERSATION: ConversationSummary = {
  row: 1,
  id: "0b5e6f3a-1c2d-4e5f-8a9b-0c1d2e3f4a5b",
  source: "cursor",
  title: "Why does it fail?",
  folder: "/home/anna/x",
  project: "x",
  workspace: "w1",
  branch: "main",
  created: Date.UTC(2026, 2, 4, 5, 6, 7),
  updated: Date.UTC(2026, 2, 4, 6),
  timeKnown: "stored",
  messages: 2,
  type: "debugging",
  keywords: ["fail", "test"],
  opening: "Why?",
  files: [],
  continues: undefined,
  sharedUntil: 0,
  model: undefined,
  unavailable: undefined,
  isArchived: false,
  hasDroppedTexts: false,
};

const message = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  role: "user",
  kind: "prose",
  text: `Text of ${id}`,
  time: Date.UTC(2026, 2, 4, 5, 6, 8),
  tool: undefined,
  isAbandoned: false,
  ...more,
});

const MESSAGES: readonly Message[] = [
  message("a", { text: "Why?\n\n```ts\nunclosed" }),
  message("b", { role: "assistant", kind: "thinking", text: "Hm" }),
  message("c", { role: "assistant", kind: "tool", tool: "shell", text: "```\nls\n```" }),
  message("d", { role: "assistant", text: "Because of <Foo> and [[Plan]].", time: undefined }),
  message("e", { text: "Old", isAbandoned: true }),
];

interface Kept {
  readonly conversations?: readonly ConversationSummary[];
  readonly messages?: readonly Message[];
}

/** Stands in for the store. */
function kept({ conversations = [CONVERSATION], messages = MESSAGES }: Kept = {}): Parameters<
  typeof exportConversations
>[0] {
  const fits = ({
    title,
    workspace,
    limit,
  }: {
    title?: string | undefined;
    workspace?: string | undefined;
    limit: number;
  }) =>
    conversations
      .filter((one) => one.title.includes(title ?? "") && (workspace === undefined || one.workspace === workspace))
      .slice(0, limit);
  return {
    recall: async (question) => {
      const found = fits(question) as RecalledConversation[];
      const counts = {
        total: found.length,
        listed: found.length,
        belowMinScore: 0,
        unfound: [],
        known: undefined,
        groups: {},
      };
      return { answer: { conversations: found, ...counts }, stale: false };
    },
    find: async (id) => conversations.find((one) => `${one.source}/${one.id}` === id)!,
    messages: function* () {
      for (const one of messages) yield [one];
    },
  };
}

async function exported(format: ExportFormat, more: Kept = {}): Promise<string> {
  const { files } = await exportConversations(kept(more), { format, limit: 5 }, folderWriter(temporaryFolder()));
  return readFileSync(files[0]!, "utf8");
}

describe("a file's name", () => {
  it("has the date, the time, the title and the beginning of the id", () => {
    expect(exportName(CONVERSATION, "json")).toBe("2026-03-04_05-06-07_Why-does-it-fail_0b5e6f3a.json");
    expect(exportName(CONVERSATION, "markdown")).toBe(exportName(CONVERSATION, "md"));
    expect(exportName(CONVERSATION, "txt", 2)).toBe("2026-03-04_05-06-07_Why-does-it-fail_0b5e6f3a_2.txt");
  });

  it("is safe on every system, whatever the title and the id", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 50 }), (title, id) => {
        const name = exportName({ ...CONVERSATION, title, id }, "md");
        expect(name).toMatch(/^2026-03-04_05-06-07_[\p{L}\p{N}\p{M}-]+_[A-Za-z0-9]+\.md$/u);
        expect(Buffer.byteLength(name)).toBeLessThan(255);
        expect(name.isWellFormed()).toBe(true);
      }),
    );
    expect(exportName({ ...CONVERSATION, title: "../../etc/passwd: CON" }, "md")).toContain("_etc-passwd-CON_");
    expect(exportName({ ...CONVERSATION, title: "?!" }, "md")).toContain("_untitled_");
  });
});

describe("an export", () => {
  it("never overwrites a file, and numbers the next one", async () => {
    const folder = temporaryFolder();
    const writer = folderWriter(folder);
    const request = { format: "txt", limit: 5 } as const;
    const first = await exportConversations(kept(), request, writer);
    writeFileSync(first.files[0]!, "mine");
    const second = await exportConversations(kept(), request, writer);
    expect(readFileSync(first.files[0]!, "utf8")).toBe("mine");
    expect(second.files[0]).toMatch(/_2\.txt$/);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("has the conversations that match the filters, up to the limit", async () => {
    const conversations = ["One thing", "Another thing", "Else"].map((title, at) => ({
      ...CONVERSATION,
      title,
      id: `id${at}xxxxxx`,
      workspace: `w${at}`,
    }));
    const names = async (request: object) =>
      (
        await exportConversations(
          kept({ conversations }),
          { format: "txt", limit: 5, ...request },
          folderWriter(temporaryFolder()),
        )
      ).files.length;
    expect(await names({})).toBe(3);
    expect(await names({ title: "thing" })).toBe(2);
    expect(await names({ workspace: "w2" })).toBe(1);
    expect(await names({ limit: 1 })).toBe(1);
    expect(await names({ title: "nothing of that" })).toBe(0);
  });

  it("of a resumed session includes the earlier messages, up to the point where it diverged", async () => {
    const hour = (h: number) => Date.UTC(2026, 2, 4, h);
    const conversations = [
      { ...CONVERSATION, id: "second", created: hour(7), continues: "first", sharedUntil: hour(6) },
      { ...CONVERSATION, id: "first", created: hour(5) },
    ];
    const said: Record<string, Message[]> = {
      first: [message("a", { time: hour(5) }), message("b", { time: hour(6) }), message("c", { time: hour(8) })],
      second: [message("d", { time: hour(7) })],
    };
    const store = {
      ...kept({ conversations }),
      messages: function* ({ id }: ConversationSummary): Generator<readonly Message[]> {
        yield said[id]!;
      },
    };
    const { files } = await exportConversations(store, { format: "json", limit: 1 }, folderWriter(temporaryFolder()));
    expect(readExported(readFileSync(files[0]!, "utf8")).messages.map(({ id }) => id)).toEqual(["a", "b", "d"]);
  });

  it("leaves no partial file behind if it fails", async () => {
    const folder = temporaryFolder();
    const broken = {
      ...kept(),
      messages: function* (): Generator<readonly Message[]> {
        yield [MESSAGES[0]!];
        throw new Error("lost");
      },
    };
    await expect(exportConversations(broken, { format: "json", limit: 1 }, folderWriter(folder))).rejects.toThrow(
      "lost",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("can be read by its owner only", { skip: process.platform === "win32" }, async () => {
    const folder = join(temporaryFolder(), "new", "deeper");
    const { files } = await exportConversations(kept(), { format: "json", limit: 1 }, folderWriter(folder));
    expect(statSync(files[0]!).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});

describe("JSON", () => {
  it("is read back as it was written, with every message", async () => {
    const read = readExported(await exported("json"));
    expect(read).toEqual({ ...headOf(CONVERSATION), messages: MESSAGES.map(exportedMessage) });
    expect(read.messages.map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("of a conversation without messages is valid too", async () => {
    expect(readExported(await exported("json", { messages: [] })).messages).toEqual([]);
  });

  it.each([
    ["no JSON", "{"],
    ["another document", "{}"],
    ["a later version", '{"format":"commonplace-conversation","version":2}'],
    ["a list", "[]"],
  ])("that is %s is refused", (_, text) => {
    expect(() => readExported(text)).toThrow("This is no exported conversation");
  });

  it("with an invalid message is rejected, and the error names the message", async () => {
    const json = JSON.parse(await exported("json"));
    json.messages[1].role = "robot";
    expect(() => readExported(JSON.stringify(json))).toThrow("messages[1].role must be user or assistant");
  });
});

const propertiesOf = (markdown: string) => {
  const { frontmatter } = scanMarkdown(markdown);
  return load(markdown.slice(frontmatter!.yaml.start, frontmatter!.yaml.end)) as Record<string, unknown>;
};

describe("Markdown", () => {
  it("has the facts in its properties, and each message under a heading of its own", async () => {
    const markdown = await exported("md");
    expect(propertiesOf(markdown)).toMatchObject({
      title: "Why does it fail?",
      id: CONVERSATION.id,
      source_tool: "cursor",
      project: "/home/anna/x",
      keywords: ["fail", "test"],
      message_count: 2,
    });
    expect(scanMarkdown(markdown).headings.map(({ level, text }) => `${level} ${text}`)).toEqual([
      "1 Why does it fail?",
      "2 User · 2026-03-04 05:06:08 UTC",
      "3 Thinking · 2026-03-04 05:06:08 UTC",
      "3 Tool: shell · 2026-03-04 05:06:08 UTC",
      "2 Assistant",
      "2 User · 2026-03-04 05:06:08 UTC · edited away",
    ]);
    expect(markdown).toContain("```ts\nunclosed\n```\n");
    expect(markdown).toContain("````\n```\nls\n```\n````\n");
    expect(markdown).toContain("Because of \\<Foo> and [[Plan]].");
  });

  it("has valid properties and a plain heading, whatever the title", async () => {
    const titles = [
      '"quoted": and: colons',
      "--- # |",
      "multi\nline",
      "{a: [b",
      "'",
      "\\",
      "@x `y` %z",
      "\u2028\u0085\u0000",
      "🎉 [[link]] #tag",
    ];
    for (const title of titles) {
      const markdown = await exported("md", { conversations: [{ ...CONVERSATION, title }] });
      expect(propertiesOf(markdown)["title"]).toBe(title);
      expect(scanMarkdown(markdown).headings[0]!.level).toBe(1);
    }
  });
});

describe("plain text", () => {
  it("has every message unchanged", async () => {
    const text = await exported("txt");
    expect(text).toContain(
      "Why does it fail?\ncursor · 2026-03-04T05:06:07.000Z to 2026-03-04T06:00:00.000Z · 2 messages\n",
    );
    for (const one of MESSAGES) expect(text).toContain(`\n${one.text}\n`);
  });
});

describe("the folder of an export", () => {
  const home = join(temporaryFolder(), "anna");
  mkdirSync(join(home, ".ssh"), { recursive: true });
  mkdirSync(join(home, "notes"));
  symlinkSync("/etc", join(home, "notes", "way-to-etc"));
  symlinkSync(join(home, ".ssh"), join(home, "notes", "way-to-keys"));
  mkdirSync(join(home, ".program"));
  symlinkSync(join(home, ".program"), join(home, "notes", "way-to-program"));
  symlinkSync(join(home, "nowhere"), join(home, "notes", "way-to-nowhere"));
  const places: Places = {
    base: home,
    home,
    own: [join(home, "data")],
    vault: undefined,
    user: process.getuid?.(),
    ...storesOf({}, []),
  };

  it.each([
    ["exports", "exports"],
    ["~/exports/deep", "exports/deep"],
    [".gandalf/exports", ".gandalf/exports"],
    ["notes/../other", "other"],
    ["project/.exports", "project/.exports"],
    ["~/Library/Mobile Documents/com~apple~CloudDocs/Chats", "Library/Mobile Documents/com~apple~CloudDocs/Chats"],
    ["~/Snap/photos", "Snap/photos"],
    ["~/CON", "CON"],
    ["./~anna", "~anna"],
    ["~/Library/CloudStorage/Dropbox/Chats", "Library/CloudStorage/Dropbox/Chats"],
  ])("may be %s", (sent, expected) => {
    expect(exportFolder(sent, places)).toBe(join(home, expected));
  });

  it.each([
    "/",
    "/etc",
    "/etc/commonplace",
    "/etc/..commonplace",
    "~/..some-program",
    "/proc/self",
    "/usr/share/x",
    "/var/lib/x",
    "/home/anna/../../etc/x",
    "~/.ssh",
    "~/.ssh/exports",
    "~/.gnupg",
    "~/.config/Cursor/User",
    "~/.cursor/chats",
    "~/.claude/projects/x",
    "~/.codex",
    "~/Library/Application Support/Cursor",
    "~/Library/CloudStorage",
    "~/AppData/Roaming/Code/User",
    // Hidden folders in the home folder, known or not.
    "~/.vscode",
    "~/.continue/sessions",
    "~/.some-program",
    "~/.Some-Program/deep/er",
    "~/notes/../.aider",
    "~/.gandalf-not",
    "notes/way-to-program",
    "notes/way-to-program/deeper",
    "/home/someone-else/.some-program",
    "/Users/someone-else/Library/x",
    "/opt/program/data",
    "/home",
    "/mnt",
    "/media",
    "/srv",
    "/lost+found",
    "/run/user",
    // The nearest folder that is there is one of the system's, whatever its owner.
    "/home/no such user/x",
    "/mnt/no such disk",
    "/media/no such disk/x",
    "/srv/no such folder",
    "/tmp/.X11-unix",
    "/tmp/.ICE-unix/x",
    "/var/tmp/.hidden",
    join(tmpdir(), ".some-program", "x"),
    "~/lost+found",
    "~/project/.git/hooks",
    "~/data/journal",
    "notes/way-to-etc",
    "notes/way-to-etc/deeper",
    "notes/way-to-keys",
    "notes/way-to-nowhere/x",
  ])("may not be %s", (sent) => {
    expect(() => exportFolder(sent, places)).toThrow(expect.objectContaining({ code: "denied" }));
  });

  it("may not be a store that the environment or the settings put elsewhere", () => {
    const elsewhere = join(home, "elsewhere");
    const environment = { CLAUDE_CONFIG_DIR: join(elsewhere, "claude"), XDG_CONFIG_HOME: join(elsewhere, "config") };
    const stores = storesOf(environment, [join(elsewhere, "backup")]);
    const refused = expect.objectContaining({ code: "denied" });
    for (const sent of ["claude/projects/x", "config/Cursor", "backup/.config/Cursor", "backup/Library/x"])
      expect(() => exportFolder(`elsewhere/${sent}`, { ...places, ...stores })).toThrow(refused);
    for (const sent of ["exports", "backup/exports"])
      expect(exportFolder(`elsewhere/${sent}`, { ...places, ...stores })).toBe(join(elsewhere, sent));
    // A person who keeps settings right in the home folder may still export to it.
    expect(exportFolder("exports", { ...places, ...storesOf({ XDG_CONFIG_HOME: home }, []) })).toBe(
      join(home, "exports"),
    );
  });

  it("outside of the home folder is the user's own, or for everybody", { skip: process.platform === "win32" }, () => {
    const [anothers, mine] = [process.getuid!() + 12_345, process.getuid!()];
    // Not in the usual place, which may be in memory, below the system's /dev.
    const disk = join(temporaryFolder(realpathSync("/tmp")), "disk");
    mkdirSync(disk);
    const refused = expect.objectContaining({ code: "denied" });
    for (const sent of [disk, join(disk, "new", "deeper")]) {
      expect(exportFolder(sent, { ...places, user: mine })).toBe(sent);
      expect(() => exportFolder(sent, { ...places, user: anothers })).toThrow(refused);
      expect(exportFolder(sent, { ...places, user: anothers, vault: disk })).toBe(sent);
    }
    // Others may write there, but it is somebody's.
    chmodSync(disk, 0o777);
    expect(() => exportFolder(disk, { ...places, user: anothers })).toThrow(refused);
    chmodSync(disk, 0o1777);
    expect(exportFolder(join(disk, "new"), { ...places, user: anothers })).toBe(join(disk, "new"));
  });

  it.runIf(process.platform === "linux")("may not be a store of a snap", () => {
    for (const sent of ["~/snap", "~/snap/firefox/common/x"])
      expect(() => exportFolder(sent, places)).toThrow(expect.objectContaining({ code: "denied" }));
  });

  it("within the home folder is the user's own too", { skip: process.platform === "win32" }, () => {
    const theirs = join(home, "theirs");
    mkdirSync(theirs, { recursive: true });
    chmodSync(theirs, 0o777);
    const { uid } = statSync(theirs);
    const refused = expect.objectContaining({ code: "denied" });
    // Only root can give a folder away; others ask as another user, whose home folder is root's.
    if (process.getuid!() === 0) {
      chownSync(theirs, 12_345, 12_345);
      const anna = { ...places, user: 23_456 };
      chownSync(home, 23_456, 23_456);
      for (const sent of [theirs, join(theirs, "new", "deeper")])
        expect(() => exportFolder(sent, anna)).toThrow(refused);
      expect(exportFolder("~/new", anna)).toBe(join(home, "new"));
      // In a container the home folder may be another's, who lets the user write.
      expect(exportFolder("~/new", { ...places, user: 34_567 })).toBe(join(home, "new"));
      expect(() => exportFolder(theirs, { ...places, user: 34_567 })).toThrow(refused);
      chownSync(home, 0, 0);
      chownSync(theirs, 0, 0);
    } else
      expect(() => exportFolder(theirs, { ...places, home: realpathSync("/tmp"), user: uid + 1 })).toThrow(refused);
  });

  it("may not be a system folder if the home folder contains those", () => {
    for (const everything of ["/", "/home"])
      for (const sent of ["/etc/x", "/usr/x", "/home/no such user"])
        expect(() => exportFolder(sent, { ...places, home: everything })).toThrow(
          expect.objectContaining({ code: "denied" }),
        );
  });

  it.runIf(process.platform !== "win32")("is made, and written to, behind no link that takes its place", async () => {
    const folder = temporaryFolder();
    const elsewhere = temporaryFolder();
    mkdirSync(join(folder, "a"));
    const [before, later] = [folderWriter(join(folder, "a", "b", "c")), folderWriter(join(folder, "a"))];
    await later.create("one.txt", ["1"]);
    renameSync(join(folder, "a"), join(folder, "aside"));
    symlinkSync(elsewhere, join(folder, "a"));
    for (const writer of [before, later])
      await expect(writer.create("two.txt", ["2"])).rejects.toThrow("output_dir changed while it was looked at.");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("is created with the first file, not before", async () => {
    const folder = join(temporaryFolder(), "new", "deeper");
    const writer = folderWriter(folder);
    expect(existsSync(join(folder, ".."))).toBe(false);
    await writer.create("a.txt", ["a"]);
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  it("may not be among our own data, unless that is where the vault is", () => {
    const vault = join(home, "notes");
    const own = { ...places, vault, own: [join(vault, "home", "data")] };
    expect(() => exportFolder("~/notes/home/data/x", own)).toThrow(expect.objectContaining({ code: "denied" }));
    expect(exportFolder("~/notes/home/x", own)).toBe(join(vault, "home", "x"));
    const embedded = { ...places, vault: join(home, "data", "vault") };
    expect(exportFolder("~/data/vault/Chats", embedded)).toBe(join(home, "data", "vault", "Chats"));
  });

  it("may be a folder of the vault, wherever the vault is", () => {
    const vault = join(home, ".config", "vault");
    expect(exportFolder("~/.config/vault/Chats", { ...places, vault })).toBe(join(vault, "Chats"));
  });

  it.each([
    "",
    " ",
    "a\0b",
    "a\nb",
    "~/a\u001b[2Jb",
    "a\u0085b",
    "file:///etc",
    "file:/etc",
    "https://example.org/x",
    "~root/x",
    "~anna",
  ])("must be a path: %j", (sent) => {
    expect(() => exportFolder(sent, places)).toThrow(expect.objectContaining({ code: "invalid" }));
  });

  it.each(["CON", "a/nul.md", "~/COM1", "a/b./c", "trailing ", "ab:c", "x\\AUX\\y"])(
    "must have names that Windows has, on Windows: %j",
    async (sent) => {
      const refusal = expect.objectContaining({
        code: "invalid",
        message: expect.stringMatching(/^Windows has no folders named '/),
      });
      await onPlatform("win32", () => expect(() => exportFolder(sent, places)).toThrow(refusal));
      await onPlatform("win32", () => expect(exportFolder("./a/../console", places)).toBe(join(home, "console")));
      expect(() => exportFolder(sent, places)).not.toThrow(refusal);
    },
  );

  it("is rejected if it is a file", () => {
    const file = join(home, "a-file");
    writeFileSync(file, "");
    expect(() => folderWriter(file)).toThrow(expect.objectContaining({ code: "invalid" }));
    expect(() => folderWriter(join(file, "below"))).toThrow(expect.objectContaining({ code: "invalid" }));
    expect(existsSync(file)).toBe(true);
  });
});

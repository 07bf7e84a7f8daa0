// Hosts that can ask the person do, before something destructive that nobody has
// confirmed; all others get the preview.
import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { filesIn, vaultFolder } from "../../fixtures/vaults.ts";
import { connectHttp, connectStdio, ERAS, serveHttp, temporaryFolder, TOKEN } from "../../processes/program.ts";

const FILES = { "Old/A.md": "#tag\n", "Old/B.md": "", "Note.md": "#tag\n" };
const DELETE = ["vaultManager_deleteFolder", { path: "Old", recursive: true }] as const;
const RENAME = ["vaultLibrarian_tags", { rename: "tag", newName: "label" }] as const;

type Action = "accept" | "decline" | "cancel";

/** @param answers what the person says, in order; undefined: the host cannot ask */
async function open(era: ClientOptions, answers: readonly (Action | Error)[] | undefined) {
  const home = temporaryFolder();
  const vault = vaultFolder(FILES);
  const asked: string[] = [];
  const capabilities = answers === undefined ? {} : { elicitation: {} };
  const client = await connectStdioWith(home, { ...era, capabilities }, vault, (given) => {
    if (answers === undefined) return;
    const left = [...answers];
    given.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      const answer = left.shift();
      if (answer instanceof Error || answer === undefined) throw answer ?? new Error("asked too often");
      return { action: answer, ...(answer === "accept" && { content: {} }) };
    });
  });
  const call = async ([name, sent]: readonly [string, object]) => {
    const { structuredContent, content } = await client.callTool({ name, arguments: { ...sent } });
    return { ...(structuredContent as Record<string, unknown>), text: (content as { text: string }[])[0]!.text };
  };
  const files = () => Object.keys(filesIn(vault));
  return { call, asked, files, vault };
}

async function connectStdioWith(
  home: string,
  options: ClientOptions,
  vault: string,
  prepare: (client: Client) => void,
) {
  const client = await connectStdio(home, options, ["--vault", vault, "--home", home, "--toolsets", "all"]);
  prepare(client);
  return client;
}

describe.each(Object.entries(ERAS))("a host of %s that can ask", (_, era) => {
  it("does what the person agrees to, and says what that was", async () => {
    const { call, asked, files, vault } = await open(era, ["accept", "accept"]);
    expect(await call(RENAME)).toMatchObject({ success: true, undoId: expect.any(String) });
    expect(filesIn(vault)["Note.md"]).toBe("#label\n");
    expect(await call(DELETE)).toMatchObject({ success: true, undoId: expect.any(String) });
    expect(files()).toEqual(["Note.md"]);
    expect(asked).toEqual([
      "This will rename #tag to #label in 2 places of 2 files.",
      "This will move 'Old' with 2 files and 0 folders to the trash.",
    ]);
  });

  it("does nothing if the person declines, or gives no answer", async () => {
    const { call, files, asked } = await open(era, ["decline", "cancel"]);
    const declined = await call(DELETE);
    const message =
      "This will move 'Old' with 2 files and 0 folders to the trash. The person said no: nothing was changed.";
    expect(declined).toMatchObject({ success: false, message });
    expect(declined.text).toContain(message);
    // A question that was dismissed is no approval: the model is not invited to confirm.
    const dismissed = await call(DELETE);
    expect(dismissed).toMatchObject({ success: false, requiresConfirmation: true });
    expect(dismissed.text).toContain("to the trash. The person was asked and did not answer: nothing was changed.");
    expect(JSON.stringify(dismissed)).not.toContain("confirmed=true");
    expect(asked).toHaveLength(2);
    expect(files()).toEqual(Object.keys(FILES).toSorted());
  });

  it("is not asked about what was confirmed, or what only a preview was wanted of", async () => {
    const { call, asked, files } = await open(era, []);
    expect(await call([DELETE[0], { ...DELETE[1], confirmed: false }])).toMatchObject({ requiresConfirmation: true });
    expect(await call(["vaultLibrarian_tags", {}])).toMatchObject({ success: true });
    expect(await call([DELETE[0], { ...DELETE[1], confirmed: true }])).toMatchObject({ success: true });
    expect(asked).toEqual([]);
    expect(files()).toEqual(["Note.md"]);
  });

  it("is not asked if the call cannot be made at all", async () => {
    const { call, asked } = await open(era, []);
    expect(await call([DELETE[0], { path: "Nowhere" }])).toMatchObject({ success: false, code: "not_found" });
    expect(asked).toEqual([]);
  });
});

describe.each(Object.entries(ERAS))("a host of %s that cannot ask", (_, era) => {
  it("gets the preview", async () => {
    const { call, files } = await open(era, undefined);
    expect(await call(DELETE)).toMatchObject({ success: false, requiresConfirmation: true });
    expect(files()).toEqual(Object.keys(FILES).toSorted());
  });
});

it("a host whose question fails gets the preview", async () => {
  const { call, files } = await open(ERAS["2025-11-25 and before"], [new Error("no window")]);
  expect(await call(DELETE)).toMatchObject({ success: false, requiresConfirmation: true });
  expect(files()).toEqual(Object.keys(FILES).toSorted());
});

it.each(Object.entries(ERAS))("a host of %s is asked over HTTP, too", async (_, era) => {
  const home = temporaryFolder();
  const vault = vaultFolder(FILES);
  const { url } = await serveHttp(home, undefined, ["--vault", vault, "--home", home, "--toolsets", "all"]);
  const client = await connectHttp(url, { ...era, capabilities: { elicitation: {} } }, TOKEN);
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
  const { structuredContent } = await client.callTool({ name: DELETE[0], arguments: { ...DELETE[1] } });
  expect(structuredContent).toMatchObject({ success: true });
  expect(Object.keys(filesIn(vault))).toEqual(["Note.md"]);
});

describe.each(Object.entries(ERAS))("a name that several notes have, in a host of %s", (_, era) => {
  const TWINS = { "A/Kyoto.md": "In A.\n", "B/Kyoto.md": "In B.\n" };
  const read = async (answer: object | undefined, sent: object = { filePath: "Kyoto" }) => {
    const home = temporaryFolder();
    const vault = vaultFolder(TWINS);
    const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
    const client = await connectStdio(home, { ...era, capabilities }, ["--vault", vault, "--home", home]);
    const asked: unknown[] = [];
    if (answer !== undefined)
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params);
        return answer as never;
      });
    // The index is made by the first search.
    await client.callTool({ name: "search", arguments: { query: "In" } });
    const result = await client.callTool({
      name: "contentManager_readContent",
      arguments: { ...sent, context: CONTEXT },
    });
    return {
      asked,
      ...(result as {
        structuredContent: { success: boolean; error?: string; hint?: string; data?: { content: string } };
      }),
      result,
    };
  };

  it("is resolved by the person", async () => {
    for (const sent of [{ filePath: "Kyoto" }, { path: "[[Kyoto]]" }]) {
      const { asked, structuredContent, result } = await read(
        { action: "accept", content: { note: "B/Kyoto.md" } },
        sent,
      );
      expect(structuredContent.data?.content).toBe("In B.\n");
      expect(asked).toHaveLength(1);
      expect(asked[0]).toMatchObject({
        requestedSchema: { properties: { note: { enum: ["A/Kyoto.md", "B/Kyoto.md"] } } },
      });
      expect(result).not.toHaveProperty("choices");
    }
  });

  it("is an error that names them if nobody chooses, or something else was chosen", async () => {
    for (const answer of [
      undefined,
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: { note: "../Secret.md" } },
    ]) {
      const { structuredContent, result } = await read(answer);
      expect(structuredContent).toMatchObject({
        success: false,
        error: "File not found: Kyoto",
        hint: "Did you mean 'A/Kyoto.md' or 'B/Kyoto.md'?",
      });
      expect(result).not.toHaveProperty("choices");
    }
  });
});

describe.each(Object.entries(ERAS))("a note that only other vaults have, in a host of %s", (_, era) => {
  const open = async (answer: object | undefined) => {
    const home = temporaryFolder();
    const first = vaultFolder({ "Old/Own.md": "Own.\n" });
    const others = [
      vaultFolder({ "Kyoto.md": "At home.\n", "Trip/a.md": "" }),
      vaultFolder({ "Kyoto.md": "At work.\n" }),
    ];
    const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
    const flags = [`Own=${first}`, `Home=${others[0]}`, `Work=${others[1]}`].flatMap((vault) => ["--vault", vault]);
    const client = await connectStdio(home, { ...era, capabilities }, [...flags, "--home", home, "--toolsets", "all"]);
    const asked: unknown[] = [];
    if (answer !== undefined)
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params);
        return answer as never;
      });
    const call = async (name: string, sent: object) =>
      (await client.callTool({ name, arguments: { ...sent, context: CONTEXT } })).structuredContent;
    return { call, asked };
  };
  const missing = { success: false, error: "File not found: Kyoto.md" };

  it("is taken from the vault that the person names", async () => {
    const { call, asked } = await open({ action: "accept", content: { vault: "Work" } });
    expect(await call("contentManager_readContent", { filePath: "Kyoto.md" })).toMatchObject({
      data: { content: "At work.\n" },
    });
    expect(asked).toEqual([
      expect.objectContaining({
        message: "Kyoto.md is not in the default vault. Which vault is meant?",
        requestedSchema: expect.objectContaining({ properties: { vault: { type: "string", enum: ["Home", "Work"] } } }),
      }),
    ]);
  });

  it("stays an error that names the vaults if nobody chooses one of them", async () => {
    for (const answer of [undefined, { action: "decline" }, { action: "accept", content: { vault: "Own" } }]) {
      const { call } = await open(answer);
      expect(await call("contentManager_readContent", { filePath: "Kyoto.md" })).toMatchObject({
        ...missing,
        hint: expect.stringContaining("It is in the vaults Home and Work: send vault."),
      });
    }
  });

  it("is not asked about if the call names a vault, is confirmed, or no vault has it", async () => {
    const { call, asked } = await open({ action: "accept", content: { vault: "Home" } });
    const read = (sent: object) => call("contentManager_readContent", sent);
    expect(await read({ filePath: "Kyoto.md", vault: "Own" })).toMatchObject(missing);
    expect(await read({ filePath: "Nara.md" })).toMatchObject({ success: false });
    const removal = { path: "Trip", recursive: true, confirmed: true };
    expect(await call("vaultManager_deleteFolder", removal)).toMatchObject({ success: false });
    expect(asked).toEqual([]);
    expect(await call("vaultManager_deleteFolder", { ...removal, confirmed: false })).toMatchObject({
      requiresConfirmation: true,
    });
    expect(asked).toHaveLength(1);
  });
});

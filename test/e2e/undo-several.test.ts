// undo of several changes at once, by the packed program: with a preview, all or none.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectStdio, ERAS, temporaryFolder } from "../processes/program.ts";

async function opened() {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  mkdirSync(vault);
  for (const name of ["A", "B"]) writeFileSync(join(vault, `${name}.md`), `${name}\n`);
  const client = await connectStdio(home, ERAS["2025-11-25 and before"], ["--vault", vault]);
  const call = async (name: string, sent: Record<string, unknown>) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: sent });
    return { isError: isError === true, ...(structuredContent as Record<string, unknown>) };
  };
  const append = (filePath: string, content: string, sessionId = "s") =>
    call("contentManager_appendContent", { filePath, content, context: { ...CONTEXT, sessionId } });
  return { call, append, read: (name: string) => readFileSync(join(vault, `${name}.md`), "utf8"), vault };
}

it("undoes several changes once they are confirmed, and shows them first", async () => {
  const { call, append, read } = await opened();
  await append("A.md", "1");
  await append("A.md", "2");
  await append("B.md", "3");
  for (const sent of [{ count: 2 }, { count: 2, confirmed: "yes" }, { count: 2, confirmed: true, preview: true }])
    expect(await call("undo", sent)).toMatchObject({
      success: false,
      requiresConfirmation: true,
      message: "This will undo 2 changes. Set confirmed=true to proceed.",
      changes: [{ message: "Appended to B.md" }, { message: "Appended to A.md" }],
    });
  expect(read("A") + read("B")).toBe("A\n1\n2B\n3");
  expect(await call("undo", { count: 2, confirmed: true })).toMatchObject({
    success: true,
    message: "Undid 2 changes",
  });
  expect(read("A") + read("B")).toBe("A\n1B\n");
  expect(await call("undo", { since: "today", confirmed: true })).toMatchObject({ message: "Undid 1 change" });
  expect(read("A")).toBe("A\n");
  expect(await call("undo", { count: 2, confirmed: true })).toMatchObject({ isError: true, code: "not_found" });
});

it("undoes what one conversation changed, or nothing if something of it was changed since", async () => {
  const { call, append, read, vault } = await opened();
  await append("A.md", "1", "first");
  await append("B.md", "2", "second");
  await append("B.md", "3", "first");
  expect(await call("undo", { session: "first", confirmed: true })).toMatchObject({ message: "Undid 2 changes" });
  expect(read("A") + read("B")).toBe("A\nB\n2");
  writeFileSync(join(vault, "B.md"), "of a person\n");
  await append("A.md", "4", "second");
  expect(await call("undo", { session: "second", confirmed: true })).toMatchObject({ isError: true, code: "conflict" });
  expect(read("A") + read("B")).toBe("A\n4of a person\n");
});

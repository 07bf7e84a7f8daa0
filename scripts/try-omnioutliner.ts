// Proves on a Mac what the tests can only prove on a simulated one: every tool,
// on a document of OmniOutliner made for it. `npm run try-omnioutliner`; see
// docs/internals/omnioutliner.md. Writes to no document of another name.
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const NAME = /^Commonplace try\b/;
const PROGRAM = join(import.meta.dirname, "..", "bin", "commonplace.js");

interface Row {
  readonly id: string;
  readonly topic: string;
  readonly note: string | null;
  readonly state: string;
  readonly parentId: string | null;
  readonly childIds: readonly string[];
}
type Answer = Readonly<Record<string, unknown>> & { readonly message?: string };

const client = new Client({ name: "try-omnioutliner", version: "1" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [...process.execArgv, PROGRAM, "--outline", "app", "--toolsets", "all"],
    env: process.env as Record<string, string>,
    stderr: "inherit",
  }),
);
const call = async (name: string, sent: object = {}): Promise<Answer> => {
  const { structuredContent, isError } = await client.callTool({ name, arguments: { ...sent } });
  if (isError) throw new Error(JSON.stringify(structuredContent));
  return structuredContent as Answer;
};
const rows = async () => (await call("get_outline_structure"))["rows"] as readonly Row[];
const topics = async () => (await rows()).map(({ topic }) => topic).join(" / ");

let failures = 0;
/** One capability: what is done, and whether the result is right. */
async function step(
  what: string,
  work: () => Promise<{ readonly isRight: boolean; readonly saw: string }>,
): Promise<void> {
  const started = performance.now();
  const { isRight, saw } = await work().catch((error: unknown) => ({ isRight: false, saw: String(error) }));
  if (!isRight) failures++;
  console.log(`${isRight ? "ok    " : "FAILED"}  ${what}: ${saw} (${Math.round(performance.now() - started)} ms)`);
}

const TEXT = 'it\'s "quoted" \\ `x` 👩‍👩‍👧 日本語 & <b>';
let first = "";
let second = "";

const connection = await call("check_connection");
console.log(connection.message);
if (!NAME.test(String(connection["documentName"]))) {
  console.log("Make a new document, save it as 'Commonplace try', leave it in front, and start this again.");
  process.exitCode = 2;
} else {
  await prove();
  console.log(
    failures === 0 ? "\nEverything works here." : `\n${failures} of these did not work: please report the lines.`,
  );
  process.exitCode = failures === 0 ? 0 : 1;
}
await client.close();

async function prove(): Promise<void> {
  const before = await topics();
  await step("add a row with any text", async () => {
    const { newRow } = (await call("add_row", { topic: TEXT, note: "two\nlines" })) as unknown as { newRow: Row };
    first = newRow.id;
    return { isRight: newRow.topic === TEXT && newRow.note === "two\nlines", saw: JSON.stringify(newRow) };
  });
  await step("add a row before another", async () => {
    const sent = { topic: "Second", siblingId: first, relativePosition: "before" };
    const { newRow } = (await call("add_row", sent)) as unknown as { newRow: Row };
    second = newRow.id;
    const ids = (await rows()).map(({ id }) => id);
    return { isRight: ids.indexOf(second) === ids.indexOf(first) - 1, saw: await topics() };
  });
  await step("set topic, note and checkbox", async () => {
    const sent = { rowId: first, topic: "First", note: "", state: "checked" };
    const { updatedRow: row } = (await call("update_row", sent)) as unknown as { updatedRow: Row };
    const isRight = row.topic === "First" && row.note === null && row.state === "checked";
    return { isRight, saw: JSON.stringify(row) };
  });
  await step("take a checkbox away", async () => {
    const { updatedRow: row } = (await call("update_row", { rowId: first, state: "none" })) as unknown as {
      updatedRow: Row;
    };
    return { isRight: row.state === "none", saw: row.state };
  });
  await step("move a row below another, with the same id", async () => {
    const { movedRow } = (await call("move_row", { rowId: first, newParentId: second })) as unknown as {
      movedRow: Row;
    };
    return { isRight: movedRow.id === first && movedRow.parentId === second, saw: JSON.stringify(movedRow) };
  });
  await step("undo it and redo it", async () => {
    await call("undo");
    const undone = (await rows()).find(({ id }) => id === first)?.parentId;
    await call("redo");
    const redone = (await rows()).find(({ id }) => id === first)?.parentId;
    return { isRight: undone === null && redone === second, saw: `parent ${String(undone)}, then ${String(redone)}` };
  });
  await step("insert 2,000 rows, more than one script holds, and undo them", async () => {
    const content = Array.from({ length: 1000 }, (_, at) => ({
      topic: `Row ${at}`,
      note: "n".repeat(200),
      children: [{ topic: "below" }],
    }));
    await call("insert_content", { content, parentId: second });
    const many = (await call("get_current_document"))["document"] as { rowCount: number };
    await call("undo");
    const few = (await call("get_current_document"))["document"] as { rowCount: number };
    return { isRight: many.rowCount - few.rowCount === 2000, saw: `${many.rowCount} rows, then ${few.rowCount}` };
  });
  await step("delete with a preview", async () => {
    const preview = await call("delete_row", { rowId: second });
    const { message } = await call("delete_row", { rowId: second, confirmed: true });
    const isRight = preview["requiresConfirmation"] === true && (await topics()) === before;
    return { isRight, saw: String(message) };
  });
}

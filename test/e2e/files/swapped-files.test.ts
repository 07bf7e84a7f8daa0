// Another program swaps notes and folders for pipes, and for links that lead
// out of the vault, while the packed program searches, reads and lists.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { everythingIn } from "../../fixtures/vault-content.ts";
import { whileSwapping } from "../../faults/children/start-swapper.ts";
import { connectStdio, ERAS, temporaryFolder } from "../../processes/program.ts";

const SECRET = "quinquereme";
const SERVERS = 6;
const ROUNDS = 8;

function newVault() {
  const home = temporaryFolder();
  const at = (...names: string[]) => join(home, ...names);
  for (const folder of ["vault", "vault/Folder", "outside", "aside"]) mkdirSync(at(folder));
  for (let i = 0; i < 40; i++) writeFileSync(at("vault", `Plain ${i}.md`), `A plain note, ${i}.`);
  for (const name of ["Note.md", "Folder/Inner.md"]) writeFileSync(at("vault", name), "- A note of the vault.");
  for (const name of ["Inner.md", "Other.md", `${SECRET}.md`]) writeFileSync(at("outside", name), `- Galley ${SECRET}`);
  execFileSync("mkfifo", [at("aside/0-1")]);
  symlinkSync(at("outside/Other.md"), at("aside/0-2"));
  symlinkSync(at("outside"), at("aside/1-1"));
  const places = [
    { path: at("vault/Note.md"), count: 3 },
    { path: at("vault/Folder"), count: 2 },
  ];
  return { home, at, swaps: { places, aside: at("aside") } };
}

const CALLS: readonly (readonly [string, object])[] = [
  ["vaultLibrarian_searchContent", { query: "galley" }],
  ["search", { query: "galley" }],
  ["contentManager_readContent", { filePath: "Note" }],
  ["contentManager_readContent", { filePath: "Folder/Inner" }],
  ["contentManager_readContent", { filePath: "Folder/Other" }],
  ["vaultManager_listDirectory", { path: "Folder" }],
  ["vaultManager_listDirectory", { path: "", depth: 3 }],
  ["open_document", {}],
];

it.skipIf(process.platform === "win32")(
  "a vault whose files become pipes and links is served on, and nothing from outside is shown",
  { timeout: 300_000 },
  async () => {
    const { home, at, swaps } = newVault();
    const answers: string[] = [];
    const serve = async (number: number) => {
      const args = ["--vault", at("vault"), "--home", at(`own ${number}`), "--toolsets", "all"];
      const client = await connectStdio(home, ERAS["2025-11-25 and before"], args);
      const call = async ([name, sent]: (typeof CALLS)[number]) => {
        const { structuredContent } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
        answers.push(JSON.stringify(structuredContent));
      };
      for (let round = 0; round < ROUNDS; round++) await Promise.all(CALLS.map(call));
      await client.close();
    };
    await whileSwapping(swaps, async () => {
      for (let number = 0; number < SERVERS; number++) await serve(number);
    });
    expect(answers).toHaveLength(SERVERS * ROUNDS * CALLS.length);
    expect(answers.filter((answer) => answer.includes(SECRET))).toEqual([]);
    expect(answers.filter((answer) => answer.includes("mistake in the server"))).toEqual([]);
  },
);

it.skipIf(process.platform !== "linux")(
  "a vault whose folder becomes a link gets nothing written outside, and every refusal can be read",
  { timeout: 300_000 },
  async () => {
    const { home, at, swaps } = newVault();
    const was = everythingIn(at("outside"));
    const args = ["--vault", at("vault"), "--home", at("own"), "--toolsets", "all"];
    const client = await connectStdio(home, ERAS["2025-11-25 and before"], args);
    const answers: string[] = [];
    const call = async (name: string, sent: object) => {
      const { structuredContent } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
      answers.push(JSON.stringify(structuredContent));
    };
    const [, folder] = swaps.places;
    renameSync(at("aside/1-1"), at("aside/0-1"));
    await whileSwapping({ ...swaps, places: [folder!] }, async () => {
      for (let i = 0; i < 60; i++) {
        await call("contentManager_createContent", { filePath: `Folder/New ${i}`, content: "the text of a note" });
        await call("contentManager_appendContent", { filePath: "Folder/Inner", content: `line ${i}` });
        await call("vaultManager_moveNote", { path: `Plain ${i % 40}`, newPath: `Folder/Plain ${i % 40}` });
        await call("vaultManager_createFolder", { path: `Folder/Deep ${i}/Below` });
        await call("undo", {});
        await call("undo", {});
        await call("redo", {});
      }
    });
    expect(everythingIn(at("outside"))).toEqual(was);
    expect(answers.filter((answer) => answer.includes("mistake in the server"))).toEqual([]);
    expect(answers.filter((answer) => answer.includes(home))).toEqual([]);
    expect(answers.filter((answer) => answer.includes('"success":true')).length).toBeGreaterThan(0);
    const names = readdirSync(home, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => /\.commonplace-[0-9a-f]+\.tmp$/.test(name))).toEqual([]);
    await client.close();
  },
);

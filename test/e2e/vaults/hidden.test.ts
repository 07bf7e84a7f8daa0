// Nothing of a hidden file is seen: every tool of the table, every resource,
// prompt, completion and command is asked for it, and all answers are searched
// for its name, words, heading, tag, property and alias.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../../src/tools/toolbox.ts";
import { CONTEXT } from "../../contract/vault.ts";
import { probesOf } from "../../fixtures/probes.ts";
import { connectStdio, ERAS, runProgram, serveHttp, temporaryFolder, TOKEN } from "../../processes/program.ts";

/** What no answer may contain, unless it was sent. */
const SECRETS = {
  folder: "zyxfolder",
  name: "zyxname",
  word: "zyxword",
  heading: "zyxheading",
  tag: "zyxtag",
  property: "zyxproperty",
  value: "zyxvalue",
  alias: "zyxalias",
  canvas: "zyxcanvas",
  base: "zyxbase",
  image: "zyximage",
  template: "zyxtemplate",
  day: "zyxday",
  row: "zyxrow",
  task: "zyxtask",
};
const NOTE = `Private/${SECRETS.folder}/${SECRETS.name}.md`;
const TEXT = `---
aliases: [${SECRETS.alias}]
${SECRETS.property}: ${SECRETS.value}
tags: [${SECRETS.tag}]
---
# ${SECRETS.heading}

${SECRETS.word} links to [[Apple]] and [[Pear|${SECRETS.word}]].

- [ ] ${SECRETS.task} 📅 2020-01-01
- ${SECRETS.row}
`;

const FILES: Readonly<Record<string, string>> = {
  "Apple.md":
    "---\nkind: fruit\n---\n# Apple\n\nAn apple, see [[Pear]] and ![[Board.canvas]].\n\n- [ ] eat it\n- a row\n",
  "Pear.md": "# Pear\n\nA pear #fruit, like [[Apple]].\n",
  "Folder/Plum.md": "A plum.\n",
  "Board.canvas": '{"nodes":[{"id":"1","type":"text","text":"board"}],"edges":[]}',
  "Fruit.base": 'views:\n  - type: table\n    name: All\n    filters: file.ext == "md"\n',
  "Templates/Fruit.md": "# {{title}}\n",
  [NOTE]: TEXT,
  [`Private/${SECRETS.canvas}.canvas`]: `{"nodes":[{"id":"1","type":"text","text":"${SECRETS.word}"}],"edges":[]}`,
  [`Private/${SECRETS.base}.base`]: `views:\n  - type: table\n    name: ${SECRETS.word}\n`,
  [`Private/${SECRETS.image}.png`]: "PNG",
  [`Private/${SECRETS.template}/${SECRETS.template}.md`]: `${SECRETS.word} {{title}}\n`,
  [`Private/${SECRETS.row}.opml`]: `<opml version="2.0"><head/><body><outline text="${SECRETS.word}"/></body></opml>`,
  ".obsidian/daily-notes.json": JSON.stringify({
    folder: `Private/${SECRETS.day}`,
    template: `Private/${SECRETS.template}`,
  }),
  ".obsidian/templates.json": JSON.stringify({ folder: `Private/${SECRETS.template}` }),
};

const USUAL = {
  filePath: "Apple.md",
  path: "Apple.md",
  sourcePath: "Apple.md",
  targetPath: "Copy.md",
  newPath: "Moved.md",
  paths: ["/"],
  query: "apple",
  content: "text",
  name: "Fruit",
  newName: "Other",
  findText: "apple",
  replaceText: "apple",
  heading: "Apple",
  rootFolder: "Folder",
  set: { kind: "fruit" },
  output_dir: "exports",
};

/** Nearly the secrets, and what lists everything. */
const NEARLY = [
  "zyx",
  "zyxnam",
  "zyxwrod",
  "[[zyxnme]]",
  "Private",
  "private/",
  "PRIVATE/../Private",
  "Private/zyxfoldr/zyxnme.md",
  "linked/x.md",
  "linked.md",
  "daily:today",
  "daily:2020-01-01",
  "/",
  "*",
  ".*",
  "**/*",
  "tag:#zyx",
  "path:Private",
  "prop:zyxpropert",
  "file.path",
  'file.inFolder("Private")',
  "Apple.md",
  "all",
];

const leaksIn = (answer: string, sent: string) =>
  Object.values(SECRETS).filter((secret) => answer.includes(secret) && !sent.includes(secret));

/** Tools that write were called before. */
function putBack(vault: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    if (existsSync(join(vault, path))) continue;
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
}

const ERA = ERAS["2025-11-25 and before"];

async function call(client: Client, name: string, sent: object) {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...sent } });
  return { isError: isError === true, text: JSON.stringify([content, structuredContent]) };
}

/** A vault, and from before a part of it was hidden a history, traces, a workspace and a state that name it. */
async function hiddenPlace() {
  const home = temporaryFolder();
  const vault = join(home, "Notes");
  putBack(vault);
  symlinkSync(join(vault, NOTE), join(vault, "linked.md"));
  symlinkSync(join(vault, "Private"), join(vault, "linked"));
  const common = ["--vault", vault, "--home", join(home, "own"), "--project", vault, "--outline-folders", vault];
  const before = await connectStdio(home, ERA, [...common, "--toolsets", "all"]);
  const context = { ...CONTEXT, sessionId: "before", primaryGoal: "goal", subgoal: "before" };
  const place = { rootFolder: `Private/${SECRETS.folder}`, keyFiles: [NOTE] };
  const state = { conversationContext: "c", activeTask: "t", activeFiles: [NOTE], nextSteps: [], reasoning: "r" };
  for (const [name, sent] of [
    ["contentManager_appendContent", { filePath: NOTE, content: "more" }],
    ["contentManager_readContent", { filePath: NOTE }],
    ["contentManager_createContent", { filePath: `Private/${SECRETS.name}2.md`, content: SECRETS.word }],
    ["vaultManager_moveNote", { path: `Private/${SECRETS.name}2.md`, newPath: `Private/${SECRETS.name}3.md` }],
    ["vaultManager_deleteNote", { path: `Private/${SECRETS.name}3.md` }],
    ["memoryManager_createWorkspace", { ...place, name: "Fruit", description: "d", purpose: "p", currentGoal: "g" }],
    ["memoryManager_createState", { ...state, name: "State" }],
    ["open_document", { path: NOTE }],
  ] as const) {
    const result = await call(before, name, { ...sent, context });
    expect(result, result.text).toMatchObject({ isError: false });
  }
  // Whatever a call says of a path is in its trace, also if it fails.
  const [hidden, folder] = [`Private/${SECRETS.name}`, `Private/${SECRETS.folder}`];
  for (const [name, sent] of [
    ["vaultLibrarian_query", { where: `file.inFolder("${folder}")` }],
    ["vaultLibrarian_query", { where: `file.inFolder("${folder}` }],
    ["vaultManager_deleteNote", { path: hidden.replace("/", "\\") }],
    ["vaultManager_deleteNote", { path: encodeURIComponent(hidden) }],
    ["vaultManager_deleteNote", { path: `[[${hidden}]]` }],
    ["vaultManager_deleteNote", { path: `[[${SECRETS.name}]]` }],
    ["vaultManager_listDirectory", { path: folder.replace("/", "\\") }],
    ["vaultLibrarian_searchContent", { query: `path:"${folder}" apple` }],
  ] as const)
    await call(before, name, { ...sent, context: { ...context, toolContext: `Looking at ${hidden}.md` } });
  await before.close();
  return { home, vault, common, settings: [...common, "--hide", "private/"] };
}

let place: Awaited<ReturnType<typeof hiddenPlace>>;
let client: Client;
beforeAll(async () => {
  place = await hiddenPlace();
  client = await connectStdio(place.home, ERA, [...place.settings, "--toolsets", "all"]);
});

describe("what is hidden", () => {
  it("would be found by these tests", async () => {
    const open = await connectStdio(place.home, ERA, [...place.common, "--toolsets", "all"]);
    const found = new Set<string>();
    for (const [name, sent] of [
      ["search", { query: "zyxword" }],
      ["vaultManager_listDirectory", { path: "/", depth: 10 }],
      ["contentManager_readContent", { filePath: NOTE }],
      ["vaultLibrarian_tags", {}],
      ["history", {}],
      ["vaultLibrarian_searchMemory", { query: SECRETS.name }],
      ["list_project_files", { max_files: 100 }],
      ["open_document", {}],
      ["contentManager_createContent", { filePath: "T.md", content: "", template: "none", context: CONTEXT }],
      ["contentManager_readContent", { filePath: "daily:today" }],
    ] as const) {
      const { content, structuredContent } = await open.callTool({ name, arguments: sent });
      for (const secret of leaksIn(JSON.stringify([content, structuredContent]), JSON.stringify(sent)))
        found.add(secret);
    }
    expect([...found].toSorted()).toEqual(Object.values(SECRETS).toSorted());
  });

  it("is not taken for the whole vault if it is the folder of a workspace", async () => {
    const { contents } = await client.readResource({ uri: "memory://workspaces/Fruit" });
    const { text } = contents[0] as { text: string };
    expect(text).toContain("# Fruit");
    expect(text).not.toMatch(/Folder:/);
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))("is not in an answer of %s", async (_, tool) => {
    const leaks: string[] = [];
    for (const { sent } of probesOf(tool, USUAL, NEARLY, 3)) {
      const { text } = await call(client, tool.name, sent);
      const leaked = leaksIn(text, "");
      if (leaked.length > 0) leaks.push(`${JSON.stringify(sent)}: ${leaked.join(", ")} in ${text.slice(0, 2000)}`);
    }
    expect(leaks.slice(0, 3)).toEqual([]);
    expect(readFileSync(join(place.vault, NOTE), "utf8")).toContain(SECRETS.word);
  });

  it("is not confirmed by a tool that gets its exact name, text or path", async () => {
    const leaks: string[] = [];
    const exact = [
      ...Object.values(SECRETS),
      NOTE,
      `[[${SECRETS.name}]]`,
      `Private/${SECRETS.folder}`,
      `prop:${SECRETS.property}=${SECRETS.value}`,
      `tag:#${SECRETS.tag}`,
    ];
    // Without memory: it may keep what a caller sent.
    const { home, settings } = await hiddenPlace();
    const other = await connectStdio(home, ERA, [...settings, "--toolsets", "all", "--memory", "off", "--read-only"]);
    const { tools } = await other.listTools();
    const answerOf = async (name: string, sent: object) => {
      const { isError, content } = await other.callTool({ name, arguments: { ...sent } });
      return { isError: isError === true, text: JSON.stringify(content) };
    };
    for (const { name } of tools) {
      const tool = TOOLS.find((each) => each.name === name)!;
      for (const { sent } of probesOf(tool, USUAL, exact, 2)) {
        const asked = JSON.stringify(sent);
        const answer = await answerOf(name, sent);
        const leaked = leaksIn(answer.text, asked);
        if (leaked.length > 0) leaks.push(`${name} ${asked}: ${leaked.join(", ")} in ${answer.text.slice(0, 500)}`);
        // What is not there at all is answered in the same way.
        const absent = JSON.parse(asked.replaceAll("zyx", "qqj")) as object;
        const same = await answerOf(name, absent);
        const plain = ({ text }: typeof answer) =>
          text
            .replaceAll("zyx", "qqj")
            .replace(/\d+(?:\.\d+)?/g, "0")
            .replace(/data(?:Begins|Ends) \w+/g, "");
        if (asked.includes("zyx") && plain(answer) !== plain(same))
          leaks.push(`${name} ${asked}: ${answer.text.slice(0, 300)} instead of ${same.text.slice(0, 300)}`);
      }
    }
    expect(leaks.slice(0, 5)).toEqual([]);
  });

  it("cannot be created, changed, moved or deleted", async () => {
    const before = readFileSync(join(place.vault, NOTE), "utf8");
    for (const [name, sent] of [
      ["contentManager_createContent", { filePath: NOTE, content: "x" }],
      ["contentManager_createContent", { filePath: "Private/New.md", content: "x" }],
      ["contentManager_appendContent", { filePath: NOTE, content: "x" }],
      ["contentManager_appendContent", { filePath: "linked.md", content: "x" }],
      ["contentManager_createContent", { filePath: "linked/New.md", content: "x" }],
      ["vaultManager_moveNote", { path: NOTE, newPath: "Out.md" }],
      ["vaultManager_moveNote", { path: "Folder/Plum.md", newPath: "Private/Plum.md" }],
      ["vaultManager_deleteFolder", { path: "Private", confirmed: true }],
      ["vaultManager_createFolder", { path: "Private/New" }],
    ] as const)
      expect(await call(client, name, { ...sent, context: CONTEXT }), JSON.stringify([name, sent])).toMatchObject({
        isError: true,
      });
    expect(readFileSync(join(place.vault, NOTE), "utf8")).toBe(before);
  });

  it("is in no resource, template, completion or prompt", async () => {
    const answers: [string, unknown][] = [];
    const ask = async (what: string, asking: () => Promise<unknown>) => {
      const answer = await asking().catch((error: unknown) => String(error));
      answers.push([what, answer]);
    };
    const { resourceTemplates } = await client.listResourceTemplates();
    await ask("resources", () => client.listResources());
    for (const { uriTemplate } of resourceTemplates) {
      const variables = [...uriTemplate.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
      for (const value of ["", "zyx", "Priv", "a"]) {
        for (const name of variables)
          await ask(`complete ${uriTemplate} ${value}`, () =>
            client.complete({ ref: { type: "ref/resource", uri: uriTemplate }, argument: { name, value } }),
          );
        const uri = variables.reduce((text, name) => text.replace(`{${name}}`, value), uriTemplate);
        await ask(`read ${uri}`, () => client.readResource({ uri }));
      }
    }
    for (const uri of [`note:///${NOTE}`, "note:///linked.md", "note:///Private/zyximage.png"]) {
      const answer = await client.readResource({ uri }).catch((error: unknown) => String(error));
      expect(JSON.stringify(answer)).not.toContain(SECRETS.word);
      expect(String(answer)).toMatch(/not found/i);
    }
    for (const { name, arguments: taken = [] } of (await client.listPrompts()).prompts) {
      await ask(`prompt ${name}`, () => client.getPrompt({ name }));
      for (const argument of taken)
        for (const value of ["", "zyx", "today", "2020-01-01", "before", "Fruit"]) {
          await ask(`prompt ${name} ${value}`, () => client.getPrompt({ name, arguments: { [argument.name]: value } }));
          await ask(`complete ${name} ${value}`, () =>
            client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument.name, value } }),
          );
        }
    }
    const leaks = answers.filter(([, answer]) => leaksIn(JSON.stringify(answer), "").length > 0);
    expect(leaks).toEqual([]);
    expect(answers.length).toBeGreaterThan(50);
  });

  it("is in no output of a command, and not among the files of the page", async () => {
    for (const words of [
      ["search", "zyx"],
      ["search", "apple", "--json"],
      ["history", "--json"],
      ["doctor", "--json"],
      ["index", "--json"],
      ["index", "--rebuild"],
    ]) {
      const { stdout, stderr } = await runProgram([...words, ...place.settings], { home: place.home });
      expect(leaksIn(stdout + stderr, ""), words.join(" ")).toEqual([]);
    }
    const { url, stop } = await serveHttp(place.home, { COMMONPLACE_TOKEN: TOKEN }, place.settings);
    const statusOf = async (path: string) =>
      (await fetch(new URL(`/media/${path}`, url), { headers: { Authorization: `Bearer ${TOKEN}` } })).status;
    expect(await statusOf("Board.canvas")).toBe(200);
    for (const path of [`Private/${SECRETS.image}.png`, NOTE, "private%2Fnone.png", "linked.md"])
      expect(await statusOf(path), path).toBe(404);
    await stop();
  });
});

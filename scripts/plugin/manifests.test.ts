import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { readProperties } from "../../src/markdown/markdown.ts";
import { estimateTokens } from "../../src/kernel/kernel.ts";
import { inputOf } from "../../src/tools/definition/define-tool.ts";
import { TOOLS, type Tool } from "../../src/tools/tools.ts";
import { commands, manifests, PLUGIN, ROOT } from "./manifests.ts";

const made = manifests();
const manifest = (path: string) => JSON.parse(made[`${PLUGIN}/${path}`]!) as Record<string, unknown>;
const text = (path: string) => readFileSync(join(ROOT, PLUGIN, path), "utf8");
const SKILLS = readdirSync(join(ROOT, PLUGIN, "skills"));

describe("the manifests of the plugin", () => {
  it.each(Object.keys(made))("%s is as `npm run plugin` makes it", (path) => {
    expect(readFileSync(join(ROOT, path), "utf8")).toBe(made[path]);
  });

  it("all have the version, the description and the name of the package", () => {
    for (const path of [
      ".claude-plugin/plugin.json",
      ".cursor-plugin/plugin.json",
      "plugin.json",
      "gemini-extension.json",
    ])
      expect(manifest(path), path).toMatchObject({
        name: "commonplace",
        version: packageJson.version,
        description: packageJson.description,
      });
  });

  it("start the same program, in the host's own words for the plugin's folder", () => {
    for (const [path, root] of [
      [".claude-plugin/plugin.json", "${CLAUDE_PLUGIN_ROOT}"],
      [".cursor-plugin/plugin.json", "${CURSOR_PLUGIN_ROOT}"],
      ["mcp.json", "${PLUGIN_ROOT}"],
      ["gemini-extension.json", "${extensionPath}"],
    ] as const) {
      const { command, args } = (manifest(path)["mcpServers"] as Record<string, { command: string; args: string[] }>)[
        "commonplace"
      ]!;
      expect([command, ...args.slice(-2)], path).toEqual(["node", `${root}/run.mjs`, "serve"]);
    }
    expect(existsSync(join(ROOT, PLUGIN, "run.mjs"))).toBe(true);
  });

  it("have only the fields that the published schemas allow", () => {
    const agent = [
      "$schema",
      "name",
      "version",
      "description",
      "author",
      "homepage",
      "repository",
      "license",
      "keywords",
    ];
    expect(agent).toEqual(expect.arrayContaining(Object.keys(manifest("plugin.json"))));
    expect(Object.keys(manifest("mcp.json"))).toEqual(["$schema", "mcpServers"]);
    const cursor = [...agent, "displayName", "publisher", "logo", "category", "tags", "commands", "agents", "skills"];
    expect([...cursor, "rules", "hooks", "variables", "mcpServers"]).toEqual(
      expect.arrayContaining(Object.keys(manifest(".cursor-plugin/plugin.json"))),
    );
    const marketplace = JSON.parse(made[".cursor-plugin/marketplace.json"]!) as Record<string, object[]>;
    expect(["name", "owner", "metadata", "plugins"]).toEqual(expect.arrayContaining(Object.keys(marketplace)));
    for (const entry of marketplace["plugins"]!)
      expect(["name", "source", "description", "minClientVersions"]).toEqual(
        expect.arrayContaining(Object.keys(entry)),
      );
    expect(manifest("plugin.json")["name"]).toMatch(/^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/);
  });

  it("name no address: the package is not published yet", () => {
    for (const [path, content] of Object.entries(made))
      expect(content.replaceAll(/https:\/\/agent-plugins\.org\/schemas\/[\w./]+/g, ""), path).not.toMatch(/https?:/);
  });

  it("give Gemini the commands in its own form", () => {
    for (const { name, description, text: prompt } of commands()) {
      const command = parseToml(text(`commands/${name}.toml`));
      expect(command).toEqual({ description, prompt: `${prompt.replaceAll("$ARGUMENTS", "{{args}}")}\n` });
    }
  });
});

describe.each(SKILLS)("the skill %s", (name) => {
  const source = text(`skills/${name}/SKILL.md`);

  it("has its folder's name and a description that says when to use it, and nothing else", () => {
    const { properties } = readProperties(source);
    expect(Object.keys(properties)).toEqual(["name", "description"]);
    expect(properties["name"]).toBe(name);
    expect(String(properties["description"]).length).toBeLessThan(300);
    expect(properties["description"]).toMatch(/Use (?:when|for|at) /);
  });

  it("is short", () => {
    expect(estimateTokens(source)).toBeLessThan(500);
    expect(statSync(join(ROOT, PLUGIN, "skills", name)).isDirectory()).toBe(true);
  });
});

const TEXTS = [
  ...SKILLS.map((name) => `skills/${name}/SKILL.md`),
  ...commands().map(({ name }) => `commands/${name}.md`),
];

describe.each(TEXTS)("%s", (path) => {
  const mentions = Array.from(text(path).matchAll(/`([^`]+)`/g), ([, code]) => code!);
  const tools: readonly Tool[] = TOOLS;

  it("names tools and arguments that exist, and are listed by default", () => {
    const calls = mentions.filter(
      (code) => /^\w+(?: \{.*\})?$/.test(code) && /_|^(?:search|undo|history)\b/.test(code),
    );
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      const [, name, sent = ""] = /^(\w+)(?: \{(.*)\})?$/.exec(call)!;
      const tool = tools.find((one) => one.name === name);
      expect(tool?.byDefault, call).toBe(true);
      const known = Object.keys(inputOf(tool!));
      for (const argument of sent.split(/, ?/).filter((word) => word !== "")) expect(known, call).toContain(argument);
    }
  });

  it("names nothing else that no tool has", () => {
    const names = new Set(
      tools.flatMap((tool) => [tool.name, ...Object.keys(inputOf(tool)), ...Object.keys(tool.output)]),
    );
    for (const code of mentions.filter((one) => /^\w+$/.test(one)))
      expect([...names, "contentHash", "undoId", "cursor"], code).toContain(code);
  });
});

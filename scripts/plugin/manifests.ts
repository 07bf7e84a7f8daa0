// The manifests by which hosts know the plugin in plugin/, all made from the same
// facts and from the skills and commands there. Written by `npm run plugin`;
// manifests.test.ts fails if one is not as it is made here.
//
// Every host is given the program by a path within the plugin, in its own words
// for the plugin's folder. Hooks are inside Claude's manifest: other hosts look for
// hooks/hooks.json, and read it by other rules.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LAUNCH_FLAGS } from "../../bin/launch-flags.js";
import packageJson from "../../package.json" with { type: "json" };

export const ROOT = join(import.meta.dirname, "..", "..");
export const PLUGIN = "plugin";
const NAME = "commonplace";
const STANDARD = "https://agent-plugins.org/schemas/1.0.0";

const ABOUT = {
  name: NAME,
  version: packageJson.version,
  description: packageJson.description,
  author: { name: packageJson.author },
  license: packageJson.license,
  keywords: packageJson.keywords,
};

const VAULT = {
  title: "Vault",
  description:
    "The folder of your Markdown notes, such as an Obsidian vault. Without one, a small vault with a guide is made.",
};

/** @param root the host's word for the plugin's folder */
const serverIn = (root: string) => ({ command: "node", args: [...LAUNCH_FLAGS, `${root}/run.mjs`, "serve"] });

const hook = (args: string) => ({
  hooks: [{ type: "command", command: `node "\${CLAUDE_PLUGIN_ROOT}/run.mjs" ${args}` }],
});

const claude = {
  ...ABOUT,
  mcpServers: {
    [NAME]: { ...serverIn("${CLAUDE_PLUGIN_ROOT}"), env: { COMMONPLACE_VAULT: "${user_config.vault}" } },
  },
  userConfig: { vault: { type: "directory", required: false, ...VAULT } },
  hooks: {
    SessionStart: [{ matcher: "startup", ...hook("briefing --if-on") }],
    SessionEnd: [hook("index --later")],
  },
};

const cursor = {
  ...ABOUT,
  displayName: "Commonplace",
  skills: "./skills/",
  commands: "./commands/",
  mcpServers: { [NAME]: serverIn("${CURSOR_PLUGIN_ROOT}") },
};

/** The standard of Agent Plugins, which Codex, Copilot and VS Code read. */
const agentPlugin = { $schema: `${STANDARD}/plugin.schema.json`, ...ABOUT };
const agentServers = {
  $schema: `${STANDARD}/mcp.schema.json`,
  mcpServers: { [NAME]: { type: "stdio", ...serverIn("${PLUGIN_ROOT}") } },
};

const gemini = {
  name: NAME,
  version: ABOUT.version,
  description: ABOUT.description,
  mcpServers: { [NAME]: serverIn("${extensionPath}") },
};

const ENTRY = { name: NAME, source: `./${PLUGIN}`, description: ABOUT.description };

const cursorMarketplace = {
  name: NAME,
  owner: { name: ABOUT.author.name },
  metadata: { description: ABOUT.description, version: ABOUT.version },
  plugins: [ENTRY],
};
/** Cursor's schema allows no version of an entry; the others show it. */
const marketplace = { ...cursorMarketplace, plugins: [{ ...ENTRY, version: ABOUT.version }] };
const codexMarketplace = {
  name: NAME,
  interface: { displayName: "Commonplace" },
  plugins: [
    {
      name: NAME,
      source: { source: "local", path: `./${PLUGIN}` },
      policy: { installation: "AVAILABLE", authentication: "ON_USE" },
      category: "Productivity",
    },
  ],
};

/** Every file that is made, by its path. */
export function manifests(): Readonly<Record<string, string>> {
  const json = {
    [`${PLUGIN}/.claude-plugin/plugin.json`]: claude,
    [`${PLUGIN}/.cursor-plugin/plugin.json`]: cursor,
    [`${PLUGIN}/plugin.json`]: agentPlugin,
    [`${PLUGIN}/mcp.json`]: agentServers,
    [`${PLUGIN}/gemini-extension.json`]: gemini,
    ".claude-plugin/marketplace.json": marketplace,
    ".cursor-plugin/marketplace.json": cursorMarketplace,
    ".github/plugin/marketplace.json": marketplace,
    ".agents/plugins/marketplace.json": codexMarketplace,
  };
  return {
    ...Object.fromEntries(Object.entries(json).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`])),
    ...geminiCommands(),
  };
}

export interface Command {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

export function commands(): Command[] {
  const folder = join(ROOT, PLUGIN, "commands");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => {
      const [, properties = "", text = ""] = readFileSync(join(folder, file), "utf8").split(/^---\n/m);
      const description = /^description: (.*)$/m.exec(properties)?.[1] ?? "";
      return { name: file.slice(0, -".md".length), description, text: text.trim() };
    });
}

/** Gemini has commands in TOML, and another word for what the person typed. */
function geminiCommands(): Record<string, string> {
  return Object.fromEntries(
    commands().map(({ name, description, text }) => [
      `${PLUGIN}/commands/${name}.toml`,
      `description = ${JSON.stringify(description)}\nprompt = """\n${text.replaceAll("$ARGUMENTS", "{{args}}")}\n"""\n`,
    ]),
  );
}

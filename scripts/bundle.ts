// npm run bundle [FOLDER]: commonplace-<version>.mcpb, which Claude Desktop and
// other hosts install with a double click. It holds the published package and a
// manifest made from what the program itself says, and nothing native: one file
// for all systems.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LAUNCH_FLAGS } from "../bin/launch-flags.js";
import { devTool } from "./dev-tool.mjs";
import packageJson from "../package.json" with { type: "json" };

/** The tools that a host is shown, asked of the built program. */
function listedTools(home: string): readonly { readonly name: string; readonly description: string }[] {
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bundle", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ];
  const { stdout } = spawnSync(process.execPath, ["bin/commonplace.js", "--home", home], {
    input: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
    encoding: "utf8",
  });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return answers.find(({ id }) => id === 2).result.tools;
}

const folder = mkdtempSync(join(tmpdir(), "commonplace-bundle-"));

/** Empty if the user chooses nothing, which the program treats as unset. */
const NOT_CHOSEN = { required: false, default: "" };

const ICON = "icon.png";
/** The README there has the privacy policy; undefined until the project is published. */
const { homepage } = packageJson as { readonly homepage?: string };

const manifest = {
  manifest_version: "0.3",
  name: packageJson.name,
  display_name: "Commonplace",
  version: packageJson.version,
  description: packageJson.description,
  long_description:
    "Notes, outlines and past AI conversations for your assistant, from your own disk. Every change is atomic and can be undone. No account, no network.",
  author: { name: packageJson.author },
  ...(homepage !== undefined && { homepage, privacy_policies: [`${homepage}#privacy-policy`] }),
  icon: ICON,
  icons: [{ src: ICON, size: "512x512" }],
  license: packageJson.license,
  keywords: packageJson.keywords,
  server: {
    type: "node",
    entry_point: "bin/commonplace.js",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/bin/commonplace.js", "serve"],
      // As a variable: a host may run the script with a Node of its own, and take the first argument for its path.
      env: {
        NODE_OPTIONS: LAUNCH_FLAGS.join(" "),
        COMMONPLACE_VAULT: "${user_config.vault}",
        COMMONPLACE_OUTLINE: "${user_config.outline}",
      },
    },
  },
  user_config: {
    vault: {
      type: "directory",
      title: "Vault",
      description:
        "The folder of your Markdown notes, such as an Obsidian vault. Without one, a small vault with a guide is made.",
      ...NOT_CHOSEN,
    },
    outline: {
      type: "file",
      title: "Outline",
      description:
        "An outline of yours: OmniOutliner (.ooutline, .oo3), OPML or Markdown. Without one, a small outline is made.",
      ...NOT_CHOSEN,
    },
  },
  tools: listedTools(join(folder, "home")).map(({ name, description }) => ({ name, description })),
  prompts_generated: true,
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: packageJson.engines.node } },
};

rmSync(join(folder, "home"), { recursive: true, force: true });
const bundle = resolve(process.argv[2] ?? ".", `commonplace-${packageJson.version}.mcpb`);
try {
  for (const path of [...packageJson.files, "package.json", "README.md", "LICENSE"])
    cpSync(path, join(folder, path), { recursive: true });
  cpSync(join("assets", ICON), join(folder, ICON));
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  // It validates the manifest first.
  const { status } = spawnSync(process.execPath, [devTool("@anthropic-ai/mcpb"), "pack", folder, bundle], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

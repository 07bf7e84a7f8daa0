// vaultManager_openNote: shows a note to the person, in Obsidian.
import { spawn } from "node:child_process";
import { readNote } from "../../vault/notes.ts";
import { flag, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CONTEXT } from "./context.ts";
import { dataOutput, PATH } from "./fields.ts";

export const openNote = defineTool({
  name: "vaultManager_openNote",
  title: "Open a note",
  description: "Show a note to the user in Obsidian, where a desktop is there. Returns the obsidian:// link.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  input: { path: PATH, ...CONTEXT },
  output: dataOutput({
    path: text(),
    uri: text(),
    opened: flag(),
  }),
  run: async ({ path: sent }, { services }) => {
    const vault = await services.vault();
    const { path } = readNote(vault, sent);
    const uri = `obsidian://open?vault=${encodeURIComponent(vault.name)}&file=${encodeURIComponent(path)}`;
    return { success: true, data: { path, uri, opened: await openOnDesktop(uri) } };
  },
});

/** The link is one argument of a program that takes no options from it: nothing in a path can run. */
function openOnDesktop(uri: string): Promise<boolean> {
  const command = DESKTOP_OPENERS[process.platform];
  const hasDesktop = process.platform !== "linux" || Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
  if (command === undefined || !hasDesktop) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program!, [...args, uri], { stdio: "ignore", detached: true });
    child.on("error", () => resolve(false));
    child.on("spawn", () => resolve(true));
    child.unref();
  });
}

const DESKTOP_OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  linux: ["xdg-open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

// npm run plugin: writes the manifests of the plugin for every host, and puts the
// built program into it, so that the folder plugin/ can be installed by itself.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { manifests, PLUGIN, ROOT } from "./plugin/manifests.ts";

for (const [path, content] of Object.entries(manifests())) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
const program = join(ROOT, PLUGIN, "program");
rmSync(program, { recursive: true, force: true });
for (const part of ["bin", "dist", "package.json", "LICENSE"])
  cpSync(join(ROOT, part), join(program, part), { recursive: true });
// Hosts start it with the Node that is on their path. Where that one does not fit, bin/older-node.js takes this one.
writeFileSync(join(program, "node-path.txt"), `${process.execPath}\n`);
console.log(`The plugin is in ${join(ROOT, PLUGIN)}. How to install it is in docs/guide/install.md.`);

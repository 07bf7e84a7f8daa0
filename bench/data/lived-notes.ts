// A vault of notes as people keep them, with properties and two tasks each.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noteText } from "./notes.ts";

/** Writes notes into 200 folders of a vault. @returns the vault's folder */
export function writeLivedNotes(home: string, size: number): string {
  const vault = join(home, "vault");
  for (let i = 0; i < 200; i++) mkdirSync(join(vault, `Folder ${i}`), { recursive: true });
  for (let i = 0; i < size; i++) writeFileSync(join(vault, `Folder ${i % 200}`, `Note ${i}.md`), livedNote(i));
  return vault;
}

function livedNote(i: number): string {
  const day = `2026-0${1 + (i % 9)}-1${i % 10}`;
  return `---
rating: ${i % 10}
status: ${["open", "done", "read"][i % 3]}
created: ${day}
categories: ["[[Note ${i % 50}]]"]
tags: [book, book/t${i % 7}]
---
${noteText(i)}
## Tasks
- [${i % 4 === 0 ? "x" : " "}] call ${i} #home/${i % 7} ⏫ 📅 ${day}
- [ ] write [[Note ${(i * 7) % 100}]] about it  [scheduled:: ${day}]
`;
}

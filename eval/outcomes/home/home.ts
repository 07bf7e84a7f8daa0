// The home of data on which requests are carried out: two vaults, five outline
// files, conversations of three programs, a small project. All of it is made up.
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { writeConversations, type Chats } from "./conversations.ts";
import { HOME } from "./home-notes.ts";
import { OUTLINES } from "./outlines.ts";
import { WORK } from "./work-notes.ts";

/** The files that requests read and change, without those of other programs and our own. */
const DOCUMENTS = ["Work", "Home", "Outlines", "code"];

const PROJECT: Record<string, string> = {
  "package.json": '{ "name": "till", "version": "1.4.0" }\n',
  "README.md": "# Till\n\nA cash register for small shops.\n",
  "src/register.ts": "export const open = () => 0;\n",
  "src/receipt.ts": "export const print = () => {};\n",
  "tools/report.py": "print('report')\n",
  "tools/clean.py": "print('clean')\n",
  "web/app.js": "console.log('till');\n",
  "notes.txt": "Ask about the printer.\n",
};

/** The arguments with which the server is started in that home. */
export const FLAGS = [
  "--vault",
  "Work=Work",
  "--vault",
  "Home=Home",
  "--outline",
  "Outlines/Plan.opml",
  "--outline-folders",
  "Outlines",
  "--project",
  "code/till",
  "--time-zone",
  "UTC",
];

export function writeHome(home: string, chats: Chats): void {
  const files: [string, string | Buffer][] = [
    ...Object.entries(WORK).map(([path, text]): [string, string] => [`Work/${path}`, text]),
    ...Object.entries(HOME).map(([path, text]): [string, string] => [`Home/${path}`, text]),
    ...Object.entries(OUTLINES).map(([path, text]): [string, string | Buffer] => [`Outlines/${path}`, text]),
    ...Object.entries(PROJECT).map(([path, text]): [string, string] => [`code/till/${path}`, text]),
  ];
  // Each file was changed a day after the one before, as if in order of age.
  let changed = Date.UTC(2026, 9, 1) / 1000;
  for (const [path, text] of files) {
    const place = join(home, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    changed += 10_000;
    utimesSync(place, changed, changed);
  }
  writeConversations(home, chats);
}

/** The text of every document below that home, by its path. */
export function documentsIn(home: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of DOCUMENTS)
    for (const entry of readdirSync(join(home, folder), { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const place = join(entry.parentPath, entry.name);
      const encoding = entry.name.endsWith(".ooutline") ? "latin1" : "utf8";
      found.set(relative(home, place).replaceAll(sep, "/"), readFileSync(place, encoding));
    }
  return found;
}

// A journal that version 0.1.0 wrote is read, undone and redone. The rows are
// those of a real one: a note was created, a folder moved with links to it, a
// note in it changed, another folder deleted, and that undone.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everythingIn, temporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { openDatabase } from "../sqlite/open.ts";
import { journalName } from "./journal.ts";

const TABLE = `PRAGMA journal_mode = WAL;
CREATE TABLE entry (
  number INTEGER PRIMARY KEY, state INTEGER NOT NULL, time INTEGER NOT NULL,
  tool TEXT NOT NULL, message TEXT NOT NULL,
  origin INTEGER, latest INTEGER, undone INTEGER NOT NULL,
  actions TEXT NOT NULL, removed BLOB NOT NULL
);
PRAGMA user_version = 1`;

/** Number, tool, message, origin, latest, undone, actions, removed. */
const ROWS = [
  [
    1,
    "contentManager_createContent",
    "Created New note.md",
    null,
    null,
    0,
    '[{"kind":"put","path":"New note.md","temporary":".commonplace-2a56979c609e.tmp","after":"9ccbd3f1b19a1cdfd8d7c6ae48e9e822"}]',
    "",
  ],
  [
    2,
    "vaultManager_moveFolder",
    "Moved Old to New",
    null,
    null,
    0,
    '[{"kind":"patch","path":"Old/Part/One.md","temporary":".commonplace-64c49e6d43a2.tmp","before":"c2d3ed45fd4e16185cfad44df0761dad","after":"4638bae9b4497526367a39be011c5bf3","splices":[[2,3,3]]},{"kind":"patch","path":"Outside.md","temporary":".commonplace-d658415ba486.tmp","before":"c2d3ed45fd4e16185cfad44df0761dad","after":"4638bae9b4497526367a39be011c5bf3","splices":[[2,3,3]]},{"kind":"move","path":"Old","to":"New","fingerprint":"folder"}]',
    "OldOld",
  ],
  [
    3,
    "contentManager_appendContent",
    "Appended to New/Two.md",
    null,
    null,
    0,
    '[{"kind":"patch","path":"New/Two.md","temporary":"New/.commonplace-2fd105241ef0.tmp","before":"27dd8ed44a83ff94d557f9fd0412ed5a","after":"240c8efb857678ffb893d3bcb78065e6","splices":[[4,4,0]]}]',
    "",
  ],
  [
    4,
    "vaultManager_deleteFolder",
    "Moved the folder Gone to the trash",
    null,
    5,
    1,
    '[{"kind":"make","path":".trash","implied":true},{"kind":"move","path":"Gone","to":".trash/Gone","fingerprint":"folder"}]',
    "",
  ],
  [
    5,
    "undo",
    "Undid: Moved the folder Gone to the trash",
    4,
    null,
    0,
    '[{"kind":"move","path":".trash/Gone","to":"Gone","fingerprint":"folder"},{"kind":"unmake","path":".trash","implied":true}]',
    "",
  ],
] as const;

test("a journal of 0.1.0 is listed, undone and redone", async () => {
  const { folder, journals, journal, write } = temporaryVault();
  mkdirSync(journals, { recursive: true });
  const database = openDatabase(join(journals, `${journalName(folder)}.db`));
  database.exec(TABLE);
  for (const [number, tool, message, origin, latest, undone, actions, removed] of ROWS)
    database
      .prepare("INSERT INTO entry VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(number, Date.now(), tool, message, origin, latest, undone, actions, Buffer.from(removed));
  database.close();
  write("New note.md", "made\n");
  write("New/Part/One.md", "[[New/Two]]\n");
  write("New/Two.md", "two\nmore");
  write("Gone/x.md", "x\n");
  write("Outside.md", "[[New/Two]]\n");
  const then = everythingIn(folder);

  expect((await journal.history()).entries.map(({ message }) => message)).toEqual(
    ROWS.map(([, , message]) => message).toReversed(),
  );
  const undone = [];
  for (let left = 3; left > 0; left--) undone.push((await journal.undo()).message);
  expect(undone).toEqual(["Undid: Appended to New/Two.md", "Undid: Moved Old to New", "Undid: Created New note.md"]);
  expect(everythingIn(folder)).toEqual({
    "Gone/": "",
    "Gone/x.md": "x\n",
    "Old/": "",
    "Old/Part/": "",
    "Old/Part/One.md": "[[Old/Two]]\n",
    "Old/Two.md": "two\n",
    "Outside.md": "[[Old/Two]]\n",
  });
  for (let left = 3; left > 0; left--) await journal.redo();
  expect(everythingIn(folder)).toEqual(then);
  expect((await journal.redo()).message).toBe("Redid: Moved the folder Gone to the trash");
  expect(Object.keys(everythingIn(folder, { withTrash: true }))).toContain(".trash/Gone/x.md");
});

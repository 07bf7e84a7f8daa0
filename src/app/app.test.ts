// The stamp by which open pages notice changes, and which tools the page has.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openCommonplace } from "./app.ts";
import { readSettings } from "../settings.ts";

const outline = (topic: string) => `<opml version="2.0"><head/><body><outline text="${topic}"/></body></opml>`;

it("changes its stamp when an outline is changed and changed back, since a page may have shown it in between", async () => {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  const file = join(home, "Reading.opml");
  mkdirSync(vault);
  writeFileSync(file, outline("Reading"));
  const commonplace = openCommonplace(readSettings({ home, vault, outline: file }, {}, home), { log: () => {} });
  await commonplace.call("get_current_document", {}, { asker: "server" });
  const before = await commonplace.stamp();
  expect(await commonplace.stamp()).toBe(before);
  writeFileSync(file, outline("Books"));
  const { structuredContent } = (await commonplace.call("get_outline_structure", {}, { asker: "server" }))!;
  expect(structuredContent).toMatchObject({ rows: [{ topic: "Books" }] });
  writeFileSync(file, outline("Reading"));
  expect(await commonplace.stamp()).not.toBe(before);
  await commonplace.close();
});

it("gives the page of a member the tools that the server offers to members, and a person in their own page all of them", async () => {
  const settings = readSettings({ home: temporaryFolder(), toolsets: "memory" }, {}, temporaryFolder());
  const namesOf = async (only?: ReadonlySet<string>) =>
    (await openCommonplace(settings, only === undefined ? {} : { only }).toolbox("person")).tools.map(
      ({ name }) => name,
    );
  expect(await namesOf()).toContain("contentManager_readContent");
  const only = new Set(["contentManager_readContent", "memoryManager_listSessions"]);
  expect(await namesOf(only)).toEqual(["memoryManager_listSessions"]);
});

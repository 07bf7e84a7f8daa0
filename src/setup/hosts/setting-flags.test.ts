import { delimiter, resolve } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readSettings } from "../../settings.ts";
import { flagsOf } from "./setting-flags.ts";

it("a host's server keeps as many tool texts as this process", () => {
  const home = temporaryFolder();
  expect(flagsOf(readSettings({ home, "tool-texts": "5MB" }, {}, "/")).slice(2)).toEqual(["--tool-texts", "5000000"]);
});

it("a host's server gets all folders that this process was given", () => {
  const home = temporaryFolder();
  const conversations = ["/backup", "/disk"].map((path) => resolve(path)).join(delimiter);
  const settings = readSettings({ home, conversations }, { COMMONPLACE_PROJECTS: resolve("/code") }, "/");
  const flags = `--home ${home} --conversations ${conversations} --projects ${resolve("/code")}`;
  expect(flagsOf(settings).join(" ")).toBe(flags);
});

it("a host's server has the time zone of this process", () => {
  const home = temporaryFolder();
  const settings = readSettings({ home }, { COMMONPLACE_TIME_ZONE: "Europe/Berlin" }, "/");
  expect(flagsOf(settings).slice(2)).toEqual(["--time-zone", "Europe/Berlin"]);
});

it("a host's server finds related notes as this process does", () => {
  const home = temporaryFolder();
  const given = { home, embeddings: "http://127.0.0.1:11434/v1", "embedding-model": "nomic-embed-text" };
  const flags = "--embeddings http://127.0.0.1:11434/v1 --embedding-model nomic-embed-text";
  expect(
    flagsOf(readSettings(given, {}, "/"))
      .slice(2)
      .join(" "),
  ).toBe(flags);
  expect(flagsOf(readSettings({ home }, { COMMONPLACE_RELATED: "off" }, "/")).slice(2)).toEqual(["--related", "off"]);
});

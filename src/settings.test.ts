import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readSettings, type Flags } from "./settings.ts";

const home = mkdtempSync(join(tmpdir(), "commonplace-settings-"));
afterAll(() => rmSync(home, { recursive: true }));
beforeEach(() => rmSync(join(home, "config.json"), { force: true }));

const settings = (flags: Flags = {}, environment: Record<string, string> = {}) =>
  readSettings({ home, ...flags }, environment, "/work");
const writeConfig = (config: unknown) =>
  writeFileSync(join(home, "config.json"), typeof config === "string" ? config : JSON.stringify(config));

describe("settings", () => {
  it("need nothing: the embedded defaults are below the data folder", () => {
    expect(settings()).toMatchObject({
      vault: join(home, "data", "vault"),
      outline: join(home, "data", "outline.opml"),
      project: undefined,
      toolsets: ["default"],
      readOnly: false,
      memory: undefined,
      folders: { data: join(home, "data"), cache: join(home, "cache"), config: join(home, "config.json") },
    });
  });

  it("count a variable as unset where a host left it empty, or its own placeholder", () => {
    expect(
      settings({}, { COMMONPLACE_VAULT: "", COMMONPLACE_OUTLINE: "${user_config.outline}" }).origins,
    ).toMatchObject({
      vault: "default",
      outline: "default",
    });
  });

  it("take the flag before the variable before the config file", () => {
    writeConfig({ vault: "/config", memory: "off", readOnly: true, toolsets: ["recall"] });
    const given = settings({ vault: "/flag" }, { COMMONPLACE_VAULT: "/variable", COMMONPLACE_MEMORY: "home" });
    expect(given).toMatchObject({ vault: "/flag", memory: "home", readOnly: true, toolsets: ["recall"] });
    expect(given.origins).toMatchObject({
      vault: "--vault",
      memory: "COMMONPLACE_MEMORY",
      readOnly: `readOnly in ${join(home, "config.json")}`,
      outline: "default",
    });
  });

  it("search by meaning unless that is turned off", () => {
    expect(settings().related).toBe(true);
    expect(settings({ related: "off" }).related).toBe(false);
    expect(settings({}, { COMMONPLACE_RELATED: "off" }).related).toBe(false);
    expect(() => settings({ related: "maybe" })).toThrow("related");
  });

  it("take an embeddings endpoint of this machine alone, with its model, and none by default", () => {
    expect(settings().embeddings).toBeUndefined();
    const given = (embeddings: string) => settings({ embeddings, "embedding-model": "m" }).embeddings;
    expect(given("http://localhost:11434")).toEqual({ url: "http://localhost:11434/v1", model: "m" });
    expect(given("http://127.0.0.1:1234/v1/")).toEqual({ url: "http://127.0.0.1:1234/v1", model: "m" });
    expect(given("http://[::1]:8080/api/embeddings")).toEqual({ url: "http://[::1]:8080/api", model: "m" });
    const others = [
      "https://api.openai.com/v1",
      "http://192.168.1.5:11434/v1",
      "http://localhost.example.org/v1",
      "http://127.0.0.1.example.org/v1",
      "http://0.0.0.0:11434/v1",
      "http://10.127.0.0/v1",
      "http://127.0.0.1@example.org/v1",
      "http://user:key@127.0.0.1/v1",
      "file:///etc/passwd",
      "localhost:11434",
    ];
    for (const other of others) expect(() => given(other), other).toThrow("an address of this machine");
    expect(() => settings({ embeddings: "http://localhost:11434/v1" })).toThrow("--embedding-model");
    const environment = { COMMONPLACE_EMBEDDINGS: "http://localhost:11434/v1", COMMONPLACE_EMBEDDING_MODEL: "bge" };
    expect(settings({}, environment).embeddings).toEqual({ url: "http://localhost:11434/v1", model: "bge" });
  });

  it("take a time zone that the system knows", () => {
    expect(settings().timeZone).toBeUndefined();
    expect(settings({ "time-zone": "europe/berlin" }).timeZone).toBe("Europe/Berlin");
    expect(settings({}, { COMMONPLACE_TIME_ZONE: "Asia/Kolkata" }).timeZone).toMatch(/^Asia\/(?:Kolkata|Calcutta)$/);
    expect(settings({ "time-zone": "+02:00" }).timeZone).toBe("Etc/GMT-2");
    expect(() => settings({ "time-zone": "+05:30" })).toThrow(/but must be a time zone/);
    writeConfig({ timeZone: "Mars/Olympus" });
    expect(() => settings()).toThrow(/but must be a time zone such as Europe\/Berlin\.$/);
  });

  it("resolve paths: ~ is the home folder, relative ones belong to where they were written", () => {
    writeConfig({ outline: "lists/todo.opml" });
    expect(settings({ vault: "~/Notes" }, { COMMONPLACE_PROJECT: "code" })).toMatchObject({
      vault: join(homedir(), "Notes"),
      project: join("/work", "code"),
      outline: join(home, "lists", "todo.opml"),
    });
  });

  it("take several folders for outlines, as a list or with what the system puts between paths", () => {
    expect(settings().outlineFolders).toEqual([]);
    expect(settings({ "outline-folders": ["~/Lists", "b"].join(delimiter) }).outlineFolders).toEqual([
      join(homedir(), "Lists"),
      join("/work", "b"),
    ]);
    writeConfig({ outlineFolders: ["lists"] });
    expect(settings().outlineFolders).toEqual([join(home, "lists")]);
    writeConfig({ outlineFolders: [5] });
    expect(() => settings()).toThrow("must be a non-empty string");
  });

  it("take a size with its unit", () => {
    expect(settings().toolTexts).toBe(2_000_000_000);
    expect(settings({ "tool-texts": "500MB" }).toolTexts).toBe(500_000_000);
    expect(settings({}, { COMMONPLACE_TOOL_TEXTS: "1.5 gb" }).toolTexts).toBe(1_500_000_000);
    writeConfig({ toolTexts: 0 });
    expect(settings().toolTexts).toBe(0);
    expect(() => settings({ "tool-texts": "much" })).toThrow(
      "--tool-texts is 'much', but must be a size such as 500MB or 2GB.",
    );
  });

  it("take several projects that may have conversations in them", () => {
    expect(settings().projects).toEqual([]);
    expect(settings({ projects: ["~/code/a", "b"].join(delimiter) }).projects).toEqual([
      join(homedir(), "code", "a"),
      join("/work", "b"),
    ]);
    writeConfig({ projects: ["../c"] });
    expect(settings().projects).toEqual([join(home, "..", "c")]);
  });

  it("take 'app' for OmniOutliner", () => {
    expect(settings({ outline: "app" }).outline).toBe("app");
  });

  it("ignore an empty variable", () => {
    expect(settings({}, { COMMONPLACE_VAULT: "" }).origins.vault).toBe("default");
  });

  it.each([
    [
      { COMMONPLACE_TOOLSETS: "vault,recal" },
      "COMMONPLACE_TOOLSETS: 'recal' is not one of vault, memory, outline, recall, project, default, lean, chatgpt, all. Did you mean recall?",
    ],
    [{ COMMONPLACE_MEMORY: "cloud" }, "COMMONPLACE_MEMORY: 'cloud' is not one of vault, home, off."],
    [{ COMMONPLACE_READ_ONLY: "2" }, "COMMONPLACE_READ_ONLY is '2', but must be true or false."],
  ])("name a wrong variable, and what would be right: %j", (environment, sentence) => {
    expect(() => settings({}, environment as Record<string, string>)).toThrow(sentence);
  });

  it.each([
    ["{", "config.json is not valid JSON"],
    ["[]", "config.json must contain an object"],
    [{ vault: 5 }, "must be a non-empty string"],
  ])("name what is wrong in the config file: %j", (config, sentence) => {
    writeConfig(config);
    expect(() => settings()).toThrow(sentence);
  });

  it("warn of unknown keys in the config file, name the one that was probably meant, and use the others", () => {
    writeConfig({ vualt: "x", token: "x", memory: "off" });
    expect(settings()).toMatchObject({
      memory: "off",
      origins: { vault: "default" },
      configWarnings: [
        expect.stringMatching(/config\.json: unknown setting 'vualt'\. Did you mean vault\?$/),
        expect.stringMatching(/config\.json: unknown setting 'token'\.$/),
      ],
    });
  });

  it.each(["readOnly", "read-only", "readonly", "READ_ONLY"])("take %s for one name in the config file", (key) => {
    writeConfig({ [key]: true });
    expect(settings()).toMatchObject({ readOnly: true, configWarnings: [] });
  });

  it("name a config file that cannot be read", () => {
    mkdirSync(join(home, "config.json"));
    expect(() => settings()).toThrow("config.json cannot be read");
    rmSync(join(home, "config.json"), { recursive: true });
  });
});

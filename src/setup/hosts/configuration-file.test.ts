// The file of a host's configuration: links to it, its mode, other writers, and
// what cannot be read.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SAMPLES } from "../../../test/fixtures/configurations.ts";
import { connect, hostOf, install, LAUNCH, machineOf } from "../../../test/fixtures/connected-hosts.ts";
import { Problem } from "../../kernel/kernel.ts";
import { readConfiguration, withEntry, writeConfiguration } from "./configuration.ts";
import { HOSTS } from "./known-hosts.ts";

describe.skipIf(process.platform === "win32")("the configuration file", () => {
  it("is written through symbolic links, which stay", async () => {
    const machine = machineOf("linux");
    const host = hostOf("cursor");
    const file = host.file(machine);
    const real = join(machine.home, "dotfiles", "cursor.json");
    mkdirSync(dirname(real));
    mkdirSync(dirname(file));
    writeFileSync(real, SAMPLES["cursor"]!.before);
    symlinkSync(join("..", "dotfiles", "cursor.json"), file);
    await connect(host, machine);
    expect(readlinkSync(file)).toBe(join("..", "dotfiles", "cursor.json"));
    expect(readFileSync(real, "utf8")).toBe(SAMPLES["cursor"]!.after);
    expect(readdirSync(dirname(real))).toEqual(["cursor.json"]);
  });

  it("is created at the target of a dangling link", async () => {
    const machine = machineOf("linux");
    const file = hostOf("cursor").file(machine);
    mkdirSync(dirname(file));
    symlinkSync(join(machine.home, "later.json"), file);
    await connect(hostOf("cursor"), machine);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(machine.home, "later.json"), "utf8")).toContain("commonplace");
  });

  it("is created behind links that lead to other dangling links and to folders that do not exist", async () => {
    const machine = machineOf("linux");
    const { home } = machine;
    const host = hostOf("cursor");
    mkdirSync(join(home, "links"));
    symlinkSync(join("links", "folder"), join(home, ".cursor"));
    symlinkSync(join("..", "dotfiles", "cursor"), join(home, "links", "folder"));
    await connect(host, machine);
    expect(readFileSync(join(home, "dotfiles", "cursor", "mcp.json"), "utf8")).toContain("commonplace");
    await connect(host, machine, { isRemoved: true });
    expect(readdirSync(home).toSorted()).toEqual([".cursor", "data", "links"]);
  });

  it("leaves no folder behind when it is removed from the target of a dangling link", async () => {
    const machine = machineOf("linux");
    const file = hostOf("cursor").file(machine);
    mkdirSync(dirname(file));
    mkdirSync(join(machine.home, "dotfiles"));
    symlinkSync(join(machine.home, "dotfiles", "new", "cursor.json"), file);
    await connect(hostOf("cursor"), machine);
    await connect(hostOf("cursor"), machine, { isRemoved: true });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(machine.home, "dotfiles"))).toEqual([]);
  });

  it("leaves no folder behind when it cannot be created", async () => {
    const machine = machineOf("linux");
    const configuration = readConfiguration(hostOf("windsurf"), machine);
    const noFolder = join(machine.home, "file");
    writeFileSync(noFolder, "");
    await expect(writeConfiguration(configuration, "{}", join(noFolder, "backups"))).rejects.toThrow(Problem);
    expect(readdirSync(machine.home)).toEqual(["file"]);
  });

  it("is backed up by every change, and in order, if several fall into one millisecond", async () => {
    const machine = machineOf("linux");
    const host = hostOf("claude-code");
    const { before } = SAMPLES["claude-code"]!;
    install(host, machine, before);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 31, 23, 59, 59, 999) });
    onTestFinished(() => void vi.useRealTimers());
    const first = await connect(host, machine);
    const second = await connect(host, machine, { name: "work" });
    expect(readFileSync(first.backup!, "utf8")).toBe(before);
    expect(readFileSync(second.backup!, "utf8")).toContain("commonplace");
    expect([first.backup, second.backup].toSorted()).toEqual([first.backup, second.backup]);
  });

  it("keeps its mode, and its backup is private", async () => {
    const machine = machineOf("linux");
    const file = install(hostOf("claude-code"), machine, SAMPLES["claude-code"]!.before);
    chmodSync(file, 0o640);
    const { backup } = await connect(hostOf("claude-code"), machine);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(backup!).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(backup!)).mode & 0o777).toBe(0o700);
  });

  it.each(HOSTS.map(({ name }) => name))("is created with mode 0600: %s", async (name) => {
    const machine = machineOf("linux");
    const before = process.umask(0);
    try {
      await connect(hostOf(name), machine);
    } finally {
      process.umask(before);
    }
    expect(statSync(hostOf(name).file(machine)).mode & 0o777).toBe(0o600);
  });

  it("is not overwritten if the host changed it in between", async () => {
    const machine = machineOf("linux");
    const host = hostOf("claude-code");
    const file = install(host, machine, SAMPLES["claude-code"]!.before);
    const configuration = readConfiguration(host, machine);
    const text = withEntry(configuration, "commonplace", host.entry(LAUNCH));
    writeFileSync(file, '{"numStartups": 42}');
    for (const changed of [text, undefined])
      await expect(writeConfiguration(configuration, changed, join(machine.home, "data"))).rejects.toThrow(
        "was changed by another program",
      );
    expect(readFileSync(file, "utf8")).toBe('{"numStartups": 42}');
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("is not replaced if the host created it in between", async () => {
    const machine = machineOf("linux");
    const configuration = readConfiguration(hostOf("cursor"), machine);
    const file = install(hostOf("cursor"), machine, "{}");
    await expect(writeConfiguration(configuration, "{}", machine.home)).rejects.toThrow("already exists");
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  it.each([
    ["a folder", "it is a folder", (file: string) => mkdirSync(file)],
    ["a pipe", "it is a pipe, a socket or a device", (file: string) => execFileSync("mkfifo", [file])],
    ["a link to itself", "its symbolic links lead in a circle", (file: string) => symlinkSync("mcp.json", file)],
    ["below a file", "its parent is a file", (file: string) => replaceByFile(dirname(file))],
  ])("is reported in a sentence if it is %s", (_, reason, make) => {
    const machine = machineOf("linux");
    const file = hostOf("cursor").file(machine);
    mkdirSync(dirname(file));
    make(file);
    expect(() => readConfiguration(hostOf("cursor"), machine)).toThrow(`${file} cannot be read: ${reason}.`);
  });
});

function replaceByFile(folder: string): void {
  rmdirSync(folder);
  writeFileSync(folder, "");
}

// What keeps the index up to date by itself: written, shown and removed by the
// built program; each system's file as that system reads it.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operatingSystem } from "../../../src/kernel/kernel.ts";
import { launchdAgent } from "../../../src/setup/schedule/launchd.ts";
import { scheduleOf } from "../../../src/setup/schedule/schedule.ts";
import { systemdService, systemdTimer } from "../../../src/setup/schedule/systemd.ts";
import { pushingTo } from "../../../src/setup/schedule/task.ts";
import { windowsArgument, windowsTask } from "../../../src/setup/schedule/windows-task.ts";
import { runProgram, temporaryFolder } from "../../processes/program.ts";

const HOSTILE = [
  "a b",
  'quo"te',
  "back\\slash\\",
  "per%cent %h",
  "dol$lar ${HOME}",
  "<tag> & 'x'",
  "größe – 日本語",
  "",
];
const LAUNCH = { command: "/bin/echo", args: ["index", ...HOSTILE], env: { PATH: "/usr/bin:/bin", ODD: 'a "b" %c' } };

const has = (program: string) => spawnSync(program, ["--version"]).error === undefined;

/** A machine on which systemctl only notes how it was called. */
function machine() {
  const home = temporaryFolder();
  const tools = join(home, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "systemctl"), `#!/bin/sh\necho "$@" >> ${join(home, "calls")}\n`);
  chmodSync(join(tools, "systemctl"), 0o755);
  const run = async (...words: string[]) => {
    const env = { PATH: `${tools}:${process.env["PATH"]}`, NODE_COMPILE_CACHE: "" };
    const { code, stdout, stderr } = await runProgram(["index", ...words], { home, env });
    return { code, text: stdout + stderr };
  };
  const units = join(home, ".config", "systemd", "user");
  const calls = () =>
    existsSync(join(home, "calls")) ? readFileSync(join(home, "calls"), "utf8").trim().split("\n") : [];
  return { home, run, units, calls };
}

describe.skipIf(process.platform !== "linux")("index --install", () => {
  it("shows what it would write, and writes nothing without consent", async () => {
    const { home, run, units, calls } = machine();
    const { code, text } = await run("--install", "--home", join(home, "ours"));
    expect(code).toBe(1);
    for (const part of ["commonplace-index.service", "ExecStart=", "OnCalendar=", "systemctl --user enable --now"])
      expect(text).toContain(part);
    expect([existsSync(units), calls(), existsSync(join(home, "ours"))]).toEqual([false, [], false]);
  });

  it("writes the units with the settings of this call, tells systemd, and takes all of it out again", async () => {
    const { home, run, units, calls } = machine();
    expect(await run("--install", "--yes", "--home", join(home, "ours"))).toMatchObject({ code: 0 });
    expect(readdirSync(units)).toEqual(["commonplace-index.service", "commonplace-index.timer"]);
    expect(readFileSync(join(units, "commonplace-index.service"), "utf8")).toContain(
      `"index" "--home" "${join(home, "ours")}"`,
    );
    expect(calls()).toEqual(["--user daemon-reload", "--user enable --now commonplace-index.timer"]);
    expect(await run("--install", "--yes")).toMatchObject({ code: 0 });
    expect(await run("--remove", "--yes")).toMatchObject({ code: 0 });
    expect(readdirSync(units)).toEqual([]);
    expect(calls().slice(-2)).toEqual(["--user disable --now commonplace-index.timer", "--user daemon-reload"]);
    expect((await run("--remove", "--yes")).text).toContain("Nothing to do");
  });

  it("keeps the variables that say where programs keep their conversations", async () => {
    const { home, units } = machine();
    const env = { PATH: `${join(home, "tools")}:${process.env["PATH"]}`, CODEX_HOME: "/somewhere/else", OTHER: "x" };
    await runProgram(["index", "--install", "--yes"], { home, env });
    const service = readFileSync(join(units, "commonplace-index.service"), "utf8");
    expect(service).toContain('Environment="CODEX_HOME=/somewhere/else"');
    expect(service).not.toContain("OTHER=");
  });

  it("leaves a file of somebody else as it is", async () => {
    const { run, units, calls } = machine();
    mkdirSync(units, { recursive: true });
    const file = join(units, "commonplace-index.service");
    writeFileSync(file, "[Service]\nExecStart=/bin/true\n");
    expect(await run("--install", "--yes")).toMatchObject({ code: 1, text: expect.stringContaining("not written by") });
    expect(await run("--remove", "--yes")).toMatchObject({ code: 0 });
    expect([readFileSync(file, "utf8"), calls()]).toEqual(["[Service]\nExecStart=/bin/true\n", []]);
  });

  it("says which command to run where systemd does not answer", async () => {
    const { home, run } = machine();
    writeFileSync(join(home, "tools", "systemctl"), "#!/bin/sh\nprintf 'Created a link.\\nno bus\\n' >&2; exit 1\n");
    const { code, text } = await run("--install", "--yes");
    expect(code).toBe(1);
    expect(text).toMatch(/failed \(no bus\); run it yourself: {2}systemctl --user enable --now/);
  });

  it("goes with no other change", async () => {
    const { run } = machine();
    expect(await run("--install", "--forget")).toMatchObject({ code: 2 });
  });
});

describe.skipIf(process.platform !== "linux")("push memory --install", () => {
  const STORE = "postgres://me@db.example/notes";
  const push = (home: string, args: readonly string[], env: Record<string, string> = {}) =>
    runProgram(["push", "memory", ...args], {
      home,
      env: { PATH: `${join(home, "tools")}:${process.env["PATH"]}`, ...env },
    });

  it("writes units of its own beside those of the index, and takes only these out", async () => {
    const { home, run, units, calls } = machine();
    await run("--install", "--yes");
    const written = readdirSync(units);
    const args = ["--store", STORE, "--space", "team", "--install"];
    expect(await push(home, args)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("commonplace-push.timer"),
    });
    expect(readdirSync(units)).toEqual(written);
    expect(await push(home, [...args, "--yes"], { PGPASSFILE: "/of/mine", OTHER: "x" })).toMatchObject({ code: 0 });
    const service = readFileSync(join(units, "commonplace-push.service"), "utf8");
    expect(service).toContain(`"push" "memory" "--space" "team" "--store" "${STORE}"`);
    expect(service).toContain('Environment="PGPASSFILE=/of/mine"');
    expect(service).not.toContain("OTHER");
    expect(readFileSync(join(units, "commonplace-push.timer"), "utf8")).toContain("OnCalendar=*-*-* 00/1:00:00");
    expect(calls().at(-1)).toBe("--user enable --now commonplace-push.timer");
    expect(await push(home, ["--remove", "--yes"])).toMatchObject({ code: 0 });
    expect(readdirSync(units)).toEqual(written);
  });

  it("writes no password, and says where it belongs", async () => {
    const { home, units } = machine();
    const secret = "postgres://me:hunter2@db.example/notes";
    for (const [args, env] of [
      [[], { COMMONPLACE_STORE: secret }],
      [["--store", STORE], { PGPASSWORD: "hunter2" }],
      [["--store", secret], {}],
    ] as const) {
      const { code, stdout, stderr } = await push(home, [...args, "--install", "--yes"], env);
      expect(code).toBe(2);
      expect(stderr).toContain("~/.pgpass");
      expect(stdout + stderr).not.toContain("hunter2");
    }
    expect(existsSync(units)).toBe(false);
  });
});

describe("the files of a schedule", () => {
  it.skipIf(!has("systemd-analyze"))("are accepted by systemd's own verifier", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "commonplace-index.service"), systemdService(LAUNCH));
    writeFileSync(join(folder, "commonplace-index.timer"), systemdTimer());
    writeFileSync(join(folder, "commonplace-push.service"), systemdService(LAUNCH, pushingTo("memory", "a b")));
    writeFileSync(join(folder, "commonplace-push.timer"), systemdTimer(pushingTo(undefined, "a b")));
    const { status, stderr } = spawnSync(
      "systemd-analyze",
      ["verify", "--user", ...readdirSync(folder).map((name) => join(folder, name))],
      {
        encoding: "utf8",
        env: { ...process.env, XDG_RUNTIME_DIR: folder, HOME: folder, SYSTEMD_LOG_LEVEL: "warning" },
      },
    );
    expect([status, stderr.split("\n").filter((line) => line.includes("commonplace"))]).toEqual([0, []]);
  });

  it("quote every word for systemd", () => {
    const line = /^ExecStart=(.*)$/m.exec(systemdService(LAUNCH))![1]!;
    const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
      word!.replaceAll(/\\(.)/g, "$1").replaceAll("%%", "%").replaceAll("$$", "$"),
    );
    expect(words).toEqual([LAUNCH.command, ...LAUNCH.args]);
    expect(systemdService(LAUNCH)).toContain('Environment="ODD=a \\"b\\" %%c"');
  });

  it.skipIf(!has("python3"))("are property lists and XML, with every word as it was", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "agent.plist"), launchdAgent("io.commonplace.index", LAUNCH));
    writeFileSync(join(folder, "task.xml"), `\uFEFF${windowsTask(LAUNCH)}`, "utf16le");
    const script = `import json, plistlib, xml.etree.ElementTree as e
agent = plistlib.load(open("agent.plist", "rb"))
task = e.parse("task.xml").getroot()
ns = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
print(json.dumps([agent, task.find(f".//{ns}Command").text, task.find(f".//{ns}Arguments").text]))`;
    const { stdout, stderr } = spawnSync("python3", ["-c", script], { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("");
    const [agent, command, line] = JSON.parse(stdout) as [Record<string, unknown>, string, string];
    expect(agent).toMatchObject({
      Label: "io.commonplace.index",
      ProgramArguments: [LAUNCH.command, ...LAUNCH.args],
      EnvironmentVariables: LAUNCH.env,
      StartInterval: 21_600,
    });
    expect([command, line]).toEqual([LAUNCH.command, LAUNCH.args.map(windowsArgument).join(" ")]);
  });

  it.each([
    ["plain", "plain"],
    ["", '""'],
    ["a b", '"a b"'],
    ['a"b', '"a\\"b"'],
    ["a b\\", '"a b\\\\"'],
    ['a\\"b', '"a\\\\\\"b"'],
    ["C:\\a\\b", "C:\\a\\b"],
  ])("quote %j as Windows reads it", (word, quoted) => {
    expect(windowsArgument(word)).toBe(quoted);
  });

  it.each([
    ["darwin", "Library/LaunchAgents/io.commonplace.index.plist", "launchctl bootstrap gui/501"],
    ["win32", "index-task.xml", "schtasks /Create"],
    ["linux", ".config/systemd/user/commonplace-index.service", "systemctl --user daemon-reload"],
  ] as const)("go where %s looks for them", (platform, file, command) => {
    const { files, start } = scheduleOf(LAUNCH, {
      system: operatingSystem(platform),
      home: "/h",
      environment: {},
      data: "/h/data",
      uid: 501,
    });
    expect(files[0]!.path.replaceAll("\\", "/")).toContain(file);
    expect(start[0]!.join(" ")).toContain(command);
  });
});

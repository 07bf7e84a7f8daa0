// Errors that another program may cause, on systems that lock open files and on others.
import { mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import timers from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failure, onPlatform, withAnswers } from "../../../test/fixtures/simulated-file-systems.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { attempt } from "./system-errors.ts";

beforeEach(() => {
  vi.spyOn(timers, "setTimeout").mockResolvedValue(undefined);
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Fails so many times, then succeeds. */
function failing(times: number, code: string) {
  return vi.fn<() => string>(() => {
    if (times-- > 0) throw failure(code);
    return "done";
  });
}

const path = (name: string) => join(temporaryFolder(), name);

describe("a missing permission", () => {
  it.each(["EPERM", "EACCES"])("(%s) is retried where it may mean an open file, and nowhere else", async (code) => {
    const [held, missing] = [failing(3, code), failing(3, code)];
    expect(await onPlatform("win32", () => attempt([path("a.md")], held))).toBe("done");
    expect(held).toHaveBeenCalledTimes(4);
    await onPlatform("linux", () =>
      expect(attempt([path("a.md")], missing)).rejects.toThrow("No permission to write 'a.md'"),
    );
    expect(missing).toHaveBeenCalledOnce();
  });

  it("that stays is another program's for a folder and for a file that can be written", async () => {
    const [folder, file] = [path("folder"), path("a.md")];
    mkdirSync(folder);
    writeFileSync(file, "");
    for (const [held, name] of [
      [folder, "folder"],
      [file, "a.md"],
    ] as const) {
      const message = `Another program has '${name}' open: nothing was changed.`;
      await onPlatform("win32", () => expect(attempt([held], failing(99, "EPERM"))).rejects.toThrow(message));
    }
  });

  it("that stays is one for a file that cannot be written, and for a path with nothing", async () => {
    const file = path("a.md");
    writeFileSync(file, "");
    const openSync = () => {
      throw failure("EACCES", "open");
    };
    for (const held of [file, path("a.md")])
      await withAnswers({ openSync }, () =>
        onPlatform("win32", () =>
          expect(attempt([held], failing(99, "EPERM"))).rejects.toThrow("No permission to write 'a.md'"),
        ),
      );
  });
});

it("retries what is busy on every system, and names the program that keeps it so", async () => {
  for (const platform of ["linux", "win32"] as const) {
    expect(await onPlatform(platform, () => attempt([path("a.md")], failing(8, "EBUSY")))).toBe("done");
    await onPlatform(platform, () =>
      expect(attempt([path("a.md")], failing(9, "EBUSY"))).rejects.toThrow("Another program has 'a.md' open"),
    );
  }
});

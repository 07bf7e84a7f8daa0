import { describe, expect, it } from "vitest";
import { retryWhileBusy, retryWhileBusySync } from "./retry.ts";

const BUSY = Object.assign(new Error("database is locked"), { errcode: 5 });
const DAMAGED = Object.assign(new Error("file is not a database"), { errcode: 26 });

/** Fails with these errors in turn, then succeeds. */
function failing(...errors: readonly Error[]) {
  let attempts = 0;
  return () => {
    const error = errors[attempts++];
    if (error !== undefined) throw error;
    return attempts;
  };
}

describe("work on a database", () => {
  const later = () => ({ every: 1, deadline: Number.MAX_SAFE_INTEGER });

  it("is repeated while another process keeps the database busy", async () => {
    expect(await retryWhileBusy(failing(BUSY, BUSY), later())).toBe(3);
    expect(retryWhileBusySync(failing(BUSY, BUSY), later())).toBe(3);
  });

  it("is attempted once after the deadline, and fails with the caller's words", async () => {
    const late = { every: 1, deadline: 0 };
    await expect(retryWhileBusy(failing(BUSY), late)).rejects.toBe(BUSY);
    await expect(retryWhileBusy(failing(BUSY), late, () => new Error("too long"))).rejects.toThrow("too long");
    expect(() => retryWhileBusySync(failing(BUSY), late)).toThrow(BUSY);
  });

  it("is not repeated after any other error", async () => {
    await expect(retryWhileBusy(failing(DAMAGED), later())).rejects.toBe(DAMAGED);
    expect(() => retryWhileBusySync(failing(DAMAGED), later())).toThrow(DAMAGED);
  });

  it("is given up when its signal is aborted", async () => {
    const signal = AbortSignal.abort(new Error("cancelled"));
    await expect(retryWhileBusy(failing(BUSY), { ...later(), signal })).rejects.toThrow("cancelled");
  });
});

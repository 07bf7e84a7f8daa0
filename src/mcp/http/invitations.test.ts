// An invitation opens the page once, and not for long.
import { afterEach, describe, expect, it, vi } from "vitest";
import { Invitations } from "./invitations.ts";

afterEach(() => void vi.useRealTimers());

describe("an invitation", () => {
  it("is valid once", () => {
    const invitations = new Invitations();
    const key = invitations.invite();
    expect(key).toMatch(/^[\w-]{32}$/);
    expect([invitations.redeem("another"), invitations.redeem(key), invitations.redeem(key)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("expires after a minute", () => {
    vi.useFakeTimers();
    const invitations = new Invitations();
    const key = invitations.invite();
    vi.advanceTimersByTime(60_001);
    expect(invitations.redeem(key)).toBe(false);
  });
});

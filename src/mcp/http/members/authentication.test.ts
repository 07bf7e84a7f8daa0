// Wrong tokens by address, without a store.
import { afterEach, expect, it, vi } from "vitest";
import type { Members } from "../../../app/app.ts";
import type { Entered } from "../../../shared/shared.ts";
import { Authentication } from "./authentication.ts";

const GOOD = `cmnp_${"g".repeat(43)}`;
const WRONG = "wrong";
/** Of the form of a personal token: it is looked up. */
const OTHER = (i: number) => `cmnp_${String(i).padStart(43, "w")}`;
const entered = { member: "alice" } as unknown as Entered;

const authentication = (isGood = async (token: string) => token === GOOD) => {
  const members = { memberOfToken: async (token: string) => ((await isGood(token)) ? entered : undefined) };
  const authenticated = new Authentication(members as unknown as Members, undefined);
  return async (token: string, address = "192.0.2.1") => {
    const found = await authenticated.memberOf(`Bearer ${token}`, address);
    return "refused" in found ? found.refused : "in";
  };
};

afterEach(() => vi.restoreAllMocks());

it("doubts an address after 60 wrong tokens within a minute, and no other", async () => {
  const enter = authentication();
  for (let i = 0; i < 60; i++) expect(await enter(`${WRONG}${i}`)).toBe("invalid");
  expect(await enter(WRONG)).toBe("repeated");
  expect(await enter(WRONG, "192.0.2.2")).toBe("invalid");
  expect(await enter(GOOD)).toBe("in");
  expect(await enter(WRONG)).toBe("repeated");
});

it("looks up a token that was revoked in turn, as any other wrong one", async () => {
  const tokens = new Set([GOOD]);
  const enter = authentication(async (token) => tokens.has(token));
  expect(await enter(GOOD)).toBe("in");
  for (let i = 0; i < 60; i++) await enter(`${WRONG}${i}`);
  tokens.clear();
  expect(await enter(GOOD)).toBe("invalid");
  expect(await enter(GOOD)).toBe("repeated");
});

it("lets 200 tokens of doubted addresses wait, and refuses the next one without looking it up", async () => {
  const answered = Promise.withResolvers<void>();
  let isSlow = false;
  let asked = 0;
  const enter = authentication(async (token) => {
    asked++;
    if (isSlow && token !== GOOD) await answered.promise;
    return token === GOOD;
  });
  expect(await enter(GOOD)).toBe("in");
  for (let i = 0; i < 60; i++) await enter(`${WRONG}${i}`);
  [isSlow, asked] = [true, 0];
  const waiting = Array.from({ length: 202 }, (_, i) => enter(OTHER(i)));
  expect(await enter(OTHER(202))).toBe("crowded");
  expect(asked).toBe(2);
  expect(await enter(GOOD)).toBe("in");
  answered.resolve();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["repeated"]));
  expect(asked).toBe(203);
});

it("forgets wrong tokens a minute after the first", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const enter = authentication();
  for (let i = 0; i < 61; i++) await enter(WRONG);
  now.mockReturnValue(59_999);
  expect(await enter(WRONG)).toBe("repeated");
  now.mockReturnValue(60_000);
  expect(await enter(WRONG)).toBe("invalid");
  for (let i = 0; i < 59; i++) expect(await enter(WRONG)).toBe("invalid");
  expect(await enter(WRONG)).toBe("repeated");
});

it("distinguishes a missing token from one of another form", async () => {
  const authenticated = new Authentication({} as Members, undefined);
  expect(await authenticated.memberOf(undefined, "192.0.2.1")).toEqual({ refused: "missing" });
  expect(await authenticated.memberOf("Basic YTpi", "192.0.2.1")).toEqual({ refused: "invalid" });
});

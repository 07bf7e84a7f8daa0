// Conversations whose results say whether their changes still stand.
import { expect, it } from "vitest";
import type { RecalledConversation } from "../../conversations/conversations.ts";
import { standingOfRows } from "./standing.ts";

it("a server for members opens nothing, and says nothing", async () => {
  const services = {
    hasDisk: false,
    isHiddenFile: undefined,
    vaults: [],
    conversations: () => Promise.reject(new Error("It was asked for the edits.")),
  };
  const found = [{ row: 1, kind: "prose" }] as unknown as readonly RecalledConversation[];
  expect(await standingOfRows(found, services)).toEqual(new Map());
  await expect(standingOfRows(found, { ...services, hasDisk: true })).rejects.toThrow("asked for the edits");
});

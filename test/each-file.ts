// Run by vitest for every test file: waits for its turn, and removes at its end
// what helpers made for its tests.
import { afterAll } from "vitest";
import { CAMPAIGN } from "./campaign.ts";
import { cleanUp } from "./temporary-folder.ts";
import { takeTurn } from "./turns.ts";

const endTurn = await takeTurn();

// A campaign may leave tens of thousands of folders.
afterAll(async () => {
  try {
    await cleanUp();
  } finally {
    endTurn();
  }
}, CAMPAIGN.timeout);

// Run by vitest for every test file: removes what helpers made for its tests.
import { afterAll } from "vitest";
import { CAMPAIGN } from "./campaign.ts";
import { cleanUp } from "./temporary-folder.ts";

// A campaign may leave tens of thousands of folders.
afterAll(cleanUp, CAMPAIGN.timeout);

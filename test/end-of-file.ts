// Run by vitest for every test file: removes what helpers made for its tests.
import { afterAll } from "vitest";
import { cleanUp } from "./temporary-folder.ts";

afterAll(cleanUp);

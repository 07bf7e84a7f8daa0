// Services for tests of tools that need few of them, or none: whatever a test
// did not hand over refuses to be opened.
import { joinJournals } from "../src/journal/journals.ts";
import { readSettings } from "../src/settings.ts";
import type { Services } from "../src/tools/definition/define-tool.ts";

const refused = () => Promise.reject(new Error("This test has no such service."));

export function servicesWith(own: Partial<Services> = {}): Services {
  return {
    settings: readSettings({ home: "/nowhere" }, {}, "/"),
    vault: refused,
    outlines: refused,
    memory: refused,
    conversations: refused,
    journals: async () => joinJournals([]),
    projectRoot: refused,
    project: refused,
    ...own,
  };
}

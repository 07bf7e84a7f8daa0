import { describe, expect, it } from "vitest";
import { eventsOfNexusLine, eventsOfWorkspaceFile } from "./import-nexus.ts";

const WORKSPACE = {
  id: "ws_1",
  name: "Job search",
  description: "Applications",
  rootFolder: "Jobs/",
  created: 1000,
  lastAccessed: 9000,
  isActive: true,
  context: {
    purpose: "Find a job",
    currentGoal: "Ten letters",
    workflows: [{ name: "New letter", when: "found one", steps: "read\nwrite" }],
    keyFiles: ["Jobs/CV.md"],
    preferences: "Short letters",
  },
  sessions: {
    session_1: {
      id: "session_1",
      name: "Week one",
      description: "The first letters",
      startTime: 2000,
      endTime: 4000,
      isActive: false,
      memoryTraces: {
        trace_1: {
          id: "trace_1",
          timestamp: 2500,
          type: "tool_call",
          content: "Read the CV",
          metadata: {
            schemaVersion: 1,
            tool: { id: "t", agent: "contentManager", mode: "readContent" },
            context: { workspaceId: "ws_1", sessionId: "session_1", subgoal: "Know the CV" },
            input: { arguments: { filePath: "Jobs/CV.md" }, files: ["Jobs/CV.md"] },
            outcome: { success: false, error: { message: "File not found" } },
          },
        },
        trace_2: {
          timestamp: 2600,
          type: "old_form",
          content: "Wrote",
          metadata: { tool: "createContent", relatedFiles: ["a.md"] },
        },
      },
      states: {
        state_1: {
          id: "state_1",
          name: "Half way",
          created: 3000,
          state: {
            id: "state_1",
            context: {
              conversationContext: "We wrote",
              activeTask: "Letters",
              activeFiles: ["Jobs/CV.md"],
              nextSteps: ["Send them"],
            },
            state: { metadata: { tags: ["letters"] } },
          },
        },
        state_2: { name: "Older form", created: 3100, snapshot: { activeTask: "Snapshot" } },
      },
    },
  },
};

describe("a file of .workspaces", () => {
  it("gives its workspace, sessions, states and traces", () => {
    const events = eventsOfWorkspaceFile(JSON.stringify(WORKSPACE));
    expect(events).toMatchObject([
      {
        type: "workspace",
        of: "ws_1",
        at: 1000,
        weight: "found",
        set: {
          name: "Job search",
          rootFolder: "Jobs/",
          purpose: "Find a job",
          keyFiles: ["Jobs/CV.md"],
          preferences: "Short letters",
        },
      },
      { type: "session", of: "session_1", at: 2000, set: { name: "Week one", workspace: "ws_1", isActive: false } },
      { type: "session", of: "session_1", at: 4000, set: {} },
      {
        type: "state",
        of: "state_1",
        at: 3000,
        set: {
          name: "Half way",
          activeTask: "Letters",
          nextSteps: ["Send them"],
          activeFiles: [{ path: "Jobs/CV.md" }],
          "#letters": true,
          session: "session_1",
        },
      },
      { type: "state", of: "state_2", set: { activeTask: "Snapshot" } },
      {
        type: "trace",
        id: "trace_1",
        at: 2500,
        tool: "contentManager_readContent",
        paths: ["Jobs/CV.md"],
        why: "Know the CV",
        error: "File not found",
      },
      { type: "trace", id: "trace_2", tool: "createContent", paths: ["a.md"], why: "Wrote" },
    ]);
  });

  it.each([
    "",
    "{",
    "[]",
    "null",
    '{"workspaces":{}}',
    '{"id":5}',
    '{"id":"x","sessions":[1],"context":"no","created":"x"}',
    '{"id":"x","sessions":{"s":null,"t":{"states":"x","memoryTraces":{"a":[]}}}}',
  ])("that is odd breaks nothing: %s", (text) => {
    expect(() => eventsOfWorkspaceFile(text)).not.toThrow();
  });
});

const line = (type: string, more: object) =>
  JSON.stringify({ id: "e1", deviceId: "d", timestamp: 5000, type, ...more });

describe("a line of .nexus", () => {
  it.each([
    [
      line("workspace_created", {
        data: {
          id: "ws_2",
          name: "N",
          rootFolder: "N",
          created: 4000,
          contextJson: JSON.stringify({ purpose: "P", keyFiles: { "a.md": "why" } }),
        },
      }),
      { type: "workspace", of: "ws_2", at: 4000, set: { name: "N", purpose: "P", keyFiles: ["a.md"] } },
    ],
    [
      line("workspace_updated", { workspaceId: "ws_2", data: { name: "M", isActive: false } }),
      { of: "ws_2", at: 5000, set: { name: "M", isActive: false } },
    ],
    // An update repeats when the workspace was made, and counts from when it was written.
    [
      line("workspace_updated", { workspaceId: "ws_2", data: { name: "M", created: 4000 } }),
      { of: "ws_2", at: 5000, set: { name: "M" } },
    ],
    [
      line("session_updated", { workspaceId: "ws_2", sessionId: "s2", data: { name: "T", startTime: 4500 } }),
      { of: "s2", at: 5000, set: { name: "T" } },
    ],
    [
      line("state_updated", {
        workspaceId: "ws_2",
        sessionId: "s2",
        stateId: "st2",
        data: { name: "Su", created: 4600 },
      }),
      { of: "st2", at: 5000, set: { name: "Su" } },
    ],
    [line("workspace_deleted", { workspaceId: "ws_2" }), { of: "ws_2", set: { isDeleted: true } }],
    [
      line("session_created", { workspaceId: "ws_2", data: { id: "s2", name: "S", startTime: 4500 } }),
      { type: "session", of: "s2", at: 4500, set: { name: "S", workspace: "ws_2" } },
    ],
    [
      line("session_updated", { workspaceId: "ws_2", sessionId: "s2", data: { description: "D" } }),
      { of: "s2", set: { description: "D" } },
    ],
    [
      line("state_saved", {
        workspaceId: "ws_2",
        sessionId: "s2",
        data: {
          id: "st2",
          name: "St",
          created: 4600,
          stateJson: JSON.stringify({ context: { activeTask: "T" } }),
          tags: ["x"],
        },
      }),
      { type: "state", of: "st2", at: 4600, set: { name: "St", activeTask: "T", session: "s2", "#x": true } },
    ],
    [
      line("state_deleted", { workspaceId: "ws_2", sessionId: "s2", stateId: "st2" }),
      { of: "st2", set: { isDeleted: true } },
    ],
    [
      line("trace_added", {
        workspaceId: "ws_2",
        sessionId: "s2",
        data: {
          id: "t2",
          content: "Did it",
          traceType: "tool_call",
          metadataJson: JSON.stringify({ context: { memory: "m", goal: "g" } }),
        },
      }),
      { type: "trace", id: "t2", at: 5000, session: "s2", tool: "tool_call", why: "g" },
    ],
  ])("is imported: %s", (text, event) => {
    expect(eventsOfNexusLine(text)).toMatchObject([event]);
  });

  it.each([
    line("message", { conversationId: "c", data: {} }),
    line("state_saved", {}),
    "{",
    "null",
    line("trace_added", { data: { id: "t" } }),
  ])("that is not about memory is skipped: %s", (text) => {
    expect(eventsOfNexusLine(text)).toEqual([]);
  });
});

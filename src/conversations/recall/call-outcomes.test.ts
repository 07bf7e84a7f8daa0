// Finds failed calls by their output.
import { describe, expect, it } from "vitest";
import type { Message } from "../store/conversation-reader.ts";
import { CallOutcomes, isCall, saysFailure } from "./call-outcomes.ts";

describe("the output of an edit", () => {
  it.each([
    "<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>",
    "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, …",
    "Claude requested permissions to write to /a/x.ts, but you haven't granted it yet.",
    "PreToolUse:Edit hook error: [lint.sh]: no",
    "Error: Could not find oldString in the file.",
    "Failed to edit, could not find the string to replace.",
    "apply_patch verification failed: Failed to find expected lines in /a/x.ts:\n  a",
    "Exit code: 1\nWall time: 0 seconds\nOutput:\nInvalid patch",
    "Chunk ID: 5edb92\nWall time: 0.0000 seconds\nProcess exited with code 1\nOutput:\n",
    "No match found for old_str",
    "(error) old_string not found in file",
    '{"success":false,"error":"Note not found at path: x.md"}',
  ])("says that nothing was changed: %s", (output) => {
    expect(saysFailure(output)).toBe(true);
  });

  it.each([
    "The file /a/x.ts has been updated. Here's the result of running `cat -n`:\n  1\tthrow new Error('failed');",
    "File created successfully at: /a/error.ts",
    "Edit applied successfully.",
    "Successfully modified file: /a/x.ts (1 replacements).",
    "Success. Updated the following files:\nM failed.ts",
    "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM x.ts",
    "Process exited with code 0",
    "Applied 1 edit to /a/errors.ts:\n- fail()\n+ pass()",
    "",
  ])("does not: %s", (output) => {
    expect(saysFailure(output)).toBe(false);
  });
});

type Given = Partial<Message> & Pick<Message, "text">;

/** The calls that failed, by their texts. */
function failedAmong(messages: readonly Given[]): string[] {
  const failed: string[] = [];
  const outcomes = new CallOutcomes();
  for (const given of messages) {
    const message = { id: "", role: "assistant", kind: "tool", time: 0, tool: undefined, isAbandoned: false, ...given };
    if (message.kind === "prose") outcomes.end();
    else if (isCall(message as Message))
      outcomes.add(message as Message, ({ hasFailed }) => hasFailed && failed.push(message.text));
    else outcomes.output(message as Message);
  }
  return failed;
}

const FAILED = "<tool_use_error>String to replace not found in file.</tool_use_error>";

describe("a call failed", () => {
  const one = { tool: "Edit", text: 'Edit: {"file_path":"one"}' };
  const two = { tool: "Edit", text: 'Edit: {"file_path":"two"}' };
  const result = (text: string, more: Partial<Message> = {}) => ({ role: "user", text, ...more }) as const;

  it("if the output that belongs to it says so, one after the other or several at once", () => {
    expect(failedAmong([one, result(FAILED), two, result("The file has been updated.")])).toEqual([one.text]);
    expect(failedAmong([one, two, result("The file has been updated."), result(FAILED)])).toEqual([two.text]);
  });

  it("if its program stores the output with it", () => {
    const marked = { tool: "edit", text: 'edit (error) {"filePath":"x"}\nnot there' };
    const said = {
      tool: "replace",
      text: 'replace {"file_path":"x","new_string":"}"}\nFailed to edit, 0 occurrences found',
    };
    const worked = { tool: "edit", text: 'edit {"filePath":"x","newString":"Error: {"}\nEdit applied successfully.' };
    expect(failedAmong([marked, said, worked])).toEqual([marked.text, said.text]);
  });

  it("if the output has the name of its tool, whatever else was called", () => {
    const shell = { tool: "bash", text: 'bash {"command":"false"}' };
    const edit = { tool: "edit", text: 'edit {"path":"x"}' };
    const outputs = [{ tool: "edit", text: "Could not find the exact text in x." }];
    expect(failedAmong([shell, edit, ...outputs])).toEqual([edit.text]);
  });

  it("not because of another call whose command has braces", () => {
    const shell = { tool: "Bash", text: "Bash: awk '{print $1}' names" };
    expect(failedAmong([shell, one, result("Error: no such file"), result("The file has been updated.")])).toEqual([
      shell.text,
    ]);
  });

  it("not because of what was said, or thought, or came after the next prompt", () => {
    const thought = { kind: "thinking", text: "Error: that will not work" } as const;
    const prompt = { kind: "prose", role: "user", text: "Error: it fails" } as const;
    expect(failedAmong([one, thought, prompt, result(FAILED)])).toEqual([]);
  });

  it("not for certain where several sub-agents work side by side", () => {
    const side = { kind: "subagent" } as const;
    expect(failedAmong([{ ...one, ...side }, { ...two, ...side }, result(FAILED, side)])).toEqual([]);
    expect(failedAmong([{ ...one, ...side }, result(FAILED, side)])).toEqual([one.text]);
  });
});

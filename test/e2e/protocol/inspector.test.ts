// The official inspector lists the tools of the packed program and finds
// nothing in their schemas that a host might not take.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { devTool } from "../../../scripts/dev-tool.mjs";
import { NODE } from "../../processes/child.ts";
import { environmentIn, PROGRAM, temporaryFolder } from "../../processes/program.ts";

it("the inspector's strict check has no complaint about any tool", async () => {
  const home = temporaryFolder();
  const args = [devTool("@modelcontextprotocol/inspector"), "--cli", NODE, PROGRAM, "--toolsets", "all"];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...args, "--method", "tools/list", "--strict"],
    {
      cwd: home,
      env: environmentIn(home),
    },
  );
  expect(JSON.parse(stdout).tools).not.toHaveLength(0);
  expect(stderr).not.toMatch(/error|warning|portab/i);
});

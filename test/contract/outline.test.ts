// The outline contract on a document of each format, and on one in OmniOutliner
// (simulated; see simulator/). test/postgres/contract.test.ts has it in a shared store.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectStdio, ERAS, temporaryFolder, type Machine } from "../processes/program.ts";
import { documentOf, idsByTopic, openSimulator, rowNamed } from "../simulator/simulator.ts";
import { BEFORE } from "./outline-case.ts";
import { linesIn, WRITERS } from "./outline-files.ts";
import { describeOutlineContract, type Subject } from "./outline-run.ts";

const connectTo = (outline: string, machine: Machine = {}) =>
  connectStdio(temporaryFolder(), ERAS["2025-11-25 and before"], ["--outline", outline, "--toolsets", "all"], machine);

function fileSubject(format: keyof typeof WRITERS): Subject {
  const file = join(temporaryFolder(), `Plan.${format}`);
  WRITERS[format](file, BEFORE);
  return {
    format,
    connect: () => connectTo(file),
    lines: () => linesIn(readFileSync(file)),
    content: () => readFileSync(file).toString("hex"),
  };
}

function appSubject(answersAutomation: boolean): Subject {
  const documents = [documentOf("Plan", "/Users/me/Plan.ooutline", BEFORE)];
  const machine = openSimulator(temporaryFolder(), { answersAutomation, documents });
  const { state, change, lines } = machine;
  const removeCheckbox = () =>
    change(({ documents: [front] }) => Object.assign(rowNamed(front!.rows, "Item zero")!, { note: "", state: null }));
  const beyond = { it: "removes a note and a checkbox", message: /checkbox/, byHand: removeCheckbox };
  return {
    format: "app",
    connect: () => connectTo("app", machine),
    lines,
    ids: () => idsByTopic(state().documents[0]!.rows),
    content: () => JSON.stringify(state().documents),
    ...(!answersAutomation && { beyond }),
  };
}

describeOutlineContract(".ooutline", () => fileSubject("ooutline"));
describeOutlineContract(".opml", () => fileSubject("opml"));
describeOutlineContract(".md", () => fileSubject("md"));
describeOutlineContract("OmniOutliner by Omni Automation", () => appSubject(true));
describeOutlineContract("OmniOutliner by its dictionary", () => appSubject(false));

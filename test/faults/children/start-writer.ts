// Starts the process that tests kill (writer.ts), bundled into one file of
// JavaScript, since it is started hundreds of times.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import { bundled, NODE } from "../../processes/child.ts";
import type { TemporaryVault } from "../../fixtures/temporary-vault.ts";
import type { Orders } from "./writer.ts";

const WRITER = bundled(join(import.meta.dirname, "writer.ts"));

/** `ended` resolves with whether it was killed, and how many operations it reported. */
export function startWriter(vault: TemporaryVault, orders: Omit<Orders, "folder" | "journals">) {
  const given: Orders = { ...orders, folder: vault.folder, journals: vault.journals };
  const child = spawn(NODE, [...WRITER, JSON.stringify(given)]);
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const reported = () => output.split("\n").filter((line) => /^\d+$/.test(line)).length;
  const hasReported = async (count: number) => {
    while (!output.includes("ready") || reported() < count) await once(child.stdout, "data");
  };
  const ended = once(child, "close").then(([, signal]) => {
    expect(errors).toBe("");
    return { isKilled: signal === "SIGKILL", reported: reported() };
  });
  return { child, hasReported, ended };
}

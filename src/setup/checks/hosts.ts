// Checks the installed hosts: which of them start this server, and whether the
// paths in their entries still exist.
import { connections, otherVaults, thisMachine, type Connection } from "../hosts/connection.ts";
import { flagsOf } from "../hosts/setting-flags.ts";
import type { Check, Finding } from "./finding.ts";
import { commandLine } from "../program-name.ts";

export const checkHosts: Check = (settings) => {
  const here = connections(thisMachine()).filter(({ state }) => state !== "not found");
  if (here.length === 0)
    return {
      part: "hosts",
      state: "missing",
      note: "none found",
      hint: `'${commandLine("connect")}' lists those it knows`,
    };
  return here.map((connection) => findingOf(connection, flagsOf(settings), otherVaults(connection, settings)));
};

/**
 * @param flags the settings of this run, for the command that connects the host
 * @param others the vaults that the host is connected to, if none is one of this run
 */
function findingOf(
  { host, file, state, entries, problem, hint }: Connection,
  flags: readonly string[],
  others: readonly string[] | undefined,
): Finding {
  const about = { part: host, path: file } as const;
  if (problem !== undefined) return { ...about, state: "problem", note: problem, hint: hint ?? `look at ${file}` };
  if (state === "not connected")
    return { ...about, state: "missing", note: "not connected", hint: `'${commandLine("connect", host, ...flags)}'` };
  if (state === "plugin") return { ...about, state: "ok", note: "connected by the plugin" };
  const broken = entries.find(({ gone }) => gone.length > 0);
  if (broken !== undefined)
    return {
      ...about,
      state: "problem",
      note: `'${broken.name}' names ${broken.gone.join(" and ")}, which does not exist`,
      hint: `restore it, or '${commandLine("connect", host, ...(broken.name === "commonplace" ? [] : ["--name", broken.name]))}' renews the entry`,
    };
  if (others !== undefined)
    return {
      ...about,
      state: "missing",
      note: `connected to another vault: ${others.join(", ")}`,
      hint: `'${commandLine("connect", host, ...flags)}' connects it to this one instead, with --name NAME also`,
      counts: { entries: entries.length },
    };
  return {
    ...about,
    state: "ok",
    note: `connected: ${entries.map(({ name }) => name).join(", ")}`,
    counts: { entries: entries.length },
  };
}

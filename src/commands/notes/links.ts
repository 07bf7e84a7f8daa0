// commonplace links: lists the links of a note, or of the vault.
import { openCommonplace } from "../../app/app.ts";
import { joined, printable, type Printable, Problem } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import { LINK_TYPES, linkLine, LINKS_IN_WORDS, LINKS_OF_VAULT, type ResultNamed } from "../../tools/tools.ts";
import { choiceOf, printResult, type Command } from "../command.ts";
import { noteGuideVault } from "../guide-vault.ts";

export const command: Command = {
  usage: "links [NOTE] [--type TYPE] [--json]",
  help: `Lists what links to a note; without a note, the links of the vault that lead nowhere.
TYPE is one of ${LINK_TYPES.slice(0, 5).join(", ")},
${LINK_TYPES.slice(5).join(", ")}.`,
  flags: {
    type: { value: "TYPE", choices: LINK_TYPES, help: "which links (backlinks; without a note, unresolved)" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const [path, ...more] = words;
    if (more.length > 0) throw new Problem("invalid", `Too many arguments: ${usageLine(command.usage)}`);
    const type = choiceOf(invocation, "type", LINK_TYPES) ?? (path === undefined ? "unresolved" : "backlinks");
    if (path === undefined && !LINKS_OF_VAULT.has(type))
      throw new Problem("invalid", `Say of which note: ${usageLine(command.usage)}`);
    const commonplace = openCommonplace(settings);
    try {
      const result = (await commonplace.call("vaultLibrarian_links", { path, type }, { asker: "person" }))!;
      noteGuideVault({ settings, flags });
      return printResult(result, flags["json"], shown);
    } finally {
      await commonplace.close();
    }
  },
};

function shown({
  data: { path, type, links, vaults },
  hint,
  unavailable = [],
}: ResultNamed<"vaultLibrarian_links">): Printable {
  if (links.length === 0 && hint !== undefined) return printable`${hint}`;
  const about = `${LINKS_IN_WORDS[type ?? "backlinks"]} ${path || (vaults === undefined ? "the vault" : `the vaults ${vaults.join(", ")}`)}`;
  return joined([
    ...unavailable.map(({ vault, error }) => printable`The vault ${vault} could not be asked: ${error}`),
    links.length === 0 ? printable`No ${about}` : printable`The ${about}:`,
    ...links.map((link) => printable`${linkLine(link)}`),
  ]);
}

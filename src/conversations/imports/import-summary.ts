// Words the result of an import. Used by the command and by the page.
import { counted } from "../../kernel/kernel.ts";
import type { Imported } from "./import-archive.ts";

/** Without a full stop. */
export function importSummary({ from, added, replaced, unchanged, empty, forgotten, unreadable }: Imported): string {
  if (from.length === 0) return "The archive has no conversations";
  const parts = [
    `${counted(added, "conversation")} added`,
    ...(replaced > 0 ? [`${replaced} replaced by newer versions`] : []),
    ...(unchanged > 0 ? [`${unchanged} there already`] : []),
    ...(empty > 0 ? [`${empty} without a message`] : []),
    ...(forgotten > 0 ? [`${forgotten} left out, which you had forgotten`] : []),
    ...(unreadable > 0 ? [`${unreadable} not readable`] : []),
  ];
  return `${from.join(" and ")}: ${parts.join(", ")}`;
}

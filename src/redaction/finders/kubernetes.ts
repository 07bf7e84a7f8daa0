// Finds the values of Kubernetes secrets, whose names say nothing. Used by
// redaction.ts.
import { isPlaceholder } from "../criteria/placeholders.ts";
import { lineAt, type Span } from "../spans.ts";

const IS_KUBERNETES_SECRET = /kind["']?\s{0,4}:\s{0,4}["']?Secret\b/;
/** Values may be as long as a certificate. */
const DATA_OBJECT = /"(?:data|stringData)\s?"\s{0,4}:\s{0,4}\{([^{}]{0,60000})\}/g;
const MEMBER = /"\s{0,4}:\s{0,4}"([^"\n]{1,20000})"/g;
const DATA_LINE = /^([ \t]*)(?:data|stringData):[ \t]*$/;
const YAML_ENTRY = /^([ \t]*)["']?[\w.-]+["']?:[ \t]*["']?([^"'\n]*?)["']?[ \t]*$/;

export function kubernetesSecrets(plain: string): Span[] {
  if (!IS_KUBERNETES_SECRET.test(plain)) return [];
  const spans: Span[] = [];
  for (const object of plain.matchAll(DATA_OBJECT)) {
    const start = object.index + object[0].length - 1 - object[1]!.length;
    for (const member of object[1]!.matchAll(MEMBER)) {
      const value = member[1]!.trimEnd();
      const at = start + member.index + member[0].indexOf('"', 1) + 1;
      if (isSecretData(value)) spans.push({ start: at, end: at + value.length, name: "secret" });
    }
  }
  let block: { indent: number; inText: number | undefined } | undefined;
  for (let start = 0; start <= plain.length;) {
    const { line, end } = lineAt(plain, start);
    const indent = /^[ \t]*/.exec(line)![0].length;
    const isBlank = line.trim() === "";
    if (block !== undefined && !isBlank && indent <= block.indent) block = undefined;
    if (block === undefined) {
      const opened = DATA_LINE.exec(line);
      if (opened !== null) block = { indent: opened[1]!.length, inText: undefined };
    } else if (!isBlank) {
      if (block.inText !== undefined && indent <= block.inText) block.inText = undefined;
      const entry = block.inText === undefined ? YAML_ENTRY.exec(line) : null;
      const value = entry === null ? line.trim() : entry[2]!;
      if (entry !== null && /^[|>][+-]?\d?$/.test(value)) block.inText = indent;
      else if ((entry !== null || block.inText !== undefined) && isSecretData(value)) {
        const at = start + line.lastIndexOf(value);
        spans.push({ start: at, end: at + value.length, name: "secret" });
      }
    }
    start = end + 1;
  }
  return spans;
}

function isSecretData(value: string): boolean {
  return value !== "" && !value.includes("[redacted") && !isPlaceholder(value);
}

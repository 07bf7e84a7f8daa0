// Gemini on the web: the activity of "Gemini Apps" in a Takeout archive, as JSON.
// Google keeps no conversations in it: each prompt with its answers stands alone.
import { archivedConversation, archiveSource, joined } from "../kit/archived-messages.ts";
import { recordsOf, textOf } from "../kit/stored-json.ts";
import { timeOf, type ArchivedConversation, type Said } from "../source.ts";

export const geminiApps = archiveSource("gemini-apps", "Gemini Apps", fromArchive);

/** Before a prompt, in the language of the account. Other activities have other verbs. */
const PROMPTED = /^(?:Prompted|Branched|Asked(?: Gemini)?:?) /;
const OTHER = /^(?:Created|Added|Used|Gave|Selected|Viewed|Visited) /;

function fromArchive(activity: Readonly<Record<string, unknown>>): ArchivedConversation | undefined {
  const { header, time, title, products } = activity;
  const isOfGemini = [header, ...(Array.isArray(products) ? products : [])].some((one) =>
    /^(?:Gemini|Bard)\b/.test(String(one)),
  );
  const [at, asked] = [timeOf(time), textOf(title)];
  if (!isOfGemini || at === undefined || asked === undefined) return undefined;
  const answers = recordsOf(activity["safeHtmlItem"]).flatMap(({ html }) => textOf(plainText(html)) ?? []);
  const isPrompt = PROMPTED.test(asked) || (!OTHER.test(asked) && answers.length > 0);
  const said: Said[] = [
    { role: "user", kind: "prose", text: asked.replace(PROMPTED, "") },
    { role: "assistant", kind: "prose", text: joined(answers) },
  ];
  return archivedConversation({
    // Two prompts of the same millisecond are of two devices.
    id: `${String(time)}-${hashOf(asked)}`,
    title: undefined,
    model: undefined,
    created: at,
    updated: at,
    messages: isPrompt
      ? said.map((one, index) => ({ id: String(index), parent: index === 0 ? undefined : "0", time: at, parts: [one] }))
      : [],
    leaf: undefined,
    skipped: new Map(),
    skippedName: "activities",
  });
}

function hashOf(text: string): string {
  let hash = 0;
  for (const sign of text) hash = (Math.imul(hash, 31) + sign.codePointAt(0)!) >>> 0;
  return hash.toString(16);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** What a page would show: line breaks where blocks end, and no tags. */
function plainText(html: unknown): string {
  return String(html ?? "")
    .replaceAll(/<(?:br|hr)\b[^<>]{0,200}>|<\/(?:p|div|li|tr|pre|h\d|ul|ol|table|blockquote)>/gi, "\n")
    .replaceAll(/<li\b[^<>]{0,200}>/gi, "- ")
    .replaceAll(/<\/?[a-z][^<>]{0,2000}>/gi, "")
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (all, decimal, hex, name: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

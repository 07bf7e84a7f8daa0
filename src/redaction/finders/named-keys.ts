// Finds the keys of providers that a text names: "I use § as my Cohere key". Whatever
// the sentence is, and in any language, a random word near such a name is the key.
// Used by redaction.ts.
import { isHexadecimal, isShuffled } from "../criteria/values.ts";
import type { Span } from "../spans.ts";

/** Services whose keys have no form of their own, or are often named in a sentence; announcements.ts looks for them. */
export const PROVIDERS: readonly string[] =
  "ai21|airtable|algolia|anthropic|anyscale|assemblyai|baseten|brave|cartesia|cerebras|clickhouse|clickup|cloudflare|cohere|datadog|deepgram|deepinfra|deepl|deepseek|elevenlabs|exa|fal|firecrawl|fireworks|gemini|groq|heroku|hugging face|huggingface|hume|hyperbolic|jina|langfuse|langsmith|lepton|linear|mailgun|mapbox|mistral|mixpanel|moonshot|nebius|netlify|novita|openai|openrouter|openweather|perplexity|pinecone|posthog|qdrant|railway|render|replicate|resend|runpod|sendgrid|sentry|serpapi|serper|stability|stripe|supabase|tavily|together|turbopuffer|twilio|typesense|upstash|vercel|voyage|weaviate|xai|zilliz".split(
    "|",
  );
const NAME = `(?<![A-Za-z\\d])(?:${PROVIDERS.join("|")})(?![a-z\\d])`;
const KEY = "(?:api[ -]?)?(?:keys?|schlüssel|credentials)(?![a-z])";
const WORDS = "(?:[ -][\\w'’.]{1,14}){0,3}?";
const MENTION = new RegExp(
  `${NAME}(?:['’]s)?${WORDS}[ -]${KEY}|(?<![A-Za-z])(?:${KEY}|clé|clave|chiave|chave)${WORDS}[ :(]{1,2}${NAME}`,
  "gi",
);
const MAX_BEFORE = 160;
const MAX_AFTER = 320;
/** The rest of the line, and the next one that is not empty, the fence of a block not counted. */
const AFTER = /[^\n]*(?:\n[ \t>]*(?:`{3}\w*)?[ \t]*(?=\n)){0,4}(?:\n[^\n]*)?/y;

const TOKEN = /[\w+/=~-]/;
const VALUE = /(?<![\w+/=.@-])[\w+/=~-]{20,200}(?![\w+/=@-])/g;
/** Ids that a provider gives, and public keys. */
const ID = /^(?:req|msg|toolu|call|run|thread|asst|file|org|proj|resp|chatcmpl|cus|sub|price|prod|evt|acct|pk)[_-]/;
const PUBLIC = /publi(?:c|shable)|ssh-/i;
const HASH = /commit|hash|\bsha\b|\bsha-?\d|\bmd5|checksum|digest|revision|\bid\b|\bbuild\b/i;

export function namedKeys(plain: string, announced: ReadonlySet<string>): Span[] {
  if (!PROVIDERS.some((name) => announced.has(name))) return [];
  const spans: Span[] = [];
  for (const { index, 0: mention } of plain.matchAll(MENTION)) {
    const end = index + mention.length;
    const before = plain.slice(Math.max(0, index - MAX_BEFORE), index);
    const from = index - (before.length - 1 - before.lastIndexOf("\n"));
    AFTER.lastIndex = 0;
    const after = AFTER.exec(plain.slice(end, end + MAX_AFTER))![0];
    const near = plain.slice(from, end) + after;
    if (PUBLIC.test(near)) continue;
    for (const { index: at, 0: value } of near.matchAll(VALUE)) {
      const start = from + at;
      // Part of something longer that begins before, or goes on behind, what is looked at.
      if (TOKEN.test(plain.charAt(start - 1)) || TOKEN.test(plain.charAt(start + value.length))) continue;
      if (!ID.test(value) && (isShuffled(value) || isKeyInHex(value, near)))
        spans.push({ start, end: start + value.length, name: "key" });
    }
  }
  return spans;
}

function isKeyInHex(value: string, near: string): boolean {
  return value.length >= 32 && isHexadecimal(value) && /\d/.test(value) && !value.includes("-") && !HASH.test(near);
}

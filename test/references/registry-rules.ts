// The rules of the registry of MCP servers for server.json, in our own words:
// those of its schema of 2025-12-11 for the fields that ours has, and what the
// registry requires beyond it. Fields that ours does not have have no rules here,
// so a field without a rule is reported too.

export const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** What is wrong with a value; empty if it is right. */
type Rule = (value: unknown, place: string) => string[];

interface TextLimits {
  readonly shortest?: number;
  readonly longest?: number;
  readonly like?: RegExp;
}

function text({ shortest = 0, longest = Number.POSITIVE_INFINITY, like = /^/ }: TextLimits = {}): Rule {
  return (value, place) => {
    if (typeof value !== "string") return [`${place} is not a text`];
    // Characters, not UTF-16 units: so JSON Schema counts.
    const length = [...value].length;
    if (length < shortest || length > longest) return [`${place} has ${length} characters`];
    return like.test(value) ? [] : [`${place} is not like ${String(like)}`];
  };
}

function oneOf(...words: readonly string[]): Rule {
  return (value, place) => (words.includes(value as string) ? [] : [`${place} is not one of ${words.join(", ")}`]);
}

function listOf(rule: Rule): Rule {
  return (value, place) =>
    Array.isArray(value) ? value.flatMap((item, i) => rule(item, `${place}[${i}]`)) : [`${place} is not a list`];
}

function object(required: Readonly<Record<string, Rule>>, optional: Readonly<Record<string, Rule>> = {}): Rule {
  const rules = new Map(Object.entries({ ...required, ...optional }));
  return (value, place) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${place} is not an object`];
    const missing = Object.keys(required).filter((name) => !Object.hasOwn(value, name));
    return [
      ...missing.map((name) => `${place}.${name} is missing`),
      ...Object.entries(value).flatMap(
        ([name, held]) => rules.get(name)?.(held, `${place}.${name}`) ?? [`${place}.${name} has no rule here`],
      ),
    ];
  };
}

/** One version, and no range of them: `latest`, `^1.2.3` and `1.x` are refused. */
const VERSION = text({ longest: 255, like: /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/ });

const ENVIRONMENT_VARIABLE = object(
  { name: text({ shortest: 1 }) },
  { description: text(), format: oneOf("string", "number", "boolean", "filepath") },
);

const PACKAGE = object(
  {
    registryType: oneOf("npm"),
    // The registry refuses blanks.
    identifier: text({ shortest: 1, like: /^\S+$/ }),
    // A package of npm must be of one version, though the schema would let it be.
    version: VERSION,
    transport: object({ type: oneOf("stdio") }),
  },
  { runtimeHint: oneOf("npx"), environmentVariables: listOf(ENVIRONMENT_VARIABLE) },
);

const SERVER = object(
  {
    $schema: oneOf(SCHEMA),
    // A domain in reverse, one slash, a name that begins and ends with a letter or a digit.
    name: text({
      shortest: 3,
      longest: 200,
      like: /^[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+\/[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/,
    }),
    description: text({ shortest: 1, longest: 100 }),
    version: VERSION,
  },
  { title: text({ shortest: 1, longest: 100 }), packages: listOf(PACKAGE) },
);

/** Everything about a server.json that the registry would refuse. */
export function faultsOf(serverJson: unknown): string[] {
  return SERVER(serverJson, "server");
}

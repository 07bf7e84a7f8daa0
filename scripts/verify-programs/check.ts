// Compares what our readers made of a program's home with what was said in it.
// Pure: check.test.ts feeds it wrong readings.
import { marker, promptText } from "./markers.ts";
import type { Step, UnkeptFact } from "./program.ts";
import type { ReadConversation, ReadHome, ReadMessage } from "./reading.ts";

/** The columns of the table. */
export const CHECKS = [
  "prompt",
  "answer",
  "tool call",
  "thinking",
  "facts",
  "resume",
  "sub-agent",
  "fork",
  "compaction",
  "edited prompt",
  "as it grew",
] as const;
export type Check = (typeof CHECKS)[number];

/** Why a check failed; empty if it passed. Checks of steps that were not taken are missing. */
export type Outcome = Partial<Record<Check, readonly string[]>>;

export interface Expected {
  readonly source: string;
  readonly project: string;
  readonly model: string;
  /** Steps that the program has taken. */
  readonly steps: readonly Step[];
  readonly hasThinking: boolean;
  readonly keepsNo: readonly UnkeptFact[];
  /** When the program ran, in milliseconds. */
  readonly from: number;
  readonly until: number;
}

/**
 * @param read the home, read at once after everything
 * @param grown the same home, read after each step from where the last reading stopped
 */
export function checkHome(read: ReadHome, grown: ReadHome, expected: Expected): Outcome {
  const { steps } = expected;
  const outcome: Outcome = {};
  const first = conversationWith(read, 1);
  if (steps.includes("talk")) {
    outcome["prompt"] = [
      ...once(read, 1, "user"),
      ...(first === undefined ? [] : samePrompt(first)),
      ...noStrangers(read, expected),
      ...read.notices.map((notice) => `reported ${notice}`),
    ];
    outcome["answer"] = once(read, 1, "assistant");
    outcome["tool call"] = [
      ...isOnlyIn(read, marker.output(1), ["tool"]),
      ...(find(read, "printf", ["tool"]).length > 0 ? [] : ["the call is missing"]),
    ];
    if (expected.hasThinking) outcome["thinking"] = isOnlyIn(read, marker.thought(1), ["thinking"]);
    outcome["facts"] = first === undefined ? ["there is no such conversation"] : factsOf(first, expected);
  }
  if (steps.includes("resume")) outcome["resume"] = sequence(read, 1, [1, 2]);
  if (steps.includes("helper"))
    outcome["sub-agent"] = [
      ...sequence(
        read,
        1,
        [1, 2, 3].filter((n) => n !== 2 || steps.includes("resume")),
      ),
      ...isOnlyIn(read, marker.helperPrompt(3), ["subagent", "tool"]),
      ...isOnlyIn(read, marker.helperAnswer(3), ["subagent", "tool"]),
      ...[marker.helperPrompt(3), marker.helperAnswer(3)]
        .filter((word) => find(read, word, ["subagent"]).length > 1)
        .map((word) => `${word} is repeated in subagent`),
    ];
  if (steps.includes("fork")) outcome["fork"] = forkProblems(read);
  if (steps.includes("compaction"))
    outcome["compaction"] = [...isOnlyIn(read, marker.summary, ["summary"]), ...sequence(read, 1, [1, 5])];
  if (steps.includes("edit")) outcome["edited prompt"] = editProblems(read, expected.keepsNo);
  outcome["as it grew"] = differences(read, grown);
  return outcome;
}

function conversationWith({ conversations }: ReadHome, n: number): ReadConversation | undefined {
  return conversations.find(({ parts }) => parts.some((part) => isPrompt(part, n)));
}

function isPrompt({ role, kind, text }: ReadMessage, n: number): boolean {
  return role === "user" && kind === "prose" && hasWord(text, marker.prompt(n));
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`${word}(?!\\d)`).test(text);
}

interface Found {
  readonly conversation: ReadConversation;
  readonly part: ReadMessage;
}

function find({ conversations }: ReadHome, word: string, kinds: readonly string[]): Found[] {
  return conversations.flatMap((conversation) =>
    conversation.parts
      .filter((part) => kinds.includes(part.kind) && hasWord(part.text, word))
      .map((part) => ({ conversation, part })),
  );
}

function once(read: ReadHome, n: number, role: "user" | "assistant"): string[] {
  const word = role === "user" ? marker.prompt(n) : marker.answer(n);
  const found = find(read, word, ["prose"]).filter(({ part }) => part.role === role);
  return found.length === 1 ? [] : [`${word} is ${found.length} times in what was said by the ${role}`];
}

function samePrompt({ parts }: ReadConversation): string[] {
  const text = parts.find((part) => isPrompt(part, 1))!.text.trim();
  const typed = promptText(1, ["thinking", "tool"]);
  return text === typed ? [] : [`the prompt is ${JSON.stringify(text.slice(0, 200))}`];
}

/** Every text of prose is one that a person typed or the stub answered; every conversation is of this program. */
function noStrangers({ conversations }: ReadHome, { source }: Expected): string[] {
  const prose = conversations.flatMap(({ parts }) => parts.filter(({ kind }) => kind === "prose"));
  return [
    ...conversations.filter((one) => one.source !== source).map((one) => `a conversation of ${one.source}`),
    ...prose
      .filter(({ text, role }) => !(role === "user" ? /quokkaprompt\d/ : /koalareply\d/).test(text))
      .map(({ role, text }) => `not said by the ${role}: ${JSON.stringify(text.slice(0, 200))}`),
  ];
}

function isOnlyIn(read: ReadHome, word: string, kinds: readonly string[]): string[] {
  const everywhere = find(read, word, ["prose", "tool", "thinking", "subagent", "summary"]);
  if (!everywhere.some(({ part }) => kinds.includes(part.kind)))
    return [`${word} is missing in ${kinds.join(" and ")}`];
  return everywhere
    .filter(({ part }) => !kinds.includes(part.kind))
    .map(({ part }) => `${word} is in ${part.kind}: ${JSON.stringify(part.text.slice(0, 200))}`);
}

function factsOf(first: ReadConversation, expected: Expected): string[] {
  const { title, folder, model, created, updated, timeKnown } = first;
  const problems: string[] = [];
  if (title !== marker.title && !title.startsWith(marker.prompt(1)))
    problems.push(`the title is ${JSON.stringify(title)}`);
  const wants = (fact: UnkeptFact) => !expected.keepsNo.includes(fact);
  if (wants("folder") && folder !== expected.project) problems.push(`the folder is ${folder}`);
  if (wants("model") && !model?.includes(expected.model)) problems.push(`the model is ${model}`);
  if (wants("times") && timeKnown !== "stored") problems.push(`the times are ${timeKnown}`);
  // Some programs store seconds.
  if (created < expected.from - 1000 || updated > expected.until + 1000 || created > updated)
    problems.push(`the times are ${new Date(created).toISOString()} and ${new Date(updated).toISOString()}`);
  return problems;
}

/** Prompts and answers with these numbers are in the conversation of `start`, in order, none abandoned. */
function sequence(read: ReadHome, start: number, numbers: readonly number[]): string[] {
  const conversation = conversationWith(read, start);
  if (conversation === undefined) return [`no conversation has ${marker.prompt(start)}`];
  const said = saidIn(conversation).filter((one) => numbers.includes(Number(/\d+/.exec(one)![0])));
  const wanted = numbers.flatMap((n) => [marker.prompt(n), marker.answer(n)]);
  return said.join() === wanted.join() ? [] : [`said are ${said.join(", ")} instead of ${wanted.join(", ")}`];
}

/** The markers of what was said, in order. */
function saidIn({ parts }: ReadConversation): string[] {
  return parts.flatMap(({ kind, text, isAbandoned }) => {
    const word = kind === "prose" ? /quokkaprompt\d+|koalareply\d+/.exec(text)?.[0] : undefined;
    return word === undefined ? [] : [isAbandoned ? `${word} (abandoned)` : word];
  });
}

/** The fork has only what is new in it, and continues the original, which lacks that. */
function forkProblems(read: ReadHome): string[] {
  const original = conversationWith(read, 1);
  const fork = conversationWith(read, 4);
  if (original === undefined || fork === undefined) return ["the original or the fork is missing"];
  if (original === fork) return ["the fork is taken for the original"];
  return [
    ...(fork.continues === original.id ? [] : [`the fork continues ${fork.continues}`]),
    ...(original.continues === undefined ? [] : [`the original continues ${original.continues}`]),
    ...sequence(read, 4, [4]),
    ...once(read, 1, "user"),
  ];
}

function editProblems(read: ReadHome, keepsNo: readonly UnkeptFact[]): string[] {
  const conversation = conversationWith(read, 8);
  if (conversation === undefined) return ["the edited prompt is missing"];
  const said = saidIn(conversation);
  const earlier = conversationWith(read, 6);
  const whole = earlier === conversation || earlier === undefined ? said : [...saidIn(earlier), ...said];
  const edited = [`${marker.prompt(7)} (abandoned)`, `${marker.answer(7)} (abandoned)`];
  const wanted = [
    marker.prompt(6),
    marker.answer(6),
    ...(keepsNo.includes("edited prompts") ? [] : edited),
    marker.prompt(8),
    marker.answer(8),
  ];
  // A program that goes on in another conversation leaves the earlier one as it was.
  const kept = wanted.map((one) => one.replace(" (abandoned)", ""));
  const isRight = earlier === conversation ? whole.join() === wanted.join() : whole.join() === kept.join();
  return [
    ...(isRight ? [] : [`said are ${whole.join(", ")}`]),
    ...(earlier === conversation || conversation.continues === earlier?.id
      ? []
      : [`the edited conversation continues ${conversation.continues}`]),
  ];
}

/** Reading as a program writes must give the same as reading afterwards. */
function differences(read: ReadHome, grown: ReadHome): string[] {
  const [one, other] = [linesOf(read), linesOf(grown)];
  const at = one.findIndex((line, i) => line !== other[i]);
  if (at === -1 && one.length === other.length) return [];
  return [`read at once ${one[at]?.slice(0, 300)}, read as it grew ${other[at]?.slice(0, 300)}`];
}

function linesOf({ conversations }: ReadHome): string[] {
  return conversations
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ parts, ...facts }) => [JSON.stringify(facts), ...parts.map((part) => JSON.stringify(part))]);
}

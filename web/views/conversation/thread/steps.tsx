// What an assistant did between two messages: a line for each call of a tool, each
// edit and each thought, opened in place as a difference, with its arguments, or
// with what the tool returned. The body of a line is made once it is opened: there
// may be thousands.
import { useMemo, useState } from "preact/hooks";
import { Icon, type IconName } from "../../../components/components.ts";
import { countLines, TextDifference } from "../../../diff/diff.tsx";
import { CodeBlock } from "../../../markdown/markdown.ts";
import { argumentsIn, hasFailed, stepLines, stepName, stepSubject, type Message, type StepLine } from "./turns.ts";

/** Of a group that has more, the rest is shown on request. */
const MAX_LINES = 12;

export function Steps({ messages }: { messages: readonly Message[] }) {
  const lines = useMemo(() => stepLines(messages), [messages]);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || lines.length <= MAX_LINES + 1 ? lines : lines.slice(0, MAX_LINES);
  return (
    <li class="steps">
      {shown.map((line, i) => (
        <Step key={i} line={line} />
      ))}
      {shown.length < lines.length && (
        <button type="button" class="link steps-more" onClick={() => setWhole(true)}>
          {lines.length - shown.length} more steps
        </button>
      )}
    </li>
  );
}

const ICONS: readonly (readonly [name: RegExp, icon: IconName])[] = [
  [/edit|write|patch|replace/i, "edit"],
  [/read|view|open|cat/i, "file"],
  [/search|grep|glob|find|list|ls/i, "search"],
  [/bash|shell|exec|run|terminal/i, "terminal"],
];

function Step({ line }: { line: StepLine }) {
  const [isOpen, setOpen] = useState(false);
  const { is, message } = line;
  const name = stepName(line);
  const isFailed = hasFailed(line);
  const icon = is === "thought" ? "thought" : (ICONS.find(([pattern]) => pattern.test(name))?.[1] ?? "tool");
  return (
    <details
      class="step"
      data-kind={message.kind}
      data-failed={isFailed}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name={icon} />
        <span class="step-name">{name}</span>
        <span class="step-subject">{stepSubject(line)}</span>
        {message.edits && <EditCounts edits={message.edits} />}
        {isFailed && <span class="badge">failed</span>}
      </summary>
      {isOpen && <StepBody line={line} />}
    </details>
  );
}

function EditCounts({ edits }: { edits: NonNullable<Message["edits"]> }) {
  const counts = useMemo(() => edits.map(({ removed, added }) => countLines(removed, added)), [edits]);
  const sum = (of: "added" | "removed") => counts.reduce((all, count) => all + count[of], 0);
  return (
    <span class="step-counts">
      <span class="count-added">+{sum("added")}</span> <span class="count-removed">−{sum("removed")}</span>
    </span>
  );
}

function StepBody({ line: { is, message, result } }: { line: StepLine }) {
  const { kind, text, edits } = message;
  return (
    <div class="step-body">
      {edits !== undefined ? (
        edits.map(({ file, removed, added }, i) => (
          <figure key={i} class="step-edit">
            <figcaption>{file}</figcaption>
            <TextDifference before={removed} after={added} label={`Change of ${file}`} />
          </figure>
        ))
      ) : is === "call" ? (
        <Call text={text} />
      ) : kind === "thinking" ? (
        <p class="step-thought">{text}</p>
      ) : (
        <Returned text={text} />
      )}
      {result !== undefined && <Returned text={result.text} />}
    </div>
  );
}

/** The arguments of a call by their names; the text as it is, if they cannot be read. */
function Call({ text }: { text: string }) {
  const input = argumentsIn(text);
  if (input === undefined) return <CodeBlock text={text} language="" />;
  return (
    <dl class="step-arguments">
      {Object.entries(input).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const NUMBERED = /^ *(\d+)(?:→|\t)(.*)$/;

/** What a tool returned: a file with the numbers of its lines in a column of their own. */
function Returned({ text }: { text: string }) {
  const lines = text.split("\n").map((line) => NUMBERED.exec(line));
  if (lines.length < 2 || lines.slice(0, 2).some((line) => line === null)) return <CodeBlock text={text} language="" />;
  const rows = text.split("\n").map((line, i) => ({ number: lines[i]?.[1] ?? "", text: lines[i]?.[2] ?? line }));
  return (
    <div class="code-lines" role="group" aria-label="Lines of a file" tabIndex={0}>
      {rows.map((row, i) => (
        <div key={i}>
          <span class="line-number" aria-hidden="true">
            {row.number}
          </span>
          <code>{row.text}</code>
        </div>
      ))}
    </div>
  );
}

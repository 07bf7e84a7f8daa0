// What an assistant did between two messages, folded: its thoughts, its edits of
// files as differences, other calls of tools with their arguments, and what tools
// returned. Made only once it is unfolded: there may be thousands.
import { useState } from "preact/hooks";
import { isRecord } from "../../../../src/kernel/kernel.ts";
import { Icon } from "../../../components/components.ts";
import { TextDifference } from "../../../diff/diff.tsx";
import { CodeBlock } from "../../../markdown/markdown.ts";
import { summaryOf, type Message } from "./turns.ts";

export function Steps({ messages }: { messages: readonly Message[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="steps">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Icon name="tool" />
          <span>{summaryOf(messages)}</span>
        </summary>
        {isOpen && messages.map((message, i) => <Step key={i} message={message} />)}
      </details>
    </li>
  );
}

function Step({ message }: { message: Message }) {
  const { kind, tool, text, edits } = message;
  return (
    <div class="step" data-kind={kind}>
      <p class="step-name">{nameOf(message)}</p>
      {edits !== undefined ? (
        edits.map(({ file, removed, added }, i) => (
          <figure key={i} class="step-edit">
            <figcaption>{file}</figcaption>
            <TextDifference before={removed} after={added} label={`Change of ${file}`} />
          </figure>
        ))
      ) : tool !== undefined ? (
        <Call text={text} />
      ) : kind === "thinking" ? (
        <p class="step-thought">{text}</p>
      ) : (
        <CodeBlock text={text} language="" />
      )}
    </div>
  );
}

function nameOf({ kind, tool, edits }: Message): string {
  if (edits !== undefined) return tool !== undefined && !/edit/i.test(tool) ? `${tool}: edit` : (tool ?? "Edit");
  if (tool !== undefined && tool !== kind) return `${tool}: call`;
  return kind === "tool" ? "Result" : (kind ?? "");
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

/** Calls are stored as the name of the tool, and the arguments as JSON. */
function argumentsIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const start = text.indexOf("{");
  if (start === -1) return undefined;
  try {
    const input: unknown = JSON.parse(text.slice(start));
    return isRecord(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

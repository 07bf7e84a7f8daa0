// A block of code: highlighted, with its language and a copy button.
import { CopyButton } from "../components/components.ts";
import { colourCode } from "./colour-code.ts";

/** Longer code is not highlighted. */
const MAX_LENGTH = 50_000;

/** Diagrams and queries that only Obsidian or its plugins draw: their source is folded. */
const DRAWN_ELSEWHERE: Readonly<Record<string, string>> = {
  mermaid: "Mermaid diagram",
  dataview: "Dataview query",
  dataviewjs: "Dataview script",
  tasks: "Tasks query",
  base: "Base",
};

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const drawn = DRAWN_ELSEWHERE[language.toLowerCase()];
  if (drawn === undefined) return <Source text={text} language={language} />;
  return (
    <details class="quiet-source">
      <summary>{drawn}: source</summary>
      <Source text={text} language={language} />
    </details>
  );
}

function Source({ text, language }: { text: string; language: string }) {
  const parts = text.length > MAX_LENGTH ? [{ text, type: undefined }] : colourCode(text, language);
  return (
    <figure class="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      <pre tabIndex={0}>
        <code>
          {parts.map(({ text: part, type }) =>
            type === undefined ? part : <span class={`code-${type}`}>{part}</span>,
          )}
        </code>
      </pre>
    </figure>
  );
}

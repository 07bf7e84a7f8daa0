// A block of code: highlighted, with its language and a copy button.
import { CopyButton } from "./copy-button.tsx";
import { colourCode } from "./colour-code.ts";

/** Longer code is not highlighted. */
const MAX_LENGTH = 50_000;

export function CodeBlock({ text, language }: { text: string; language: string }) {
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

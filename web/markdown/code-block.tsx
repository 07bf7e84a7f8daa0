// A block of code: coloured, with its language, and a button that copies it.
import { CopyButton } from "./copy-button.tsx";
import { colourCode } from "./colour-code.ts";

/** Longer ones are shown in one colour: nobody reads them by it. */
const LONGEST = 50_000;

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const parts = text.length > LONGEST ? [{ text, type: undefined }] : colourCode(text, language);
  return (
    <figure class="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={text} label="Copy the code" />
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

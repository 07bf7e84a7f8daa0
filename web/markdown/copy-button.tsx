// A button that copies a text to the clipboard. Used by code blocks and threads.
import { useState } from "preact/hooks";
import { Icon } from "../components/components.ts";

/** How long "Copied" is shown, in milliseconds. */
const CONFIRMATION_TIME = 2_000;

export function CopyButton({ text, label, children }: { text: string; label: string; children?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMATION_TIME);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={isCopied ? "Copied" : label}>
      <Icon name={isCopied ? "done" : "copy"} />
      {children}
    </button>
  );
}

// A button that copies a text, and says that it did.
import { useState } from "preact/hooks";
import { Icon } from "../components/components.ts";

const SHOWN = 2_000;

export function CopyButton({ text, label, children }: { text: string; label: string; children?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={isCopied ? "Copied" : label}>
      <Icon name={isCopied ? "done" : "copy"} />
      {children}
    </button>
  );
}

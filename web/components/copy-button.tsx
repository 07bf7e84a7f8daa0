// A button that copies a text to the clipboard. Used by code blocks and threads.
import { useState } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";

/** How long "Copied" is shown, in milliseconds. */
const CONFIRMATION_TIME = 2_000;

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly children?: string;
}

export function CopyButton({ text, label, icon = "copy", children }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMATION_TIME);
  };
  return (
    <button
      type="button"
      class="copy"
      onClick={() => void copy()}
      aria-label={isCopied ? "Copied" : label}
      title={label}
    >
      <Icon name={isCopied ? "done" : icon} />
      {children}
    </button>
  );
}

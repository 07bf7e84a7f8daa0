// The bar above a thread: finds words in all of it, and jumps between what was
// found and between prompts, whether those messages are loaded or not.
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "../../../components/components.ts";

interface ThreadToolsProps {
  readonly query: string;
  /** The ids of the messages that have the words; undefined until they are known. */
  readonly found: readonly string[] | undefined;
  /** The message that was jumped to last. */
  readonly at: string;
  readonly onFind: (words: string) => void;
  readonly onGo: (message: string) => void;
  readonly onPrompt: (step: 1 | -1) => void;
}

/** How long after the last letter words are looked for, in milliseconds. */
const PAUSE = 200;

export function ThreadTools({ query, found, at, onFind, onGo, onPrompt }: ThreadToolsProps) {
  const [typed, setTyped] = useState(query);
  const latest = useRef(onFind);
  latest.current = onFind;
  useEffect(() => setTyped(query), [query]);
  useEffect(() => {
    if (typed === query) return undefined;
    const timer = setTimeout(() => latest.current(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const index = found?.indexOf(at) ?? -1;
  const go = (step: 1 | -1) => {
    if (found === undefined || found.length === 0) return;
    const to = index === -1 ? (step === 1 ? 0 : found.length - 1) : (index + step + found.length) % found.length;
    onGo(found[to]!);
  };
  return (
    <div class="thread-tools" role="toolbar" aria-label="Move through the conversation">
      <input
        type="text"
        class="chip"
        aria-label="Find in this conversation"
        placeholder="Find"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || typed !== query) return;
          event.preventDefault();
          go(event.shiftKey ? -1 : 1);
        }}
      />
      <span class="count" role="status">
        {query !== "" && found !== undefined && foundText(index, found.length)}
      </span>
      {query !== "" && (
        <>
          <Jump icon="up" name="Previous match" onUse={() => go(-1)} />
          <Jump icon="down" name="Next match" onUse={() => go(1)} />
        </>
      )}
      <span class="thread-jumps">
        <Jump icon="up" name="Previous prompt" keys="k" text="Prompt" onUse={() => onPrompt(-1)} />
        <Jump icon="down" name="Next prompt" keys="j" onUse={() => onPrompt(1)} />
      </span>
    </div>
  );
}

function foundText(index: number, count: number): string {
  if (count === 0) return "Not found";
  return index === -1 ? `${count} ${count === 1 ? "message" : "messages"}` : `${index + 1} of ${count}`;
}

interface JumpProps {
  readonly icon: IconName;
  readonly name: string;
  readonly keys?: string;
  readonly text?: string;
  readonly onUse: () => void;
}

function Jump({ icon, name, keys, text, onUse }: JumpProps) {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={name}
      title={keys === undefined ? name : `${name} (${keys})`}
      onClick={onUse}
    >
      {text}
      <Icon name={icon} />
    </button>
  );
}

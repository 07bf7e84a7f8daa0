// The search field above every view. Results follow what is typed.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { clickFirst, focusFirst, Icon } from "../components/components.ts";
import { SEARCH, useNavigation } from "../navigation/navigation.ts";

interface SearchFieldProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onHelp: () => void;
  readonly onPalette: () => void;
}

export function SearchField({ input, onHelp, onPalette }: SearchFieldProps) {
  const { route, navigate } = useNavigation();
  const query = "query" in route ? route.query : "";
  // Not on a phone, where the on-screen keyboard would cover half of the page.
  useLayoutEffect(() => {
    if (route.view === "search" && matchMedia("(pointer: fine)").matches) input.current?.focus();
  }, []);
  const onInput = (typed: string) => {
    const from = route.view === "search" ? route : SEARCH;
    // One history entry per search, not one per letter.
    navigate({ ...from, query: typed }, { replaces: route.view === "search" && route.query !== "" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const main = document.getElementById("main");
    if (event.key === "ArrowDown" && focusFirst(main)) event.preventDefault();
    if (event.key === "Enter" && clickFirst(main)) event.preventDefault();
    // The field has the focus when the page opens: both keys must work as shortcuts until something is typed.
    if (event.key === "?" && query === "") {
      event.preventDefault();
      onHelp();
    }
    if (event.key === "/" && query === "") event.preventDefault();
    if (event.key === "Escape" && query !== "") {
      event.preventDefault();
      onInput("");
    }
  };
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search notes, outlines and conversations"
        placeholder="Search everything"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        class="palette-button"
        aria-label={`Open or do: ${paletteKeys()}`}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onPalette}
      >
        <kbd aria-hidden="true">{paletteKeys()}</kbd>
      </button>
    </div>
  );
}

function paletteKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";
}

// The one search field, on every view: what is typed is looked for at once.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { HOME, type Place, useNavigation } from "../navigation/navigation.ts";
import { Icon, focusFirst } from "../components/components.ts";

type SearchPlace = Extract<Place, { view: "search" }>;

interface SearchFieldProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onHelp: () => void;
}

export function SearchField({ input, onHelp }: SearchFieldProps) {
  const { place, go } = useNavigation();
  const query = place.view === "search" ? place.query : "query" in place ? place.query : "";
  // Who comes to the search means to type; on a phone that would cover half of it with a keyboard.
  useEffect(() => {
    if (place.view === "search" && matchMedia("(pointer: fine)").matches) input.current?.focus();
  }, []);
  const onInput = (typed: string) => {
    const at: SearchPlace = place.view === "search" ? place : (HOME as SearchPlace);
    // The way back leads to what was there before the search, not to each letter of it.
    go({ ...at, query: typed }, { replaces: place.view === "search" && place.query !== "" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      if (focusFirst(document.getElementById("main"), event.key === "Enter")) event.preventDefault();
    }
    // Nobody looks for a question mark; who comes to the page is in this field, and asks what the keys are.
    if (event.key === "?" && query === "") {
      event.preventDefault();
      onHelp();
    }
    // It leads to this field, and here is where one is already.
    if (event.key === "/" && query === "") event.preventDefault();
    if (event.key === "Escape" && query !== "") {
      event.preventDefault();
      onInput("");
    }
  };
  return (
    <label class="search-field">
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
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

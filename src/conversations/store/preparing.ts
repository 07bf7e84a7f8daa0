// What the store makes of the text of a part and of nothing else. It is worked
// out where the part is read, which may be in a thread beside the one that
// writes. Pure; used by what reads and by taking-in.ts.
import { indexText } from "../../text/search-text.ts";
import { cuesIn, tellingWords } from "../conversation-type.ts";
import { filesNamedIn } from "../file-references.ts";
import type { MessagePart, Role, Told } from "../source.ts";
import { PAGE_SIZES } from "./pages.ts";
import { openingFrom, titleFrom, withoutSecrets } from "./titles.ts";

/** What the beginning of a conversation says about all of it. */
export interface Clues {
  /** Of a prompt: see conversation-type.ts. */
  readonly cues: number;
  readonly words: readonly string[];
}

/** How a conversation is called that begins with a prompt. */
export interface Naming {
  readonly title: string;
  readonly opening: string;
}

/** Of prose. */
export interface Prepared {
  /** As the full text has it. */
  readonly indexed: string;
  /** Files that it names. */
  readonly files: readonly string[];
  readonly clues?: Clues | undefined;
  readonly naming?: Naming | undefined;
}

/** What is not prepared is worked out when it is needed. */
export interface PreparedPart extends MessagePart {
  readonly prepared?: Prepared | undefined;
}

export type PreparedTold =
  | Exclude<Told, { readonly kind: "part" }>
  | { readonly kind: "part"; readonly part: PreparedPart };

/** Prepares what a unit tells, from its beginning on. */
export function preparing(): (told: readonly Told[]) => PreparedTold[] {
  const sizes = new Map<string, number>();
  return (told) =>
    told.map((one) => {
      if (one.kind !== "part" || one.part.kind !== "prose") return one;
      const { conversation, role, text } = one.part;
      const before = sizes.get(conversation) ?? 0;
      sizes.set(conversation, before + text.length);
      const prepared: Prepared = {
        indexed: indexText(text),
        files: filesNamedIn(text),
        ...(before < PAGE_SIZES.prose && { clues: cluesIn(text, role) }),
        ...(before === 0 && role === "user" && { naming: namingBy(text) }),
      };
      return { ...one, part: { ...one.part, prepared } };
    });
}

export function cluesIn(text: string, role: Role): Clues {
  return { cues: role === "user" ? cuesIn(text) : 0, words: tellingWords(withoutSecrets(text), role) };
}

export function namingBy(prompt: string): Naming {
  return { title: titleFrom(prompt), opening: openingFrom(prompt) };
}

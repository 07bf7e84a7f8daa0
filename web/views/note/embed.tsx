// What a note embeds with ![[…]] besides images, wherever the target leads.
import { fileKind } from "../../format/format.ts";
import type { Resolved } from "../../markdown/markdown.ts";
import { CanvasFile } from "./canvas.tsx";
import { EmbeddedFile, EmbedTitle } from "./embedded-file.tsx";

interface EmbedProps {
  /** As the note writes it. */
  readonly target: string;
  /** Undefined if there is no such file, or if that is not known yet. */
  readonly path: string | undefined;
  readonly resolve: (target: string) => Resolved;
  readonly shownIn: string;
}

export function Embed({ target, path, resolve, shownIn }: EmbedProps) {
  if (path === undefined)
    return <span class={resolve(nameInTarget(target)) === "missing" ? "broken" : "unresolved"}>{target}</span>;
  if (fileKind(path).kind !== "canvas")
    return <EmbeddedFile path={path} part={target.split("#").slice(1).at(-1) ?? ""} shownIn={shownIn} />;
  return (
    <div class="embed">
      <EmbedTitle path={path} />
      <CanvasFile path={path} />
    </div>
  );
}

/** The file that a target names, without the part of it. */
export function nameInTarget(target: string): string {
  return (target.split("#")[0] ?? "").trim();
}

// A file that is shown within another one: a note or a part of it, the table of a
// base, an image, audio, video or PDF, or the source of a text file.
import { useMemo } from "preact/hooks";
import { findFrontmatter } from "../../../src/markdown/markdown.ts";
import { Loading, ProblemNote } from "../../components/components.ts";
import { fileKind, nameOf } from "../../format/format.ts";
import { renderMarkdown } from "../../markdown/markdown.ts";
import { noteAddress } from "../../navigation/navigation.ts";
import { useToolCall, type InputOf } from "../../server/server.ts";
import { Base } from "./base.tsx";
import { MediaFile } from "./media-file.tsx";
import { useNoteLinks } from "./note-links.ts";
import { SourceText } from "./other-file.tsx";

const READ = "contentManager_readContent";

interface EmbeddedFileProps {
  readonly path: string;
  /** A heading, a block (`^id`), the view of a base, or `page=3`. */
  readonly part: string;
  /** The note that it is shown in. */
  readonly shownIn?: string;
}

export function EmbeddedFile({ path, part, shownIn }: EmbeddedFileProps) {
  const { kind } = fileKind(path);
  if (kind === "note" || kind === "text") return <EmbeddedText path={path} part={part} />;
  if (kind !== "base") return <MediaFile path={path} part={part} />;
  return (
    <div class="embed">
      <EmbedTitle path={path} part={part} />
      <Base path={path} view={part} {...(shownIn !== undefined && { shownIn })} />
    </div>
  );
}

/** Embeds in an embedded note become links. */
function EmbeddedText({ path, part }: { path: string; part: string }) {
  const isNote = fileKind(path).kind === "note";
  const input = { filePath: path, raw: true, ...(isNote ? partInput(part) : {}) };
  const { result, problem, isLoading } = useToolCall(READ, input);
  const content = result?.data.content ?? "";
  const { resolve } = useNoteLinks(path, isNote && result !== undefined);
  const nodes = useMemo(
    () => (isNote ? renderMarkdown(withoutProperties(content), { resolve }).nodes : []),
    [content, resolve, isNote],
  );
  return (
    <div class="embed">
      <EmbedTitle path={path} part={isNote ? part : ""} />
      {problem && <ProblemNote problem={problem} />}
      {isLoading && <Loading of={nameOf(path)} />}
      {result && (isNote ? nodes : <SourceText path={path} text={content} />)}
    </div>
  );
}

export function EmbedTitle({ path, part = "" }: { path: string; part?: string }) {
  return (
    <a class="embed-title" href={noteAddress(path)}>
      {nameOf(path)}
      {part !== "" && ` › ${part.replace(/^\^/, "")}`}
    </a>
  );
}

function partInput(part: string): InputOf<typeof READ> {
  if (part === "") return {};
  return part.startsWith("^") ? { block: part } : { heading: part };
}

export function withoutProperties(content: string): string {
  return content.slice(findFrontmatter(content)?.end ?? 0);
}

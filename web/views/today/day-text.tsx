// The text of a day's note, which a click into it begins to write. Loaded after the
// rest of Today: it takes the parser of Markdown.
import { useState } from "preact/hooks";
import { ProblemNote } from "../../components/components.ts";
import { asLines, clickedPlace, NoteEditor, useRenderedNote, withoutProperties } from "../note/note.tsx";

interface DayTextProps {
  readonly path: string;
  readonly content: string;
  /** Undefined if the person may not write here. */
  readonly hash: string | undefined;
}

export function DayText({ path, content, hash }: DayTextProps) {
  const { rendered, taskProblem } = useRenderedNote(path, content);
  const [caret, setCaret] = useState<number>();
  if (caret !== undefined && hash !== undefined)
    return <NoteEditor path={path} content={content} hash={hash} caret={caret} onClose={() => setCaret(undefined)} />;
  return (
    <>
      {taskProblem && <ProblemNote problem={taskProblem} />}
      <div class="prose" onClick={(event) => setCaret(clickedPlace(event, asLines(withoutProperties(content))))}>
        {rendered.title}
        {rendered.nodes}
      </div>
    </>
  );
}

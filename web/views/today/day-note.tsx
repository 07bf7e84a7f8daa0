// The note of a day, as it reads; today's can be written in at once, and is made from
// its template by the first words.
import { useState } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { lazy, Loading, ProblemNote } from "../../components/components.ts";
import { nameOf } from "../../format/format.ts";
import { noteAddress } from "../../navigation/navigation.ts";
import { asProblem, useServer, useToolCall, type Problem } from "../../server/server.ts";

const DayText = lazy("the note", () => import("./day-text.tsx"), "DayText");

/** @param day such as 2026-01-31, or "today" */
export function DayNote({ day }: { day: string }) {
  const { client } = useServer();
  const address = `daily:${day}`;
  const read = useToolCall("contentManager_readContent", { filePath: address, raw: true }, { keepsPrevious: true });
  const path = read.result?.data.filePath;
  const canWrite = client.has("contentManager_replaceContent");
  const isMissing = read.problem !== undefined && read.problem.code === "not_found";
  return (
    <section aria-labelledby="day-note-title" class="day-note">
      <header class="section-head">
        <h2 id="day-note-title">{path === undefined ? "Note of the day" : nameOf(path)}</h2>
        {path !== undefined && <a href={noteAddress(path)}>Open</a>}
      </header>
      {read.result && <DayText key={path} {...textOf(read.result.data, canWrite)} />}
      {read.problem && !isMissing && <ProblemNote problem={read.problem} />}
      {read.result === undefined && read.problem === undefined && <Loading of="the note" />}
      {isMissing && day !== "today" && <p class="none">There is no note of this day.</p>}
      {day === "today" && client.has("contentManager_appendContent") && <Writing address={address} />}
    </section>
  );
}

type Read = ResultNamed<"contentManager_readContent">["data"];

function textOf({ filePath: path, content, contentHash }: Read, canWrite: boolean) {
  return { path, content, hash: canWrite ? contentHash : undefined };
}

/** Adds to the end of the note. */
function Writing({ address }: { address: string }) {
  const { client, refresh } = useServer();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [isWriting, setWriting] = useState(false);
  const add = async () => {
    if (text.trim() === "" || isWriting) return;
    setWriting(true);
    setProblem(undefined);
    try {
      await client.call("contentManager_appendContent", { filePath: address, content: `${text.trimEnd()}\n` });
      setText("");
      refresh();
    } catch (error) {
      setProblem(asProblem(error));
    }
    setWriting(false);
  };
  return (
    <form
      class="day-writing"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <textarea
        aria-label="Write in today’s note"
        placeholder="Write in today’s note …"
        rows={2}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void add();
        }}
      />
      {text.trim() !== "" && (
        <button type="submit" class="button primary" disabled={isWriting}>
          Add <kbd>Ctrl Enter</kbd>
        </button>
      )}
      {problem && <ProblemNote problem={problem} />}
    </form>
  );
}

// Imports archives of claude.ai and ChatGPT that are dropped on the view, or
// chosen with its button.
import { useEffect, useRef, useState } from "preact/hooks";
import { ProblemNote } from "../../../components/components.ts";
import { asProblem, Problem, Unauthorized, useServer, type ImportProgress } from "../../../server/server.ts";

interface Outcome {
  readonly name: string;
  readonly summary?: string;
  readonly problem?: Problem;
}

interface State {
  readonly running?: ImportProgress & { readonly name: string };
  readonly outcomes: readonly Outcome[];
}

/** Kept while another view is shown: the import goes on. */
let state: State = { outcomes: [] };
let show: (state: State) => void = () => {};
const change = (changed: State) => show((state = changed));

export function ArchiveImport() {
  const { client, refresh } = useServer();
  const [{ running, outcomes }, setState] = useState(state);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const importOne = async (file: File): Promise<Outcome> => {
    const { name } = file;
    try {
      const { result, summary } = await client.importArchive(file, (progress) =>
        change({ ...state, running: { ...progress, name } }),
      );
      refresh();
      if (result.incomplete === undefined) return { name, summary };
      return { name, summary, problem: new Problem("The archive could not be read to its end.", result.incomplete) };
    } catch (error) {
      if (error instanceof Unauthorized) throw error;
      const { message, hint } = asProblem(error);
      return { name, problem: new Problem(`${name}: ${message}`, hint) };
    }
  };
  /** One after the other: the server takes one at a time. */
  const importAll = async (files: readonly File[]) => {
    if (files.length === 0) return;
    if (state.running !== undefined) return change({ ...state, outcomes: [...state.outcomes, BUSY] });
    change({ outcomes: [] });
    try {
      for (const file of files) {
        change({ ...state, running: { name: file.name, step: "sending", share: 0 } });
        const outcome = await importOne(file);
        change({ ...state, outcomes: [...state.outcomes, outcome] });
      }
    } finally {
      change({ outcomes: state.outcomes });
    }
  };

  useEffect(() => {
    setState(state);
    show = setState;
    // On the whole window: beside the list, the browser would open the file in place of the page.
    const onDrag = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setOver(event.type === "dragover");
      if (event.type !== "drop") return;
      const items = [...event.dataTransfer.items];
      if (items.some((item) => item.webkitGetAsEntry()?.isDirectory === true)) change({ outcomes: [FOLDER] });
      else void importAll([...event.dataTransfer.files]);
    };
    for (const type of DRAG_EVENTS) addEventListener(type, onDrag);
    return () => {
      for (const type of DRAG_EVENTS) removeEventListener(type, onDrag);
      show = () => {};
    };
  }, [client]);

  return (
    <section class={isOver ? "archive-import is-over" : "archive-import"} aria-label="Import">
      <button
        type="button"
        class="button"
        disabled={running !== undefined}
        aria-describedby="import-explanation"
        onClick={() => input.current?.click()}
      >
        Import an archive …
      </button>
      <span id="import-explanation">
        Choose the file that claude.ai, ChatGPT, DeepSeek or Gemini (Takeout, as JSON) sent, or drop it here.
      </span>
      <input
        ref={input}
        type="file"
        accept=".zip,.json"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          void importAll([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <div role="status">
        {running && <p>{`${running.step === "sending" ? "Sending" : "Importing"} ${running.name} …`}</p>}
        {outcomes.map(({ name, summary }) => summary !== undefined && <p key={name}>{`${name}: ${summary}.`}</p>)}
      </div>
      {running && <progress aria-label={`Progress of ${running.name}`} value={running.share} />}
      {outcomes.map(({ name, problem }) => problem && <ProblemNote key={name} problem={problem} />)}
    </section>
  );
}

const DRAG_EVENTS = ["dragover", "dragleave", "drop"] as const;

const BUSY: Outcome = {
  name: "",
  problem: new Problem("Another archive is being imported.", "Drop this one when it is done."),
};

const FOLDER: Outcome = {
  name: "",
  problem: new Problem(
    "A folder cannot be dropped here.",
    "Drop the archive, or the conversations.json in the folder.",
  ),
};

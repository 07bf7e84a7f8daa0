// Below an undo that is not possible, since the note was changed later: what the note
// says now, and a copy of what it said before. Used by entry-changes.tsx.
import { useState } from "preact/hooks";
import { Icon, ProblemNote } from "../components/components.ts";
import { TextDifference } from "../diff/diff.tsx";
import { noteAddress } from "../navigation/navigation.ts";
import { asProblem, useServer, useToolCall, type Problem } from "../server/server.ts";

interface KeptCopyProps {
  readonly path: string;
  readonly vault: string | undefined;
  /** Undefined if it is no longer known. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function KeptCopy({ path, vault, before, after }: KeptCopyProps) {
  const { client, refresh } = useServer();
  const named = vault === undefined ? {} : { vault };
  const { result } = useToolCall("contentManager_readContent", { filePath: path, raw: true, ...named });
  const [copy, setCopy] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  if (before === undefined || after === undefined) return null;
  const keep = async () => {
    setProblem(undefined);
    try {
      const filePath = `${path.replace(/\.md$/i, "")} (before ${new Date().toISOString().slice(0, 19).replaceAll(":", ".")}).md`;
      await client.call("contentManager_createContent", { filePath, content: before, ...named });
      setCopy(filePath);
      refresh();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <>
      {result !== undefined && (
        <>
          <p class="file-change-head">Changed since then</p>
          <TextDifference before={after} after={result.data.content} label={`Later difference of ${path}`} />
        </>
      )}
      {client.has("contentManager_createContent") && copy === undefined && (
        <button type="button" class="button small" onClick={() => void keep()}>
          <Icon name="copy" /> Keep a copy of what it was before
        </button>
      )}
      {copy !== undefined && (
        <p role="status">
          What it was before is in <a href={noteAddress(copy, named)}>{copy}</a>.
        </p>
      )}
      {problem && <ProblemNote problem={problem} />}
    </>
  );
}

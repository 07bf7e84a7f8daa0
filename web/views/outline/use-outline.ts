// The outline that is open in the view, and its edits.
import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, useServer, type Problem } from "../../server/server.ts";
import { OpenDocument, type ShownOutline } from "./open-document.ts";

interface Outline extends ShownOutline {
  /** Undefined until it is being opened. */
  readonly document: OpenDocument | undefined;
  /** Why it cannot be read. */
  readonly problem?: Problem;
}

const NOTHING: Outline = {
  name: "",
  rows: undefined,
  rowCount: 0,
  isComplete: false,
  canUndo: false,
  canRedo: false,
  document: undefined,
};

/** @param path as the address has it; empty for the current document */
export function useOutline(path: string): Outline {
  const { client, version } = useServer();
  const [outline, setOutline] = useState<Outline>(NOTHING);
  const open = useRef<OpenDocument>(undefined);
  useEffect(() => {
    const document = new OpenDocument(client, path, (shown) => setOutline({ ...shown, document }));
    open.current = document;
    return () => document.close();
  }, [client, path]);
  useEffect(() => {
    const document = open.current!;
    const report = (problem?: Problem) =>
      open.current === document &&
      setOutline(({ problem: _, ...before }) => ({ ...before, ...(problem && { problem }) }));
    document.refresh().then(
      () => report(),
      (error: unknown) => report(asProblem(error)),
    );
  }, [client, path, version]);
  return outline;
}

// Files of the vault that a browser shows by itself: images, audio, video, PDF.
// Their elements send no token, so the server gives an address that is good for
// one file. Text of other files is fetched with the token.
import { useEffect, useRef, useState } from "preact/hooks";
import type { MediaAddress } from "../../src/mcp/mcp.ts";
import { asProblem } from "./use-tool-call.ts";
import type { Problem } from "./failures.ts";
import { useServer } from "./server-provider.tsx";

export interface Media {
  /** Undefined while it is asked for. */
  readonly file?: MediaAddress | "missing";
  /** Asks for a new address: that of a server that was restarted, or an old one, is no longer good. */
  readonly onError: () => void;
}

/** Milliseconds in which a second failure means that the file cannot be shown. */
const AGAIN = 30_000;
/** Milliseconds after which the address of a download is asked for again: nobody sees it fail before they need it. */
const DOWNLOAD_LASTS = 5 * 60_000;

export function useMedia(path: string): Media {
  const { client } = useServer();
  const [file, setFile] = useState<MediaAddress | "missing">();
  const [round, setRound] = useState(0);
  const failed = useRef(-AGAIN);
  const askAgain = () => setRound((before) => before + 1);
  useEffect(() => {
    const asking = new AbortController();
    client.mediaAddress(path, asking.signal).then(
      (address) => setFile(address ?? "missing"),
      () => !asking.signal.aborted && setFile("missing"),
    );
    return () => asking.abort();
  }, [client, path, round]);
  useEffect(() => {
    if (typeof file !== "object" || file.kind !== "other") return undefined;
    const timer = setTimeout(askAgain, DOWNLOAD_LASTS);
    return () => clearTimeout(timer);
  }, [file]);
  const onError = () => {
    const now = performance.now();
    if (now - failed.current < AGAIN) return setFile("missing");
    failed.current = now;
    return askAgain();
  };
  return { ...(file !== undefined && { file }), onError };
}

export interface FileText {
  readonly text?: string;
  readonly problem?: Problem;
}

/** The text of a file as it is stored, and again after every change on the server. */
export function useFileText(path: string): FileText {
  const { client, version } = useServer();
  const [read, setRead] = useState<FileText & { readonly path?: string }>({});
  useEffect(() => {
    const reading = new AbortController();
    client.fileText(path, reading.signal).then(
      (text) => setRead({ path, text }),
      (error: unknown) => !reading.signal.aborted && setRead({ path, problem: asProblem(error) }),
    );
    return () => reading.abort();
  }, [client, path, version]);
  return read.path === path ? read : {};
}

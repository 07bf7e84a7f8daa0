// Files of the vault that a browser shows by itself: images, audio, video, PDF.
// Their elements send no token, so the server gives an address that is good for
// one file. Text of other files is fetched with the token.
import { useEffect, useState } from "preact/hooks";
import type { MediaAddress } from "../../src/mcp/mcp.ts";
import { asProblem } from "./use-tool-call.ts";
import type { Problem } from "./failures.ts";
import { useServer } from "./server-provider.tsx";

export interface Media {
  /** Undefined while it is asked for. */
  readonly file?: MediaAddress | "missing";
  /** Asks for a new address, once: that of a server that was restarted is no longer good. */
  readonly onError: () => void;
}

export function useMedia(path: string): Media {
  const { client } = useServer();
  const [file, setFile] = useState<MediaAddress | "missing">();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const asking = new AbortController();
    client.mediaAddress(path, asking.signal).then(
      (address) => setFile(address ?? "missing"),
      () => !asking.signal.aborted && setFile("missing"),
    );
    return () => asking.abort();
  }, [client, path, tries]);
  return { ...(file !== undefined && { file }), onError: () => (tries === 0 ? setTries(1) : setFile("missing")) };
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

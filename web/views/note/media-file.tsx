// An image, audio, video or PDF of the vault, in the browser's own player or
// viewer; a card for a file that browsers do not show.
import { useRef } from "preact/hooks";
import type { MediaAddress } from "../../../src/mcp/mcp.ts";
import { Loading } from "../../components/components.ts";
import { nameOf } from "../../format/format.ts";
import { useMedia } from "../../server/server.ts";
import { FileCard } from "./other-file.tsx";

interface MediaFileProps {
  readonly path: string;
  /** The part of the file to show: `page=3` of a PDF, `t=60` of a video. */
  readonly part?: string;
}

export function MediaFile({ path, part = "" }: MediaFileProps) {
  const { file, onError } = useMedia(path);
  if (file === undefined) return <Loading of={nameOf(path)} />;
  if (file === "missing") return <FileCard path={path} note="cannot be read" />;
  return <Shown file={file} path={path} part={partOf(part)} onError={onError} />;
}

interface ShownProps {
  readonly file: MediaAddress;
  readonly path: string;
  readonly part: string;
  readonly onError: () => void;
}

function Shown({ file: { url, kind }, path, part, onError }: ShownProps) {
  const name = nameOf(path);
  const player = usePlayer(onError);
  switch (kind) {
    case "image":
      return <img class="image" src={url} alt={name} onError={onError} />;
    case "audio":
      return <audio {...player} title={name} src={url + part} />;
    case "video":
      return <video {...player} title={name} src={url + part} />;
    case "pdf":
      return <iframe class="pdf" src={url + part} title={name} />;
    default:
      return <FileCard path={path} download={url} />;
  }
}

/** Goes on where it was if its address is replaced by a new one. */
function usePlayer(onError: () => void) {
  const position = useRef(0);
  return {
    class: "player",
    controls: true,
    preload: "metadata",
    onError: ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) => {
      position.current = currentTarget.currentTime;
      onError();
    },
    onLoadedMetadata: ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) => {
      if (position.current > 0) currentTarget.currentTime = position.current;
      position.current = 0;
    },
  } as const;
}

/** Only what a player or viewer understands. */
function partOf(part: string): string {
  return /^(?:page|t)=[\d.,]+$/.test(part) ? `#${part}` : "";
}

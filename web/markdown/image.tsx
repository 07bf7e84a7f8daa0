// Images in notes. Those in the vault are read through the server. Those on other
// hosts are only links, since loading them would reveal who reads what.
import { useEffect, useState } from "preact/hooks";
import { encodePath, routeAt } from "../navigation/navigation.ts";
import { Icon } from "../components/components.ts";
import { useServer } from "../server/server.ts";

export function isImagePath(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i.test(path);
}

interface MarkdownImageProps {
  /** The page's address of a file in the vault. */
  readonly local?: string | undefined;
  readonly remote?: string;
  readonly description: string;
  readonly width?: string | undefined;
}

export function MarkdownImage({ local, remote, description, width }: MarkdownImageProps) {
  if (remote !== undefined) {
    return (
      <a class="no-image" href={remote} target="_blank" rel="noopener noreferrer">
        <Icon name="image" /> {description || "Image"} <span class="host">on {hostOf(remote)}, not loaded</span>
      </a>
    );
  }
  if (local === undefined) return <MissingImage description={description} />;
  return <VaultImage address={local} description={description} width={width} />;
}

function VaultImage({
  address,
  description,
  width,
}: {
  address: string;
  description: string;
  width?: string | undefined;
}) {
  const { client } = useServer();
  const [url, setUrl] = useState<string | "missing">();
  useEffect(() => {
    const route = routeAt(new URL(address, location.href));
    const reading = new AbortController();
    let blobUrl: string | undefined;
    if (route.view === "note")
      client.readResource(`note:///${encodePath(route.path)}`, reading.signal).then(
        (content) => {
          blobUrl =
            content?.blob === undefined ? undefined : URL.createObjectURL(blobOf(content.blob, content.mimeType));
          setUrl(blobUrl ?? "missing");
        },
        () => !reading.signal.aborted && setUrl("missing"),
      );
    return () => {
      reading.abort();
      if (blobUrl !== undefined) URL.revokeObjectURL(blobUrl);
    };
  }, [address]);
  if (url === "missing") return <MissingImage description={description} />;
  // An <img> never runs scripts, even if an SVG contains some.
  return url === undefined ? null : <img class="image" src={url} alt={description} width={width} />;
}

function MissingImage({ description }: { description: string }) {
  return (
    <span class="no-image">
      <Icon name="image" /> {description || "Image"}
    </span>
  );
}

function blobOf(base64: string, type = "application/octet-stream"): Blob {
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return "another host";
  }
}

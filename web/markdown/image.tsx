// Images in notes. Those of the vault are asked of the server; those of other
// hosts are not loaded, since that would tell the host who reads what: they are
// a link to click on.
import { useEffect, useState } from "preact/hooks";
import { placeAt } from "../navigation/navigation.ts";
import { Icon } from "../components/components.ts";
import { useSession } from "../server/server.ts";

/** Whether the path is that of an image. */
export function isPicture(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i.test(path);
}

interface PictureProps {
  /** The address of a file of the vault, as the page links to it. */
  readonly local?: string | undefined;
  readonly remote?: string;
  readonly description: string;
  readonly width?: string | undefined;
}

export function Picture({ local, remote, description, width }: PictureProps) {
  if (remote !== undefined) {
    return (
      <a class="no-picture" href={remote} target="_blank" rel="noopener noreferrer">
        <Icon name="image" /> {description || "Image"} <span class="host">on {hostOf(remote)}, not loaded</span>
      </a>
    );
  }
  if (local === undefined) return <MissingPicture description={description} />;
  return <VaultPicture address={local} description={description} width={width} />;
}

function VaultPicture({
  address,
  description,
  width,
}: {
  address: string;
  description: string;
  width?: string | undefined;
}) {
  const { client } = useSession();
  const [source, setSource] = useState<string | "missing">();
  useEffect(() => {
    const place = placeAt(new URL(address, location.href));
    const asking = new AbortController();
    let made: string | undefined;
    if (place.view === "note")
      client.readResource(`note:///${place.path.split("/").map(encodeURIComponent).join("/")}`, asking.signal).then(
        (content) => {
          made = content?.blob === undefined ? undefined : URL.createObjectURL(blobOf(content.blob, content.mimeType));
          setSource(made ?? "missing");
        },
        () => !asking.signal.aborted && setSource("missing"),
      );
    return () => {
      asking.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [address]);
  if (source === "missing") return <MissingPicture description={description} />;
  // An image runs no script, whatever an SVG holds.
  return source === undefined ? null : <img class="picture" src={source} alt={description} width={width} />;
}

function MissingPicture({ description }: { description: string }) {
  return (
    <span class="no-picture">
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

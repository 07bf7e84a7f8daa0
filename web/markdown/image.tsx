// Images in notes. Those in the vault are loaded from the server. Those on other
// hosts are only links, since loading them would reveal who reads what.
import { routeAt } from "../navigation/navigation.ts";
import { Icon } from "../components/components.ts";
import { useMedia } from "../server/server.ts";
import type { Resolved } from "./render.tsx";

export function isImagePath(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i.test(path);
}

interface MarkdownImageProps {
  /** A file in the vault. */
  readonly file?: Resolved;
  readonly remote?: string;
  readonly description: string;
  readonly width?: string | undefined;
}

export function MarkdownImage({ file = "missing", remote, description, width }: MarkdownImageProps) {
  if (remote !== undefined) {
    return (
      <a class="no-image" href={remote} target="_blank" rel="noopener noreferrer">
        <Icon name="image" /> {description || "Image"} <span class="host">on {hostOf(remote)}, not loaded</span>
      </a>
    );
  }
  if (file === "missing" || file === "unknown") return <MissingImage description={description} />;
  const route = routeAt(new URL(file.address, location.href));
  const path = route.view === "note" ? route.path : "";
  return <VaultImage key={path} path={path} description={description} width={width} />;
}

interface VaultImageProps {
  readonly path: string;
  readonly description: string;
  readonly width?: string | undefined;
}

function VaultImage({ path, description, width }: VaultImageProps) {
  const { file, onError } = useMedia(path);
  if (file === "missing") return <MissingImage description={description} />;
  // An <img> never runs scripts, even if an SVG contains some.
  return file === undefined ? null : (
    <img class="image" src={file.url} alt={description} width={width} loading="lazy" onError={onError} />
  );
}

function MissingImage({ description }: { description: string }) {
  return (
    <span class="no-image">
      <Icon name="image" /> {description || "Image"}
    </span>
  );
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return "another host";
  }
}

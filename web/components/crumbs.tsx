// The folders above a note or folder, as links.
import { addressOf, VAULT } from "../navigation/navigation.ts";

export function Crumbs({ path }: { path: string }) {
  const parts = path === "" ? [] : path.split("/").slice(0, -1);
  return (
    <nav class="crumbs" aria-label="Folders above">
      <ol>
        {path !== "" && (
          <li>
            <a href={addressOf(VAULT)}>Notes</a>
          </li>
        )}
        {parts.map((part, i) => {
          const folder = parts.slice(0, i + 1).join("/");
          return (
            <li key={folder}>
              <a href={addressOf({ view: "folder", path: folder })}>{part}</a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

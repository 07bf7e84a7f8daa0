// Sets the title of the window while a view is shown.
import { useEffect } from "preact/hooks";

export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Commonplace`;
    return () => void (document.title = "Commonplace");
  }, [title]);
}

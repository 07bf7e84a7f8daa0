// Previews the target of a link, beside the link: a note or a conversation. It comes after
// the pointer has rested on the link, or with the key p while the link has the focus,
// and goes with Escape, or when the pointer or the focus leaves.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isPlainKey, lazy } from "../components/components.ts";
import { routeAt, useNavigation, vaultAt, type Route, type RouteTo } from "../navigation/navigation.ts";

/** How long the pointer rests on a link, in milliseconds. */
const REST = 500;
const WIDTH = 380;
const MARGIN = 8;

type Previewed = RouteTo<"note"> | RouteTo<"conversation">;

const Preview = lazy("the preview", () => import("../views/preview/preview.tsx"), "Preview");

export function HoverPreview() {
  const { route } = useNavigation();
  const [shown, setShown] = useState<{ readonly link: HTMLAnchorElement; readonly to: Previewed }>();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let open: HTMLAnchorElement | undefined;
    const hide = () => {
      clearTimeout(timer);
      open = undefined;
      setShown(undefined);
    };
    const show = (link: HTMLAnchorElement) => {
      const to = routeOf(link);
      if (to === undefined || !link.isConnected) return;
      open = link;
      setShown({ link, to });
    };
    const onOver = ({ target, pointerType }: PointerEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("main a[href]") : null;
      if (link === open && link !== null) return;
      hide();
      if (link !== null && pointerType === "mouse") timer = setTimeout(() => show(link), REST);
    };
    const onKey = (event: KeyboardEvent) => {
      const focused = document.activeElement;
      if (event.key === "Escape" && open !== undefined) hide();
      else if (event.key === "p" && isPlainKey(event) && focused instanceof HTMLAnchorElement) show(focused);
    };
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("pointerover", onOver, { signal });
    document.addEventListener("focusout", hide, { signal });
    document.addEventListener("pointerdown", hide, { signal });
    addEventListener("scroll", hide, { signal, passive: true });
    addEventListener("keydown", onKey, { signal });
    return () => {
      stop.abort();
      hide();
    };
  }, [route]);
  useLayoutEffect(() => {
    if (shown === undefined || box.current === null) return;
    box.current.showPopover();
    const { left, top, bottom } = shown.link.getBoundingClientRect();
    const { style, offsetHeight: height } = box.current;
    style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - WIDTH - MARGIN))}px`;
    // On the side with more room.
    if (bottom + height + MARGIN < innerHeight || bottom < innerHeight / 2) style.top = `${bottom + MARGIN}px`;
    else style.bottom = `${innerHeight - top + MARGIN}px`;
  }, [shown]);
  if (shown === undefined) return null;
  return (
    <div class="hover-preview" ref={box} role="status" popover="manual" aria-label="Preview" key={shown.link.href}>
      <Preview to={shown.to} />
    </div>
  );
}

/** Links to other vaults are not previewed: a tool is asked about the vault that is shown. */
function routeOf(link: HTMLAnchorElement): Previewed | undefined {
  if (link.origin !== location.origin || vaultAt(link) !== vaultAt(location)) return undefined;
  const to: Route = routeAt(link);
  if (to.view === "note" && link.pathname !== location.pathname) return to;
  return to.view === "conversation" && to.id !== "" ? to : undefined;
}

// Where the page is, and how it gets elsewhere: links are real links, the
// browser's back and forward work, and each place is found again where it was
// scrolled to.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { addressOf, placeAt, type Place } from "./address.ts";

interface Navigation {
  readonly place: Place;
  readonly go: (to: Place | string, options?: { readonly replaces?: boolean }) => void;
}

const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === undefined) throw new Error("There is no navigation here.");
  return navigation;
}

/** How long content may take to come back to where it was scrolled to, in milliseconds. */
const RESTORING = 1_500;

export function NavigationProvider({ children }: { children: ComponentChildren }) {
  const [place, setPlace] = useState(() => placeAt(new URL(location.href)));
  const go: Navigation["go"] = (to, { replaces = false } = {}) => {
    const address = typeof to === "string" ? to : addressOf(to);
    if (address === location.pathname + location.search + location.hash) return;
    if (replaces) history.replaceState(history.state, "", address);
    else {
      history.replaceState({ scrolled: scrollY }, "");
      history.pushState(null, "", address);
      if (!location.hash) scrollTo(0, 0);
    }
    setPlace(placeAt(new URL(location.href)));
  };

  useEffect(() => {
    history.scrollRestoration = "manual";
    const onBack = ({ state }: PopStateEvent) => {
      setPlace(placeAt(new URL(location.href)));
      scrollBackTo((state as { scrolled?: number } | null)?.scrolled ?? 0);
    };
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest("a");
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (link === null || !isPlain || link.origin !== location.origin || link.target !== "") return;
      event.preventDefault();
      go(link.pathname + link.search + link.hash);
    };
    addEventListener("popstate", onBack);
    document.addEventListener("click", onClick);
    return () => {
      removeEventListener("popstate", onBack);
      document.removeEventListener("click", onClick);
    };
  }, []);
  return <NavigationContext.Provider value={{ place, go }}>{children}</NavigationContext.Provider>;
}

/** The content may still be on its way: it is tried until there is enough of it, or the person scrolls. */
function scrollBackTo(height: number): void {
  const end = performance.now() + RESTORING;
  let isStopped = false;
  const stop = () => (isStopped = true);
  addEventListener("wheel", stop, { once: true, passive: true });
  addEventListener("keydown", stop, { once: true });
  const attempt = () => {
    if (isStopped || performance.now() > end) return;
    scrollTo(0, height);
    if (Math.abs(scrollY - height) > 1) requestAnimationFrame(attempt);
  };
  attempt();
}

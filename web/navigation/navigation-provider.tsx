// The current route and how to change it. Links are real links, the browser's
// back and forward buttons work, and going back restores the scroll position.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import { addressOf, routeAt, type Route } from "./address.ts";

interface Navigation {
  readonly route: Route;
  readonly navigate: (to: Route | string, options?: { readonly replaces?: boolean }) => void;
}

const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === undefined) throw new Error("useNavigation needs a NavigationProvider.");
  return navigation;
}

/** How long to wait for content that is tall enough to restore the scroll position, in milliseconds. */
const RESTORE_TIMEOUT = 1_500;

export function NavigationProvider({ children }: { children: ComponentChildren }) {
  const [route, setRoute] = useState(() => routeAt(new URL(location.href)));
  const navigate: Navigation["navigate"] = (to, { replaces = false } = {}) => {
    const address = typeof to === "string" ? to : addressOf(to);
    if (address === location.pathname + location.search + location.hash) return;
    if (replaces) history.replaceState(history.state, "", address);
    else {
      history.replaceState({ scrolled: scrollY }, "");
      history.pushState(null, "", address);
      if (!location.hash) scrollTo(0, 0);
    }
    setRoute(routeAt(new URL(location.href)));
  };

  useLayoutEffect(() => {
    history.scrollRestoration = "manual";
    const onBack = ({ state }: PopStateEvent) => {
      setRoute(routeAt(new URL(location.href)));
      restoreScroll((state as { scrolled?: number } | null)?.scrolled ?? 0);
    };
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest("a");
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (link === null || !isPlain || link.origin !== location.origin || link.target !== "") return;
      event.preventDefault();
      navigate(link.pathname + link.search + link.hash);
    };
    addEventListener("popstate", onBack);
    document.addEventListener("click", onClick);
    return () => {
      removeEventListener("popstate", onBack);
      document.removeEventListener("click", onClick);
    };
  }, []);
  return <NavigationContext.Provider value={{ route, navigate }}>{children}</NavigationContext.Provider>;
}

/** Tries until enough content is loaded, the time is up, or the person scrolls. */
function restoreScroll(height: number): void {
  const end = performance.now() + RESTORE_TIMEOUT;
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

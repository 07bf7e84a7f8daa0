// The end of what is loaded of a long list: loads more as soon as it comes near
// the window.
import { useEffect, useRef } from "preact/hooks";

export function More({ onVisible }: { onVisible: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onVisible);
  latest.current = onVisible;
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && latest.current(), {
      rootMargin: "1500px",
    });
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} class="more">
      <button type="button" class="button" onClick={onVisible}>
        Show more
      </button>
    </div>
  );
}

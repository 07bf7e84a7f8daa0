// Components that are loaded when they are first shown. If their code cannot be
// fetched, that is tried again by itself; after an update of the server the page has
// to be loaded again, which it offers.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "./notices.tsx";

/** Between two attempts, in milliseconds. */
const RETRY_DELAY = 3_000;

/** @param name of what is loaded, for the person */
export function lazy<P extends object>(name: string, load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  return function LazyComponent(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failures, setFailures] = useState(0);
    useEffect(() => {
      if (Loaded !== undefined) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      load().then(
        (component) => {
          loaded = component;
          setLoaded(() => component);
        },
        () => (timer = setTimeout(() => setFailures((before) => before + 1), failures === 0 ? 0 : RETRY_DELAY)),
      );
      return () => clearTimeout(timer);
    }, [failures]);
    if (Loaded !== undefined) return <Loaded {...props} />;
    return failures === 0 ? <Loading of={name} /> : <Failed name={name} />;
  };
}

function Failed({ name }: { name: string }) {
  return (
    <p class="problem" role="alert">
      The code for {name} could not be loaded. It is tried again by itself; after an update,{" "}
      <button type="button" class="link" onClick={() => location.reload()}>
        load the page again
      </button>
      .
    </p>
  );
}

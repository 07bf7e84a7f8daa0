// Components that are loaded when they are first shown. If their code cannot be
// fetched, that is tried again by itself; after an update of the server the page has
// to be loaded again, which it offers.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "./notices.tsx";

/** Between two attempts, in milliseconds. */
const RETRY_DELAY = 3_000;

/** @param name of what is loaded, for the person. @param key of the component in its module */
export function lazy<M, K extends keyof M>(name: string, load: () => Promise<M>, key: K) {
  type P = M[K] extends (props: infer Own extends object) => unknown ? Own : never;
  let loaded: ComponentType<P> | undefined;
  /** The address of the code, once it could not be fetched. */
  let address: string | undefined;
  const attempt = async (number: number) => {
    try {
      // Chromium remembers that a module could not be fetched: at another address it asks for it again.
      const module = await (address === undefined ? load() : import(`${address}?again=${number}`));
      loaded = (module as M)[key] as ComponentType<P>;
    } catch (error) {
      address ??= /https?:\/\/\S+\.js/.exec(String(error))?.[0];
      throw error;
    }
    return loaded;
  };
  return function LazyComponent(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failures, setFailures] = useState(0);
    useEffect(() => {
      if (Loaded !== undefined) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      attempt(failures).then(
        (component) => setLoaded(() => component),
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

// A component that is rendered again only when the given properties differ: for
// long lists whose items hardly ever change.
import { Component, h, type ComponentChildren, type ComponentType } from "preact";

export function memo<P extends object>(View: ComponentType<P>, isSame: (a: P, b: P) => boolean) {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !isSame(this.props as P, next);
    }

    override render(): ComponentChildren {
      return h(View, this.props as P);
    }
  };
}

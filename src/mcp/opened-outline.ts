// The outline that one stdio process or HTTP session has open, for as long as it
// lasts. Used by stdio.ts and http/http.ts.
import type { OpenedOutline } from "../outline/outline.ts";

export function rememberOutline(): OpenedOutline {
  let opened: string | undefined;
  return {
    read: async () => opened,
    keep: async (path) => {
      opened = path;
    },
  };
}

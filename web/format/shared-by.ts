// Names the member who shared a conversation of a shared store. Pure.

interface Shared {
  readonly shared_by?: string | undefined;
  readonly space?: string | undefined;
}

/** Empty if it is of this machine. */
export function sharedByText({ shared_by: member, space }: Shared): string {
  return member === undefined ? "" : `shared by ${member || "a former member"} in ${space ?? ""}`;
}

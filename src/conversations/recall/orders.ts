// The orders in which conversations can be listed, beside the newest first. Apart
// from their use, since the list of tools names them.

export const ORDERS = ["oldest", "longest", "shortest"] as const;
export type Order = (typeof ORDERS)[number];

// How long the campaigns are: tests that prove more the more often they repeat
// (kills at random moments, soaks, random moves). Tiers 1 and 2 of tiers.ts run
// their short form, `npm run test:long` the long one.
/** Whether this is the long form. */
export const IS_LONG = process.env["COMMONPLACE_LONG_TESTS"] === "1";

export const repeats = <Value>({ short, long }: { readonly short: Value; readonly long: Value }): Value =>
  IS_LONG ? long : short;

/**
 * All items in the long form, every `step`th in the short one. `turn` says where to
 * begin: with a turn of its own for each list, several lists have all items together.
 */
export const sampled = <Item>(items: readonly Item[], step: number, turn: number): readonly Item[] =>
  IS_LONG ? items : items.filter((_, at) => (at + turn) % step === 0);

/** The time limit of a campaign. */
export const CAMPAIGN = { timeout: repeats({ short: 300_000, long: 3 * 3_600_000 }) };

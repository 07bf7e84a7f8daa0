// How long the campaigns are: tests that prove more the more often they repeat
// (kills at random moments, soaks, random moves). `npm test` runs their short
// form, `npm run test:long` the long one.
/** Whether this is the long form. */
export const IS_LONG = process.env["COMMONPLACE_LONG_TESTS"] === "1";

export const repeats = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  IS_LONG ? long : short;

/** The time limit of a campaign. */
export const CAMPAIGN = { timeout: repeats({ short: 300_000, long: 3 * 3_600_000 }) };

// Checks the issuer whose access tokens a server for members takes: whether its
// metadata and its keys can be had from here. Run only if one is named.
import { counted, IssuerFault, countIssuerKeys, issuerKeysAddress } from "../../kernel/kernel.ts";
import type { Check } from "./finding.ts";

/** Milliseconds for each address. */
const TIMEOUT = 5_000;

export const checkIssuer: Check = async ({ server }) => {
  const oauth = server?.oauth;
  if (oauth === undefined) return [];
  const about = { part: "issuer", path: oauth.issuer } as const;
  try {
    const keys = await countIssuerKeys(await issuerKeysAddress(oauth.issuer, TIMEOUT), TIMEOUT);
    return { ...about, state: "ok", note: `${counted(keys, "key")}; tokens must be for ${oauth.audience}` };
  } catch (error) {
    if (!(error instanceof IssuerFault)) throw error;
    return {
      ...about,
      state: "problem",
      note: error.message,
      hint: "'issuer' of oauth must be written exactly as the issuer writes it in its metadata, and be reachable from here; until then only personal tokens are taken",
    };
  }
};

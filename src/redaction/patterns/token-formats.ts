// The tokens that are recognised by their form alone, wherever they are, as data: a
// new provider is one row in tokens/. Used by finders/known-tokens.ts. Each form has
// a prefix or a structure that ordinary text, code and hashes do not have. Each was
// looked up in the public source that its row names, or is known from public code;
// then the row names the provider's page on its tokens.
import type { TokenFormat } from "./token-format.ts";
import { CLOUD_TOKENS } from "./tokens/clouds.ts";
import { CODE_TOKENS } from "./tokens/code.ts";
import { GENERAL_TOKENS } from "./tokens/general.ts";
import { MODEL_TOKENS } from "./tokens/models.ts";
import { PAYMENT_AND_MESSAGE_TOKENS } from "./tokens/payments-and-messages.ts";
import { WORK_AND_MONITORING_TOKENS } from "./tokens/work-and-monitoring.ts";

/** In the order in which they are tried: specific formats before general ones. */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  ...MODEL_TOKENS,
  ...CLOUD_TOKENS,
  ...CODE_TOKENS,
  ...PAYMENT_AND_MESSAGE_TOKENS,
  ...WORK_AND_MONITORING_TOKENS,
  ...GENERAL_TOKENS,
].map(([name, pattern, example, source]) => ({ name, pattern, example, source }));

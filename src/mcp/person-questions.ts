// Asks the person, through a host that can (elicitation): whether to go on with
// what a tool has shown as a preview, and which of several notes or vaults is
// meant. Hosts that cannot ask get the preview, or the error with what may be meant. As with
// roots, clients since 2026-07-28 are answered with the question and repeat the
// call with the answer. Used by server.ts.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  SdkError,
  SdkErrorCode,
  type ClientCapabilities,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallResult, Choices } from "../tools/tools.ts";

/** In milliseconds: a person may have to think, but the host must not wait for ever. */
const MAX_THOUGHT_LENGTH = 5 * 60_000;

type Arguments = Readonly<Record<string, unknown>> | undefined;
type Result = CallResult | undefined;

interface Question {
  /** Returns with the answer of a repeated call. */
  readonly name: "confirmation" | "choice";
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Record<string, { type: "string"; enum: string[] }>;
    readonly required?: string[];
  };
}

interface Answer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** The host cannot ask, or could not: the caller gets what it would have got without a question. */
const NOT_ASKED = { action: "not asked" } as const;

export class PersonQuestions {
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /**
   * The result of a call, after the person was asked if that is needed; or the question to answer the call with.
   * @param mayConfirm whether the tool's preview may be confirmed by the person
   */
  async resultOf(
    context: ServerContext,
    sent: Arguments,
    mayConfirm: boolean,
    call: (sent: Arguments) => Promise<Result>,
  ): Promise<Result | { readonly question: InputRequiredResult }> {
    const result = await call(sent);
    const choices = result?.isError ? result.choices : undefined;
    if (choices !== undefined && !isConfirmed(sent)) {
      const said = await this.#ask(context, choiceOf(choices));
      if ("question" in said) return said;
      const chosen =
        said.action === "accept" ? choices.values.find((value) => value === said.content?.[choices.of]) : undefined;
      return chosen === undefined ? result : call(withChosen(sent, choices, chosen));
    }
    const message = mayConfirm ? previewIn(result, sent) : undefined;
    if (message === undefined) return result;
    // Accepting the form is the answer: there is nothing to fill in.
    const requestedSchema = { type: "object" as const, properties: {} };
    const said = await this.#ask(context, { name: "confirmation", message, requestedSchema });
    if ("question" in said) return said;
    if (said.action === "accept") return call({ ...sent, confirmed: true });
    return said.action === "not asked" ? result : notAgreed(result, message, said.action);
  }

  async #ask(
    { mcpReq }: ServerContext,
    question: Question,
  ): Promise<Answer | typeof NOT_ASKED | { readonly question: InputRequiredResult }> {
    const { name, ...params } = question;
    const { envelope } = mcpReq;
    if (!canAsk(envelope === undefined ? this.#server.getClientCapabilities() : capabilitiesIn(envelope)))
      return NOT_ASKED;
    if (envelope !== undefined) {
      if (mcpReq.requestState() !== name)
        return {
          question: inputRequired({ inputRequests: { [name]: inputRequired.elicit(params) }, requestState: name }),
        };
      const answer = inputResponse(mcpReq.inputResponses, name);
      return answer.kind === "elicit" ? { action: answer.action, content: answer.content } : NOT_ASKED;
    }
    try {
      const waiting = { timeout: MAX_THOUGHT_LENGTH, signal: mcpReq.signal };
      return await mcpReq.send({ method: "elicitation/create", params }, waiting);
    } catch (error) {
      const isUnanswered = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
      return isUnanswered ? { action: "cancel" } : NOT_ASKED;
    }
  }
}

function capabilitiesIn(envelope: object): ClientCapabilities | undefined {
  return (envelope as Readonly<Record<string, ClientCapabilities | undefined>>)[CLIENT_CAPABILITIES_META_KEY];
}

/** An empty capability means forms, as before there were others. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || "form" in elicitation);
}

function choiceOf({ of, sent, values }: Choices): Question {
  return {
    name: "choice",
    message:
      of === "note"
        ? `Several notes are called ${sent}. Which one is meant?`
        : `${sent} is not in the default vault. Which vault is meant?`,
    requestedSchema: { type: "object", properties: { [of]: { type: "string", enum: [...values] } }, required: [of] },
  };
}

/** The arguments with the vault, or with the chosen path instead of the name, under whatever name that was sent. */
function withChosen(sent: Arguments, { of, sent: name }: Choices, chosen: string): Arguments {
  if (of === "vault") return { ...sent, vault: chosen };
  return Object.fromEntries(Object.entries(sent ?? {}).map(([key, value]) => [key, value === name ? chosen : value]));
}

/** Returns whether the caller has said that it means what it sent. */
function isConfirmed(sent: Arguments): boolean {
  return Object.entries(sent ?? {}).some(([name, value]) => /^confirm(?:ed)?$/i.test(name) && value === true);
}

const INVITATION = / Set confirmed=true to proceed\.$/;

/** Returns the question for the person about a preview; undefined if the result is not a preview, or the caller asked for one. */
function previewIn(result: Result, sent: Arguments): string | undefined {
  const isChosen = Object.keys(sent ?? {}).some((name) => /^(?:confirm(?:ed)?|preview|dry_?run)$/i.test(name));
  if (result === undefined || result.isError || isChosen) return undefined;
  const { requiresConfirmation, message } = result.structuredContent;
  return requiresConfirmation === true && typeof message === "string" ? message.replace(INVITATION, "") : undefined;
}

/** Instead of the invitation to confirm: who dismisses the question has approved of nothing. */
const NOT_AGREED = {
  decline: "The person said no: nothing was changed.",
  cancel:
    "The person was asked and did not answer: nothing was changed. Do not confirm it yourself; ask them in the conversation.",
};

/** The preview, if the person did not agree. */
function notAgreed(result: Result, question: string, action: keyof typeof NOT_AGREED): Result {
  if (result === undefined || result.isError) return result;
  const message = `${question} ${NOT_AGREED[action]}`;
  const { message: preview } = result.structuredContent as { readonly message?: string };
  const [first, ...images] = result.content;
  const text = first.text.replace(preview ?? "", () => message);
  return {
    ...result,
    content: [{ ...first, text }, ...images],
    structuredContent: { ...result.structuredContent, message },
  };
}

// The page for the members of a shared store: its files, which need no token, the
// files of their spaces, and a stream that says when something changed. Everything
// else the page does by tools, at the MCP endpoint. There is no request about the
// machine of the server (person-requests.ts) and no import into it
// (archive-upload.ts). Used by members-http.ts.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Members } from "../../../app/app.ts";
import type { Log } from "../../../kernel/kernel.ts";
import type { Entered, PageListener } from "../../../shared/shared.ts";
import { Gate } from "../../gate.ts";
import { openChangeStream } from "../change-stream.ts";
import { answerMedia, MEDIA, MEDIA_METHODS, ticketOf } from "../media.ts";
import { isPageAddress, openPageFiles } from "../page-files.ts";
import { MAX_WAITING, refuse, refuseBusy } from "../replies.ts";
import type { Proof } from "./authentication.ts";
import { MemberCalls, MAX_WAITING_OF_MEMBER } from "./member-calls.ts";
import { MemberTickets } from "./member-tickets.ts";

const CHANGES = "/changes";
const FILE_METHODS = ["GET", "HEAD"];

/** Milliseconds between two questions whether anything changed, for all open pages together. */
const CHANGE_PAUSES = { shortestPause: 3_000, longestPause: 15_000 };
/** Streams of one member: one for each browser. */
const MAX_STREAMS = 16;
/** Files that are sent at a time, to one member and to all: each is in memory, with up to 64 MB. */
const FILES_OF_MEMBER = 3;
const FILES_AT_ONCE = 8;

/** Somebody who asks for something of the page, and has proved who they are. */
export interface PageVisit {
  readonly entered: Entered;
  readonly proof: Proof;
  /** Settles when the answer was sent, or the client has gone. */
  readonly done: Promise<unknown>;
}

export class MemberPage {
  readonly #members: Members;
  readonly #files;
  readonly #tickets: MemberTickets;
  readonly #changes;
  readonly #streams = new Map<string, number>();
  readonly #sending = new Gate(FILES_AT_ONCE, MAX_WAITING);
  readonly #sendingTo = new MemberCalls(FILES_OF_MEMBER);

  /** @param folder that of the page's files */
  constructor(members: Members, folder: string, log: Log) {
    this.#members = members;
    this.#files = openPageFiles(folder, "members");
    this.#tickets = new MemberTickets(members);
    this.#changes = openChangeStream(async (listeners: readonly (PageListener & Proof)[]) => {
      try {
        const now = await members.newestChanges(listeners);
        return listeners.map(({ ends = Infinity }, i) => (ends > Date.now() ? now[i] : undefined));
      } catch (error) {
        log(`open pages cannot be told of changes: ${(error as Error).message}`);
        // They come again, and are told then what is wrong.
        return listeners.map(() => undefined);
      }
    }, CHANGE_PAUSES);
  }

  /** Returns the methods of a path of the page; undefined if the page has no such path. */
  methodsOf(path: string): readonly string[] | undefined {
    if (path === CHANGES) return ["GET"];
    if (path.startsWith(MEDIA)) return MEDIA_METHODS;
    return isPageAddress(path) ? FILE_METHODS : undefined;
  }

  /** Answers what needs no token. @returns whether it was that */
  async answerFile(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    return this.#files.answer(request, response, path);
  }

  /** Answers a browser that asks for a document where there is none. @returns whether it was one */
  async answerMissing(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    return this.#files.answerMissing(request, response);
  }

  /** Returns the member who asks for a file by an address with a ticket; undefined without a valid one. */
  async visitorOf(request: IncomingMessage, path: string): Promise<Entered | undefined> {
    const sent = path.startsWith(MEDIA) ? ticketOf(request) : undefined;
    return sent && this.#tickets.memberOf(sent.address, sent.ticket);
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string, visit: PageVisit): Promise<void> {
    if (path === CHANGES) return this.#listen(response, visit);
    if (!path.startsWith(MEDIA)) return refuse(response, 404, "There is no such file of the page.");
    const { entered, proof, done } = visit;
    if (!(await this.#sendingTo.enter(entered.member, done))) {
      response.setHeader("Retry-After", "1");
      return refuse(response, 429, `${MAX_WAITING_OF_MEMBER} files wait to be sent to you already. Try again.`);
    }
    if (!(await this.#sending.enter(done))) return refuseBusy(response);
    if (response.destroyed) return undefined;
    const commonplace = this.#members.open(entered, done);
    return answerMedia(commonplace, request, response, (address) => this.#tickets.issue(address, entered, proof));
  }

  /** Ends the streams. */
  close(): void {
    this.#changes.close();
  }

  #listen(response: ServerResponse, { entered: { member }, proof, done }: PageVisit): void {
    const open = this.#streams.get(member) ?? 0;
    if (open >= MAX_STREAMS) {
      response.setHeader("Retry-After", "60");
      return refuse(response, 429, `The page is open in ${MAX_STREAMS} browsers already.`);
    }
    this.#streams.set(member, open + 1);
    void done.finally(() => {
      const left = this.#streams.get(member)! - 1;
      if (left === 0) this.#streams.delete(member);
      else this.#streams.set(member, left);
    });
    return this.#changes.listen(response, { member, ...proof });
  }
}

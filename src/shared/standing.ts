// The proof that a member is in a space now, and how far the space has come: asked before every
// answer from an index of the space. Used by what keeps such an index.
import type { Store } from "./store.ts";

/**
 * Proves that the member is in the space now. Only the answer of the store makes one: an index of the space answers for
 * it alone.
 */
export class Standing {
  readonly space: number;
  /** Differs from that of every other space that ever was in any store, and after the store was restored. */
  readonly identity: string;
  /** The number of the newest change of its files, or of its conversations. */
  readonly number: number;

  private constructor(space: number, identity: string, number: number) {
    this.space = space;
    this.identity = identity;
    this.number = number;
  }

  /** Of the files of the space with this name; undefined if the member is in none. @param call asks as the member */
  static async ofFiles(call: Store["call"], name: string): Promise<Standing | undefined> {
    const answer = (await call("standing_in", [name])) as Facts | null;
    return answer === null ? undefined : new Standing(...answer);
  }

  /** Of the conversations of every space that the member is in. */
  static async ofConversations(call: Store["call"]): Promise<readonly Standing[]> {
    const answers = (await call("conversation_standings", [])) as readonly Facts[];
    return answers.map((answer) => new Standing(...answer));
  }
}

type Facts = [space: number, identity: string, number: number];

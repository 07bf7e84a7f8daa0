// How much a member may ask in a minute, on all servers together. The store has
// the count. Each server asks it for a part of the minute's requests at a time, so
// that not every request is a write: with n servers, n - 1 such parts more than the
// limit may pass. Used by members-http.ts.
import type { Members } from "../../../app/app.ts";

interface Counted {
  /** As the store last said, with what was reported since. */
  total: number;
  /** Not reported yet. */
  pending: number;
  /** When the minute ends, by the clock of this process. */
  ends: number;
}

/** A server reports after this part of the limit. */
const PART = 50;
/** Members whose count is remembered. */
const MAX_MEMBERS = 10_000;

export class RequestLimits {
  readonly #most: number;
  readonly #part: number;
  readonly #report: Members["countRequests"];
  readonly #counted = new Map<string, Counted>();

  constructor(most: number, report: Members["countRequests"]) {
    this.#most = most;
    this.#part = Math.max(1, Math.floor(most / PART));
    this.#report = report;
  }

  /** Counts a request. @returns seconds to wait if it is one too many */
  async take(member: string): Promise<number | undefined> {
    let counted = this.#counted.get(member);
    if (counted === undefined || performance.now() >= counted.ends) {
      counted = { total: 0, pending: 0, ends: Number.POSITIVE_INFINITY };
      this.#counted.delete(member);
      this.#counted.set(member, counted);
      if (this.#counted.size > MAX_MEMBERS) this.#counted.delete(this.#counted.keys().next().value!);
      counted.pending++;
      await this.#tell(member, counted);
      return counted.total > this.#most ? this.#secondsLeft(counted) : undefined;
    }
    if (counted.total + counted.pending >= this.#most) return this.#secondsLeft(counted);
    counted.pending++;
    if (counted.pending >= this.#part) await this.#tell(member, counted);
    return undefined;
  }

  async #tell(member: string, counted: Counted): Promise<void> {
    const amount = counted.pending;
    counted.pending = 0;
    counted.total += amount;
    try {
      const { total, secondsLeft } = await this.#report(member, amount);
      counted.total = total;
      counted.ends = performance.now() + secondsLeft * 1000;
    } catch (error) {
      if (this.#counted.get(member) === counted) this.#counted.delete(member);
      throw error;
    }
  }

  #secondsLeft({ ends }: Counted): number {
    const seconds = Math.ceil((ends - performance.now()) / 1000);
    return Math.min(60, Math.max(1, Number.isFinite(seconds) ? seconds : 60));
  }
}

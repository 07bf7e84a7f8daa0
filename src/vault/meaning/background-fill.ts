// Gives vectors to notes in the background, once at a time. Used by the index of notes: a
// search waits a moment for it, so that it finds new notes.

export class BackgroundFill {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isWaitedFor = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Starts the work, unless it is being done. Never rejects: the next search tries again. */
  run(): Promise<void> {
    this.#running ??= this.#work()
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
        this.#isWaitedFor = false;
      });
    return this.#running;
  }

  /** The same for searches, of which only the first waits: an endpoint may take minutes, or never answer. */
  runForSearch(): Promise<void> {
    const running = this.run();
    if (this.#isWaitedFor) return Promise.resolve();
    this.#isWaitedFor = true;
    return running;
  }
}

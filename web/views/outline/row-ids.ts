// The ids by which the page names rows. A row that is added in the page is shown
// before the server has given it an id, and keeps the page's own: what is folded,
// selected or being edited would lose it otherwise. Used by open-document.ts.

export class RowIds {
  readonly #toServer = new Map<string, string>();
  readonly #toPage = new Map<string, string>();
  #added = 0;

  /** An id for a row that is about to be added. */
  next(): string {
    this.#added++;
    return `new-${this.#added}`;
  }

  /** Some applications give a row that is moved another id, too. */
  register(page: string, server: string): void {
    if (page === server) return;
    this.#toServer.set(page, server);
    this.#toPage.set(server, page);
  }

  server(page: string): string {
    return this.#toServer.get(page) ?? page;
  }

  page(server: string): string {
    return this.#toPage.get(server) ?? server;
  }

  get isEmpty(): boolean {
    return this.#toPage.size === 0;
  }
}

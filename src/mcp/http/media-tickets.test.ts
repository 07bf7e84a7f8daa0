import { describe, expect, it } from "vitest";
import { MediaTickets } from "./media-tickets.ts";

const HOUR = 3_600_000;

describe("a ticket", () => {
  it("is good for its address and for twelve hours", () => {
    let now = 1_800_000_000_000;
    const tickets = new MediaTickets(() => now);
    const ticket = tickets.issue("/media/a.png");
    expect(tickets.isGood("/media/a.png", ticket)).toBe(true);
    expect(tickets.isGood("/media/b.png", ticket)).toBe(false);
    now += 12 * HOUR - 1;
    expect(tickets.isGood("/media/a.png", ticket)).toBe(true);
    now += 1;
    expect(tickets.isGood("/media/a.png", ticket)).toBe(false);
  });

  it("is not good with a later end, of another process, cut, or empty", () => {
    const tickets = new MediaTickets();
    const ticket = tickets.issue("/media/a.png");
    const [end, holder, signature] = ticket.split(".");
    const later = (Number.parseInt(end!, 36) + HOUR).toString(36);
    const changed = [`${later}.${holder}.${signature}`, `${end}.somebody.${signature}`, `${ticket}.x`];
    const others = ["", ".", end!, `${end}.`, ...changed, ticket.slice(0, -1), `${ticket}x`];
    for (const other of [...others, new MediaTickets().issue("/media/a.png")])
      expect(tickets.isGood("/media/a.png", other), other).toBe(false);
  });
});

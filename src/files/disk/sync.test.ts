import { afterEach, describe, expect, it, vi } from "vitest";
import { syncWith } from "./sync.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("syncing a file", () => {
  it("is synchronous on a fast disk, asynchronous once it has become slow, and synchronous again", async () => {
    let clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => clock);
    const used: string[] = [];
    let takes = 0.1;
    const disk = (way: string) => {
      used.push(way);
      clock += takes;
    };
    const { sync, syncBeside } = syncWith({ atOnce: () => disk("at once"), handOver: async () => disk("handed over") });
    const times = async (count: number) => {
      used.length = 0;
      for (let i = 0; i < count; i++) await sync(1);
      return [...new Set(used)];
    };
    expect(await times(10)).toEqual(["at once"]);
    used.length = 0;
    await syncBeside(1);
    expect(used).toEqual(["at once"]);
    takes = 0.5;
    await times(20);
    expect(await times(10)).toEqual(["at once"]);
    used.length = 0;
    await syncBeside(1);
    expect(used, "another thread is worth its while").toEqual(["handed over"]);
    takes = 20;
    await times(1);
    expect(await times(10)).toEqual(["handed over"]);
    takes = 0.3;
    await times(20);
    expect(await times(10)).toEqual(["at once"]);
  });

  it("of many files is asynchronous as soon as the disk turns out not to be fast, and not before", async () => {
    let clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => clock);
    const used: string[] = [];
    let takes = 0.01;
    const disk = (way: string) => {
      used.push(way);
      clock += takes;
    };
    const { syncTogether } = syncWith({ atOnce: () => disk("at once"), handOver: async () => disk("handed over") });
    for (let i = 0; i < 10; i++) await syncTogether(1);
    expect(new Set(used)).toEqual(new Set(["at once"]));
    takes = 4;
    used.length = 0;
    for (let i = 0; i < 10; i++) await syncTogether(1);
    expect(used).toEqual(["at once", ...Array.from({ length: 9 }, () => "handed over")]);
  });
});

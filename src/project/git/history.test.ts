import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newRepository, type TestRepository } from "../../../test/fixtures/repositories.ts";
import { parseHistory } from "./history.ts";

const logOf = ({ git }: TestRepository) =>
  Buffer.from(git("log", "-z", "--format=%x01%H%x02%ct%x02%an%x02%s", "--name-status", "-M100%"));
const historyOf = (repository: TestRepository) => parseHistory(logOf(repository));

describe("a history", () => {
  it("returns the newest commits, with any subject", () => {
    const repository = newRepository({ "a.ts": "" });
    repository.commit("odd \u0001 and \u0002 in it");
    for (let n = 0; n < 12; n++) repository.commit(`commit ${n}`);
    const { commits } = historyOf(repository);
    expect(commits).toHaveLength(10);
    expect(commits[0]).toMatchObject({
      subject: "commit 11",
      author: "A",
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  it("is not confused by a file that is named like a commit or a state", () => {
    const repository = newRepository({ "\u0001x": "1", A: "1", R100: "1", "a\nb": "1" });
    repository.commit("again", { "\u0001x": "2" });
    const { activity } = historyOf(repository);
    expect([...activity.keys()].toSorted()).toEqual(["\u0001x", "A", "R100", "a\nb"]);
    expect(activity.get("\u0001x")!.frequency).toBeGreaterThan(activity.get("A")!.frequency);
  });

  it("weighs a change less the older it is, by commits and by days, and the more files it was made with", () => {
    const repository = newRepository();
    repository.commit("ancient", { "ancient.ts": "" }, 300);
    repository.commit("old", { "old.ts": "" }, 100);
    repository.commit("many", Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`many/${i}.ts`, ""])));
    repository.commit("one", { "one.ts": "" });
    const { activity } = historyOf(repository);
    const weights = ["one.ts", "many/1.ts", "old.ts", "ancient.ts"].map((name) => activity.get(name)!.recency);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(weights[0]).toBe(1);
    expect(new Set(weights).size).toBe(4);
  });

  it("knows which file a name meant at the time", () => {
    const repository = newRepository({ "a.ts": "the first a\n" });
    repository.commit("work on the first", { "a.ts": "the first a, changed\n" });
    renameSync(join(repository.folder, "a.ts"), join(repository.folder, "b.ts"));
    repository.commit("the first is now b");
    repository.commit("another a", { "a.ts": "the second a\n" });
    const { activity } = historyOf(repository);
    expect(activity.get("b.ts")!.frequency).toBeGreaterThan(2);
    expect(activity.get("a.ts")!.frequency).toBeLessThanOrEqual(1);
  });

  it("says nothing about files that a commit changed with hundreds of others", () => {
    const repository = newRepository(Object.fromEntries(Array.from({ length: 301 }, (_, i) => [`${i}.ts`, ""])));
    repository.commit("one", { "7.ts": "x" });
    expect([...historyOf(repository).activity.keys()]).toEqual(["7.ts"]);
  });

  it("that was cut off is read as far as it came", () => {
    const repository = newRepository({ "a.ts": "" });
    for (let n = 0; n < 5; n++) repository.commit(`commit ${n}`, { [`${n}.ts`]: "" });
    const log = logOf(repository);
    for (let length = 0; length < log.length; length += 7) {
      const { commits, activity } = parseHistory(log.subarray(0, length));
      expect(activity.size).toBeLessThanOrEqual(commits.length);
    }
  });
});

import { describe, expect, it } from "vitest";
import { projectNames } from "./project-names.ts";

const namesOf = (...projects: string[]) => projects.map((project) => projectNames(projects).get(project));

describe("the name of a project", () => {
  it("is the last part of its path or address, if no other project has it", () => {
    expect(namesOf("path:/home/anna/shop", "git:github.com/anna/cli", "root:c:/code/site")).toEqual([
      "shop",
      "cli",
      "site",
    ]);
  });

  it("has as many parts as tell it from the others, in any case of letters", () => {
    expect(namesOf("path:/code/a/shop", "path:/code/b/shop", "git:github.com/anna/Shop", "path:/x/y")).toEqual([
      "a/shop",
      "b/shop",
      "anna/Shop",
      "y",
    ]);
    expect(namesOf("path:/one/a/shop", "path:/two/a/shop", "path:/b/shop")).toEqual([
      "one/a/shop",
      "two/a/shop",
      "b/shop",
    ]);
  });

  it("is given to the root of a disk, and to two identities of one path", () => {
    expect(namesOf("path:/")).toEqual(["/"]);
    expect(namesOf("path:/shop", "root:/shop")).toEqual(["shop", "shop"]);
    expect(namesOf("path:/shop", "path:/a/shop")).toEqual(["shop", "a/shop"]);
  });
});

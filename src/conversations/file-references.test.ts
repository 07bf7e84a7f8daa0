import { describe, expect, it } from "vitest";
import { comparableFile, filesNamedIn } from "./file-references.ts";

describe("files that a text names", () => {
  it.each([
    ["Look at src/cart.ts and `README.md`.", ["src/cart.ts", "README.md"]],
    ["(see ./a/b.test.tsx, ../c.go:12)", ["./a/b.test.tsx", "../c.go"]],
    ["/work/shop/main.py twice /work/shop/main.py", ["/work/shop/main.py"]],
    ["C:\\work\\shop\\Cart.cs", ["C:\\work\\shop\\Cart.cs"]],
    [".env and .golangci.yaml", [".golangci.yaml"]],
    ["https://example.org/a/b.html", []],
    ["Node.js 1.2.3, e.g. this. And.that", ["Node.js"]],
    ["me@example.com", []],
    ["nothing", []],
  ])("in %s", (text, files) => {
    expect(filesNamedIn(text)).toEqual(files);
  });

  it("are compared relative to the folder that was worked in", () => {
    expect(comparableFile("/work/shop/src/a.ts", "/work/shop")).toBe("src/a.ts");
    expect(comparableFile("C:\\shop\\src\\a.ts", "C:\\shop\\")).toBe("src/a.ts");
    expect(comparableFile("./src/a.ts", "/work/shop")).toBe("src/a.ts");
    expect(comparableFile("/work/shopping/a.ts", "/work/shop")).toBe("/work/shopping/a.ts");
  });
});

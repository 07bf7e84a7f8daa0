import { describe, expect, it } from "vitest";
import { comparableFile, filesNamedIn } from "./file-references.ts";

describe("files that a text names", () => {
  it.each([
    ["Look at src/cart.ts and `README.md`.", ["src/cart.ts", "README.md"]],
    ["(see ./a/b.test.tsx, ../c.go:12)", ["./a/b.test.tsx", "../c.go"]],
    ["/code/shop/main.py twice /code/shop/main.py", ["/code/shop/main.py"]],
    ["C:\\work\\shop\\Cart.cs", ["C:\\work\\shop\\Cart.cs"]],
    [".env and .golangci.yaml", [".golangci.yaml"]],
    ["https://example.org/a/b.html", []],
    ["Node.js 1.2.3, e.g. this. And.that", ["Node.js"]],
    ["me@example.com", []],
    ["nothing", []],
  ])("in %s", (text, files) => {
    expect(filesNamedIn(text)).toEqual(files);
  });

  it("are compared relative to the folder of the conversation", () => {
    expect(comparableFile("/code/shop/src/a.ts", "/code/shop")).toBe("src/a.ts");
    expect(comparableFile("C:\\shop\\src\\a.ts", "C:\\shop\\")).toBe("src/a.ts");
    expect(comparableFile("./src/a.ts", "/code/shop")).toBe("src/a.ts");
    expect(comparableFile("/code/shopping/a.ts", "/code/shop")).toBe("/code/shopping/a.ts");
    expect(comparableFile("/code/Shop/a.ts", "/code/shop")).toBe("/code/Shop/a.ts");
  });

  it.each([
    ["c:\\shop\\src\\a.ts", "C:\\shop", "src/a.ts"],
    ["C:/shop/src/a.ts", "c:\\shop\\", "src/a.ts"],
    ["c:\\Shop\\Src\\a.ts", "C:\\shop", "Src/a.ts"],
    ["C:\\a.ts", "c:\\", "a.ts"],
    ["c:\\other\\a.ts", "C:\\shop", "C:/other/a.ts"],
    ["c:\\other\\a.ts", undefined, "C:/other/a.ts"],
  ])("are the same on a drive whatever the case: %s in %s", (path, folder, file) => {
    expect(comparableFile(path, folder)).toBe(file);
  });
});

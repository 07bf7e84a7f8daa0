// Reading files that are not text, as hosts do: an image is a block that a model
// sees, and everything else its facts; never an error, and never bytes as text.
import { describe, expect, it } from "vitest";
import { jpeg, movie, png } from "../../fixtures/media-files.ts";
import { vaultFolder } from "../../fixtures/vaults.ts";
import { connectHttp, connectStdio, ERAS, runProgram, serveHttp, temporaryFolder } from "../../processes/program.ts";

const READ = "contentManager_readContent";
const IMAGE = png(60, 40);
const FILES = {
  "Note.md": "![[beds.png]]",
  "Pictures/beds.png": IMAGE,
  "Pictures/huge.jpg": jpeg(4000, 3000, 900_000),
  "film.mp4": movie(75, { width: 640, height: 360 }),
  "data.zip": Buffer.from("PK\x03\x04\0\0\0"),
  "drawing.svg": '<svg width="5" height="6"/>',
  "unknown.xyz": Buffer.of(0, 1, 2, 255),
};

const connections = {
  stdio: (vault: string, era: keyof typeof ERAS) => connectStdio(temporaryFolder(), ERAS[era], ["--vault", vault]),
  HTTP: async (vault: string, era: keyof typeof ERAS) =>
    connectHttp((await serveHttp(temporaryFolder(), undefined, ["--vault", vault])).url, ERAS[era]),
};

describe.each(Object.keys(connections) as (keyof typeof connections)[])("reading over %s", (way) => {
  it.each(Object.keys(ERAS) as (keyof typeof ERAS)[])("returns an image as a block (%s)", async (era) => {
    const client = await connections[way](vaultFolder(FILES), era);
    const result = await client.callTool({ name: READ, arguments: { filePath: "![[beds.png]]" } });
    expect(result.isError).toBeFalsy();
    expect(result.content).toEqual([
      { type: "text", text: expect.stringContaining(`image/png, 60 × 40 pixels, ${IMAGE.length} bytes`) },
      { type: "image", mimeType: "image/png", data: IMAGE.toString("base64") },
    ]);
    expect(result.structuredContent).toMatchObject({
      success: true,
      data: { filePath: "Pictures/beds.png", file: { type: "image/png", width: 60, height: 40, size: IMAGE.length } },
    });
    expect(JSON.stringify(result.structuredContent)).not.toContain(IMAGE.toString("base64"));
  });

  it("returns the facts of everything else, within the size of a result", async () => {
    const client = await connections[way](vaultFolder(FILES), "2026-07-28");
    const read = async (filePath: string) => {
      const result = await client.callTool({ name: READ, arguments: { filePath } });
      expect(result.isError).toBeFalsy();
      expect(result.content).toHaveLength(1);
      return result.structuredContent as { data: { content: string; file?: object }; hint?: string };
    };
    expect(await read("Pictures/huge.jpg")).toMatchObject({
      data: { file: { type: "image/jpeg", width: 4000, height: 3000 } },
      hint: expect.stringMatching(/^Images of up to 750 kB .* note:\/\/\/Pictures\/huge\.jpg/),
    });
    expect((await read("film.mp4")).data.file).toMatchObject({ type: "video/mp4", duration: 75, width: 640 });
    expect((await read("data.zip")).data).toMatchObject({ content: "application/zip, 7 bytes" });
    expect((await read("unknown.xyz")).data).toMatchObject({ content: "application/octet-stream, 4 bytes" });
    expect((await read("drawing.svg")).data).toMatchObject({ content: FILES["drawing.svg"], startLine: 1 });
  });
});

it("prints the facts on the command line, and attaches a larger image as a resource", async () => {
  const vault = vaultFolder(FILES);
  const home = temporaryFolder();
  const { stdout, code } = await runProgram(["call", READ, '{"filePath":"Pictures/beds.png"}', "--vault", vault], {
    home,
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ data: { file: { width: 60 } } });
  const client = await connectStdio(home, ERAS["2026-07-28"], ["--vault", vault]);
  const { contents } = await client.readResource({ uri: "note:///Pictures/huge.jpg" });
  expect(contents).toMatchObject([{ mimeType: "image/jpeg", blob: FILES["Pictures/huge.jpg"].toString("base64") }]);
});

it("describes a canvas and a base in words, and gives the text to edit them", async () => {
  const canvas = '{"nodes":[{"id":"a","type":"text","text":"Old idea","x":0,"y":0,"width":9,"height":9}],"edges":[]}';
  const vault = vaultFolder({
    "Board.canvas": canvas,
    "Books.base": "views:\n  - type: table\n    name: All\n",
    "odd.canvas": "{",
  });
  const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--vault", vault]);
  const read = async (sent: Record<string, unknown>) =>
    (await client.callTool({ name: READ, arguments: sent })).structuredContent as {
      data: { content: string; contentHash: string };
      hint?: string;
    };
  const described = await read({ filePath: "Board.canvas" });
  expect(described.data.content).toContain(
    "A canvas with one card, no groups and no connections.\n\nCards:\n- Old idea",
  );
  expect(described.hint).toContain("raw: true");
  const raw = await read({ filePath: "Board.canvas", raw: true });
  expect(raw.data).toMatchObject({ content: canvas, contentHash: described.data.contentHash });
  expect((await read({ filePath: "Board.canvas", limit: 1 })).data.content).toBe(canvas);
  expect((await read({ filePath: "Books.base" })).data.content).toContain('View "All" (table)');
  // What is not what its name says is shown as it is.
  const odd = await read({ filePath: "odd.canvas" });
  expect(odd.data.content).toBe("{");
  expect(odd.hint).toMatch(/^It cannot be read as a canvas: this is its text as it is\./);
  const edit = { filePath: "Board.canvas", oldContent: "Old idea", newContent: "New idea" };
  const edited = await client.callTool({
    name: "contentManager_replaceContent",
    arguments: { ...edit, expectedHash: described.data.contentHash },
  });
  expect(edited.isError).toBeFalsy();
  expect((await read({ filePath: "Board.canvas" })).data.content).toContain("- New idea");
});

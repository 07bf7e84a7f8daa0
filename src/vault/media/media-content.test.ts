// Facts about files that are not text, from headers made by hand after each
// format's own description.
import { describe, expect, it } from "vitest";
import * as sample from "../../../test/fixtures/media-files.ts";
import { fileTypeOf } from "./file-types.ts";
import { mediaContent, MAX_SHOWN_BYTES } from "./media-content.ts";

function contentOf(path: string, content: Uint8Array | string) {
  const bytes = Buffer.from(content);
  const read = (at: number, length: number) => bytes.subarray(at, at + length);
  return mediaContent({ ...fileTypeOf(path), path, size: bytes.length, modified: 0, tag: "", read, close: () => {} });
}

describe("an image", () => {
  it.each([
    ["a.png", sample.png(640, 480), "image/png", 640, 480],
    ["a.gif", sample.gif(320, 200), "image/gif", 320, 200],
    ["a.jpg", sample.jpeg(1024, 768), "image/jpeg", 1024, 768],
    ["a.jpg", sample.jpeg(10, 20, 70_000), "image/jpeg", 10, 20],
    ["a.webp", sample.webp("VP8 ", 300, 150), "image/webp", 300, 150],
    ["a.webp", sample.webp("VP8L", 16_384, 1), "image/webp", 16_384, 1],
    ["a.webp", sample.webp("VP8X", 70_000, 3), "image/webp", 70_000, 3],
    ["a.avif", sample.avif(1920, 1080), "image/avif", 1920, 1080],
    ["a.bmp", sample.bmp(33, -44), "image/bmp", 33, 44],
    ["a.svg", '<?xml version="1.0"?>\n<!-- x -->\n<svg width="12px" height=\'7.5\'/>', "image/svg+xml", 12, 7.5],
    ["a.svg", '<svg viewBox="0 0 24 48" width="100%">', "image/svg+xml", 24, 48],
    // The name lies.
    ["a.png", sample.jpeg(5, 6), "image/jpeg", 5, 6],
    ["a.dat", sample.png(5, 6), "image/png", 5, 6],
  ])("%s has its type and its size in pixels", (name, bytes, type, width, height) => {
    expect(contentOf(name, bytes).facts).toMatchObject({ type, width, height, size: bytes.length });
  });

  it("that hosts can show comes with its bytes and its true type", () => {
    const bytes = sample.jpeg(1024, 768);
    expect(contentOf("a.png", bytes)).toMatchObject({
      image: { bytes: Buffer.from(bytes), type: "image/jpeg" },
      words: `image/jpeg, 1024 × 768 pixels, ${bytes.length} bytes`,
    });
  });

  it.each([
    [
      "too many bytes",
      "a.jpg",
      sample.jpeg(10, 20, MAX_SHOWN_BYTES),
      /^Images of up to 750 kB and 8000 pixels.*note:\/\/\/a\.jpg/,
    ],
    ["too many pixels", "a b.png", sample.png(8001, 1), /^Images of up to.*note:\/\/\/a%20b\.png/],
    [
      "a format that models do not see",
      "a.avif",
      sample.avif(2, 2),
      /^Assistants are not shown images of the type image\/avif/,
    ],
    ["no end", "a.png", sample.png(64, 64).subarray(0, -12), /damaged/],
    ["no end", "a.jpg", sample.jpeg(5, 6).subarray(0, -2), /damaged/],
    ["no end", "a.webp", sample.webp("VP8 ", 9, 9).subarray(0, -1), /damaged/],
    ["no size", "a.gif", sample.gif(0, 0), /damaged/],
    ["nothing but its first bytes", "a.png", sample.png(1, 1).subarray(0, 20), /damaged/],
    ["another content", "a.png", "<html></html>", /^Its content is not that of an image/],
    ["nothing in it", "a.png", "", /^Its content is not that of an image/],
    ["zeros", "a.bmp", Buffer.alloc(100), /^Its content is not that of an image/],
  ])("with %s is described, and not shown", (_, name, bytes, hint) => {
    const content = contentOf(name, bytes);
    expect(content.image).toBeUndefined();
    expect(content.hint).toMatch(hint);
    expect(content.facts.size).toBe(bytes.length);
  });
});

describe("audio and video", () => {
  it.each([
    ["a.wav", sample.wav(2.5), { duration: 2.5 }],
    ["a.flac", sample.flac(61), { duration: 61 }],
    ["a.ogg", sample.ogg("vorbis", 12), { duration: 12 }],
    ["a.opus", sample.ogg("opus", 3), { duration: 3 }],
    ["a.mp3", sample.mp3(10), { duration: 10 }],
    ["a.mp3", sample.mp3(10, { tag: 5_000 }), { duration: 10 }],
    ["a.mp3", sample.mp3(10, { isCounted: true }), { duration: 10 }],
    ["a.m4a", sample.movie(7, undefined), { duration: 7 }],
    ["a.mp4", sample.movie(3_725, { width: 1280, height: 720 }), { duration: 3_725, width: 1280, height: 720 }],
    ["a.mov", sample.movie(1, { width: 2, height: 4 }, { isLast: true }), { duration: 1, width: 2, height: 4 }],
  ])("%s is as long as its header says", (name, bytes, facts) => {
    expect(contentOf(name, bytes).facts).toMatchObject(facts);
  });

  it("are described in words", () => {
    expect(contentOf("a.mp4", sample.movie(3_725, { width: 1280, height: 720 })).words).toMatch(
      /^video\/mp4, 1280 × 720 pixels, 1:02:05 long, 1 kB$/,
    );
  });

  it.each(["wav", "flac", "ogg", "mp3", "mp4", "webm"])("with a damaged header of %s have their size alone", (type) => {
    for (const start of [
      "RIFF\xff\xff\xff\xffWAVE",
      "fLaC",
      "OggS",
      "\0\0\0\x01ftyp",
      "ID3\x04\0\0\x7f\x7f\x7f\x7f",
      "\xff\xfb",
      "",
    ])
      for (const length of [0, 5, 100]) {
        const bytes = Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(length)]);
        expect(contentOf(`a.${type}`, bytes).facts.duration).toBeUndefined();
      }
  });
});

it("survives any bytes", () => {
  const starts = [
    sample.png(1, 1),
    sample.jpeg(1, 1),
    sample.avif(1, 1),
    sample.movie(1, { width: 1, height: 1 }),
    sample.wav(1),
    sample.mp3(1),
  ];
  for (const start of starts)
    for (let at = 0; at < Math.min(start.length, 300); at += 3)
      for (const value of [0, 1, 255]) {
        const bytes = Buffer.from(start);
        bytes[at] = value;
        expect(contentOf("a.mp4", bytes).facts.size).toBe(bytes.length);
        expect(contentOf("a.png", bytes.subarray(0, at)).facts.size).toBe(at);
      }
});

import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { linksOf } from "../link-report.ts";
import { meantNote } from "./link-targets.ts";

const { vault } = vaultWith({
  "Trips/Kyoto.md": "---\naliases: [Kioto, Old capital]\n---\n# The city of temples\n[[Osaka]]",
  "Trips/Osaka.md": "",
  "A/Plan.md": "",
  "B/Plan.md": "",
  "Kioto history.md": "",
  "Other/Kioto history.md": "",
  "photo.png": "",
  "Files/Scan 1.PDF": "",
  "A/same.jpg": "",
  "B/same.jpg": "",
});

const path = async (sent: string) => (await meantNote(vault, sent)).path;

describe("the note that a reader means", () => {
  it.each([
    "Trips/Kyoto.md",
    "Trips/Kyoto",
    "Kyoto",
    "kyoto.md",
    "[[Kyoto]]",
    "![[Kyoto|the city]]",
    "[[Trips/Kyoto]]",
    "Kioto",
    "[[old capital]]",
    "The city of temples",
  ])("is found by %s", async (sent) => {
    expect(["Trips/Kyoto", "Trips/Kyoto.md"]).toContain(await path(sent));
  });

  it.each([
    ["Trips/Kyoto.md#Temples", { path: "Trips/Kyoto.md", heading: "Temples" }],
    ["Kyoto#Temples", { path: "Trips/Kyoto.md", heading: "Temples" }],
    ["Kyoto#Temples#Zen", { path: "Trips/Kyoto.md", heading: "Temples/Zen" }],
    ["Kioto#^summary", { path: "Trips/Kyoto.md", block: "^summary" }],
    ["Files/Scan 1.PDF#page=3", { path: "Files/Scan 1.PDF", heading: "page=3" }],
    ["C#/Notes#Part", { path: "C#/Notes#Part" }],
    ["Plan#1", { path: "Plan#1" }],
    ["Kyoto#1.md", { path: "Kyoto#1.md" }],
  ])("is found with its part by %s", async (sent, meant) => {
    expect(await meantNote(vault, sent)).toEqual(meant);
  });

  it("is the file that has the name, if a part could be meant as well", async () => {
    const { vault: odd } = vaultWith({ "Kyoto.md": "# 1", "Kyoto#1.md": "" });
    expect(await meantNote(odd, "Kyoto#1")).toEqual({ path: "Kyoto#1" });
  });

  it("is found by the end of its path, if several have the name", async () => {
    expect(await path("[[B/Plan]]")).toBe("B/Plan");
    expect(await path("trips/kyoto")).toMatch(/^trips\/kyoto$|^Trips\/Kyoto.md$/);
  });

  it("is for the person to choose, if several have the name", async () => {
    const missing = { code: "not_found", message: "File not found: Plan" };
    await expect(path("Plan")).rejects.toMatchObject({ ...missing, choices: ["A/Plan.md", "B/Plan.md"], sent: "Plan" });
    expect(await path("[[Plan#Tasks]]")).toBe("[[Plan#Tasks]]");
  });

  it("is what was sent, if none has the name", async () => {
    expect(await path("[[Nowhere]]")).toBe("[[Nowhere]]");
    expect(await path("../Kyoto")).toBe("../Kyoto");
    expect(await path("C/Kyoto")).toBe("C/Kyoto");
  });

  it("may be an attachment, by its name", async () => {
    for (const name of ["scan 1.pdf", "SCAN 1.pdf"]) expect(await path(`![[${name}]]`)).toBe("Files/Scan 1.PDF");
    expect(await path("files/Scan 1.pdf")).toMatch(/^files\/Scan 1\.pdf$|^Files\/Scan 1\.PDF$/);
    expect(await path("[[B/same.jpg]]")).toBe("B/same.jpg");
    await expect(path("same.jpg")).rejects.toMatchObject({ choices: ["A/same.jpg", "B/same.jpg"] });
  });

  it("comes with the part that the link names", async () => {
    expect(await meantNote(vault, "[[Kyoto#Tasks#Today|x]]")).toEqual({
      path: "Trips/Kyoto.md",
      heading: "Tasks/Today",
    });
    expect(await meantNote(vault, "[[Kyoto#^b1]]")).toEqual({ path: "Trips/Kyoto.md", block: "^b1" });
  });

  it("is the one whose links are listed", async () => {
    const { links } = await linksOf(vault, { path: "[[Osaka]]", type: "backlinks" });
    expect(links).toEqual([{ from: "Trips/Kyoto.md", to: "Trips/Osaka.md", count: 1 }]);
  });
});

// The vault "Work": no settings of Obsidian, so that days are only known by the
// notes that exist. Wednesday, 2026-11-18, is today.
import { workdays } from "./days.ts";

const DAILY: Record<string, string> = {
  "2026-11-16":
    "# Monday\n\n- Apollo sync: Priya wants the pilot in two weeks. See [[2026-11-16 Apollo sync]].\n- Read about vector clocks.\n",
  "2026-11-17":
    "# Tuesday\n\n- Talked with [[Noor Haddad]] about the homepage.\n- The numbers of 2026-11-16 were wrong by a factor of two.\n- Invoice from Brightline arrived: 4,350 euros.\n",
  "2026-11-12": "# Thursday\n\n- Interviewed Lena for the data role. Strong on pipelines.\n",
};

export const WORK: Record<string, string> = {
  "Projects/Apollo.md": `---
status: active
tags:
  - project
  - client
  - pilot
owner: Priya Shah
due: 2026-12-01
---
# Apollo

Customer portal for Brightline.

## Goal

A pilot with twenty users before the end of the year.

## Decisions

- Passkeys instead of passwords.
- Hosting stays in Frankfurt.

## Log

- 2026-11-09 Kick-off with [[Priya Shah]].
- 2026-11-16 Scope agreed, see [[2026-11-16 Apollo sync]].

## Tasks

- [ ] Send the scope to Priya 📅 2026-11-20
- [ ] Draft the pilot contract 📅 2026-12-04
- [x] Book the kick-off ✅ 2026-11-02
`,
  "Projects/Website relaunch.md": `---
status: active
tags: [project, web]
aliases: [Relaunch]
---
# Website relaunch

The old site looks dated. Colour of the header is teal. The teal logo stays; teal buttons go.

- [ ] Ask Noor for the final copy
- [ ] Test on phones #mobile

Money: [[Budget 2027]].
`,
  "Projects/Hiring.md": `---
status: paused
tags: [project, people]
---
# Hiring

We look for one data engineer. Candidates: Lena, Marcus.

## Questions

1. Tell us about a pipeline that broke.
2. How do you test data?
`,
  "Projects/Intranet.md": "---\nstatus: done\ntags: [project, web]\n---\n# Intranet\n\nFinished in June 2026.\n",
  "People/Priya Shah.md":
    "---\naliases: [Priya]\nrole: Head of product at Brightline\n---\n# Priya Shah\n\nPrefers mail in the morning. Works on [[Apollo]].\n",
  "People/Noor Haddad.md": "---\nrole: Copywriter\n---\n# Noor Haddad\n\nFreelance, Tuesdays and Thursdays.\n",
  "People/Tomás Vega.md": "# Tomás Vega\n\nDesigner. Likes Brutalist posters.\n",
  "Meetings/2026-11-09 Apollo sync.md":
    "# Apollo sync\n\nPresent: [[Priya Shah]], Tomás.\n\n- Kick-off, roles, calendar.\n",
  "Meetings/2026-11-16 Apollo sync.md":
    "# Apollo sync\n\nPresent: [[Priya Shah]], [[Tomás Vega]].\n\n- Scope agreed for [[Apollo]].\n- Passkeys confirmed.\n- Risk: the legal review takes three weeks.\n",
  "Reference/Deploy checklist.md": `# Deploy checklist

- [ ] Rotate the on-call phone 🔁 every week 📅 2026-11-25
- [ ] Check the backups

1. Freeze merges at noon.
2. Tag the release.
3. Watch the error rate for thirty minutes.
`,
  "Reference/Style guide.md": `---
tags: [writing]
---
# Style guide

Write short sentences. Editors in which what you see is what you get hide the structure of a text; we write in Markdown.
`,
  "Reference/Vendors.md": `---
tags: [vendors, finance]
vendors:
${[
  "Brightline",
  "Northwind Paper",
  "Alder Print",
  "Kestrel Logistics",
  "Blue Kiln",
  "Tandem Legal",
  "Orchard Cloud",
  "Saltmarsh Catering",
  "Fenwick Security",
  "Lumen Analytics",
  "Quarry Metals",
  "Hollow Oak Furniture",
]
  .map(
    (name, i) =>
      `  - name: ${name}\n    contact: desk${i}@${name.toLowerCase().replaceAll(" ", "-")}.example\n    terms: net ${15 + 5 * i} days, invoices in euros, reminder after ${20 + 5 * i}\n    rating: ${(i % 5) + 1}`,
  )
  .join("\n")}
---
# Vendors

Every supplier with terms of payment. Invoices go to the finance desk.
`,
  "Reference/Invoices.md":
    "---\ntags: [finance]\n---\n# Invoices\n\nInvoices are paid on Fridays. Brightline wants a purchase order on each.\n",
  "Inbox.md": "# Inbox\n\n- Look at the new analytics tool\n- Idea: a glossary for new people\n",
  ...Object.fromEntries(
    workdays("2026-08-31", "2026-11-17").map((day) => [
      `Daily/${day}.md`,
      DAILY[day] ?? `# ${day}\n\n- Mail, then planning.\n`,
    ]),
  ),
};

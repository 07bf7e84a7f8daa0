// The vault "Home": most tasks are in it, and it is the second one.
import { workdays } from "./days.ts";

export const HOME: Record<string, string> = {
  "Kitchen renovation.md": `---
status: planning
tags:
  - house
  - money
budget: 12000
---
# Kitchen renovation

## Budget

Oak worktop 2,400. Cabinets 6,100. [[Tile samples]] are free.

## Ideas

- Open shelves instead of wall cabinets
- A window seat

## Log

- 2026-10-30 Measured the room.
- 2026-11-11 Electrician came, cost 180.

## Tasks

- [ ] Call the plumber 📅 2026-11-19
- [ ] Choose tiles 📅 2026-11-24
- [ ] Order the worktop 📅 2026-12-10
`,
  "Travel/Chile.md": `---
tags: [travel, summer]
---
# Chile

Flights in February. Torres del Paine for five days, then Valparaíso.

- [ ] Renew the passport 📅 2026-11-23
- [ ] Book the refugio 📅 2026-11-21

Lists: [[Patagonia packing]]
`,
  "Travel/Japan/Kyoto.md":
    "---\naliases: [old capital]\ntags: [travel]\n---\n# Kyoto\n\nTemples early in the morning. Philosopher's Path, then tea in Uji.\n",
  "Travel/Ideas.md":
    "---\ntags: [travel]\n---\n# Ideas for trips\n\nAfter [[Kyoto]] perhaps Kanazawa. And [[Chile]] first.\n",
  "Health/Sleep.md":
    "---\ntags: [health, habits]\n---\n# Sleep\n\nBest nights after a walk. No screens after ten. Magnesium did nothing.\n",
  "Health/Running.md":
    "---\ntags: [health]\n---\n# Running\n\n- [ ] Stretch 🔁 every day 📅 2026-11-18\n- [ ] Buy new shoes 📅 2026-11-22\n\nA long run on Sundays; twelve kilometres now.\n",
  "Garden/Plants.md": `---
tags: [garden]
---
# Plants

- [ ] Water the ferns 🔁 every week 📅 2026-11-19

The tomatoes like the south wall. Photosynthesis slows below ten degrees.
`,
  "Garden/Compost.md": "---\ntags: [garden]\n---\n# Compost\n\nTwo parts brown, one part green. Turn it each month.\n",
  "Family/Spiele.md":
    "---\ntags: [family]\n---\n# Spiele\n\nDer nächste Brettspielabend ist am 28. November bei Oma. Mitbringen: Chips und die Wolldecken.\n",
  "Family/Fietsen.md": "# Fietsen\n\nDe fietsverlichting van Sam is stuk. Nieuwe lamp kopen.\n",
  "Family/Geburtstage.md": "# Geburtstage\n\n- Oma: 3. Dezember\n- Sam: 14. Januar\n",
  "Recipes/Lentil soup.md":
    "---\ntags: [recipe, quick, vegan]\nrating: 4\n---\n# Lentil soup\n\nRed lentils, cumin, lemon. Twenty-five minutes.\n",
  "Recipes/Shakshuka.md":
    "---\ntags: [recipe, breakfast]\nrating: 5\n---\n# Shakshuka\n\nEggs in tomatoes with harissa. Serve with bread.\n",
  "Recipes/Pancakes.md":
    "---\ntags: [recipe, breakfast, sweet]\nrating: 3\n---\n# Pancakes\n\nButtermilk, one egg, a pinch of salt.\n",
  "Books/The Overstory.md":
    "---\ntags: [book]\nstate: reading\nauthor: Richard Powers\n---\n# The Overstory\n\nNine people and the trees. Page 210.\n",
  "Books/Piranesi.md":
    "---\ntags: [book]\nstate: finished\nauthor: Susanna Clarke\n---\n# Piranesi\n\nA house of tides and statues.\n",
  "Money/Insurance.md":
    "---\ntags: [money]\n---\n# Insurance\n\nHousehold policy number HH-20931, renews on 2027-01-31. Deductible 300.\n",
  "Inbox.md": "# Inbox\n\n- Return the library books\n- Ask Sam about the tent\n",
  ...Object.fromEntries(
    workdays("2026-10-01", "2026-11-17").map((day) => [
      `Diary/${day.slice(0, 4)}/${day}.md`,
      day === "2026-11-17"
        ? "# Tuesday\n\nSlept badly. Sam lost a tooth. Worked on the [[Kitchen renovation]].\n"
        : day === "2026-11-13"
          ? "# Friday\n\nPizza, then cards. Sam won twice.\n"
          : `# ${day}\n\nA quiet day.\n`,
    ]),
  ),
};

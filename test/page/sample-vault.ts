// A small vault as a person might keep it, for the tests of the page and its
// pictures.

const DAY = 24 * 60 * 60 * 1000;

export interface SampleNote {
  readonly text: string;
  /** Days since the last change. */
  readonly age: number;
}

export const SAMPLE_NOTES: Readonly<Record<string, SampleNote>> = {
  "Garden/Garden year.md": {
    age: 0.02,
    text: `---
tags: [garden, plan]
status: growing
season: Spring
started: 2026-03-01
source: https://example.com/almanac
---

# Garden year

What to do when, as it turned out and not as the books have it. The long view is in [[Crop rotation]]; the beds are drawn in [[Beds]].

> [!tip] The one rule
> Water in the evening, and less often than you think.

## Spring

- [x] Order seed potatoes
- [x] Mend the cold frame
- [ ] Sow [[Runner beans]] once the last frost is over
- [ ] Ask Ana about the *old* apple tree

The soil was at ==nine degrees== on the first of April.[^soil] #garden/spring

## Summer

| Bed | What | When |
| --- | --- | ---: |
| North | Runner beans | June |
| South | Tomatoes, basil | July |
| Wall | Sweet peas | May |

Pick the sweet peas every other day, or they stop flowering.

## Autumn

Leaves go into the wire bin, and stay there for two years. See [[Compost#What goes in]] and [[A note that nobody has written]].

[^soil]: Measured ten centimetres deep, at eight in the morning.
`,
  },
  "Garden/Crop rotation.md": {
    age: 3,
    text: `# Crop rotation

Four beds, four years: legumes, brassicas, roots, potatoes. Legumes come first because they leave nitrogen behind.

Back to the [[Garden year]], and on to [[Runner beans]].
`,
  },
  "Garden/Runner beans.md": {
    age: 5,
    text: `---
aliases: [Scarlet runners]
tags: [garden, beans]
---

# Runner beans

Sow two to a pole in late spring, five centimetres deep. They climb anticlockwise, whatever you do.

![[Crop rotation]]
`,
  },
  "Garden/Compost.md": {
    age: 9,
    text: `# Compost

## What goes in

Green and brown in turns, never cooked food. Grass in thin layers, or it turns to silage.

## How long it takes

A year if you turn it, two if you do not.
`,
  },
  "Garden/Beds.md": { age: 12, text: "# Beds\n\nNorth, south, wall. ![[beds.svg]]\n" },
  "Reading/How buildings learn.md": {
    age: 1,
    text: `---
author: Stewart Brand
year: 1994
rating: 5
tags: [reading, architecture]
---

# How buildings learn

Buildings are layers that age at different speeds: site, structure, skin, services, space plan, stuff. What is slow leads, what is quick only moves.

> Every building is a prediction, and every prediction is wrong.

It is as true of programs: see [[Layers of a program]].
`,
  },
  "Work/Layers of a program.md": {
    age: 1.2,
    text: `# Layers of a program

After [[How buildings learn]]: year after year data outlives code, and interfaces outlive implementations.

\`\`\`ts
// What changes at different speeds does not belong in one file.
export interface Layer {
  readonly name: string;
  readonly yearsBetweenChanges: number;
}

export function slowest(layers: readonly Layer[]): Layer | undefined {
  return layers.toSorted((a, b) => b.yearsBetweenChanges - a.yearsBetweenChanges)[0];
}
\`\`\`
`,
  },
  "Work/Meeting with Ana.md": {
    age: 2,
    text: "# Meeting with Ana\n\nWe decided to keep the index as a cache, and the files as the truth. Next: write it down in [[Layers of a program]].\n",
  },
  "Reading/The living mountain.md": {
    age: 6,
    text: "# The living mountain\n\nNan Shepherd on the Cairngorms: to go into the mountain, not up it.\n\n![The plateau](https://images.example.com/plateau.jpg)\n",
  },
  "Travel/Lisbon.md": { age: 20, text: "# Lisbon\n\nTram 28 early, the river late. Custard tarts in between.\n" },
};

/** The image that a note embeds. */
export const SAMPLE_IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120"><rect width="320" height="120" fill="#e4efe9"/><rect x="20" y="20" width="80" height="80" fill="#8ccbb2"/><rect x="120" y="20" width="80" height="80" fill="#5fa98d"/><rect x="220" y="20" width="80" height="80" fill="#1f5d4a"/></svg>`;

export function timeOf({ age }: SampleNote): Date {
  return new Date(Date.now() - age * DAY);
}

// The notes of the embedded vault, for a person who starts without a vault: a short
// guide in linked notes. Used by vault.ts.

export const GUIDE_NOTES: Readonly<Record<string, string>> = {
  "Welcome.md": `---
tags: [guide]
---

# Welcome

This is a vault: a folder of Markdown notes. An assistant that is connected to Commonplace can read, write, move and search them, and everything it does can be undone.

- [[Ask your assistant]]: a few things to try
- [[Your own notes]]: how to use a folder that you already have
- [[Guide/Nothing is lost|Nothing is lost]]: what is kept safe, and how to take something back
`,
  "Guide/Ask your assistant.md": `# Ask your assistant

- "Write a note about what we decided today, in Projects."
- "Add a section on costs to that note."
- "Move it to Archive." Every link to it is kept.
- "Undo that."
- "What did we decide about the garden last month?" Past conversations with assistants on this machine are searched, too.

Back to [[Welcome]].
`,
  "Guide/Your own notes.md": `# Your own notes

Name your folder when you start the page:

\`\`\`
npm start -- --vault ~/Notes
\`\`\`

It then shows the command that connects your assistants to that folder. Or name it once for everything, in the config file that the command \`doctor\` names: \`{"vault": "~/Notes"}\`.

An Obsidian vault works as it is, with Obsidian running or not. Hidden folders (\`.obsidian\`, \`.git\`) are left alone; what assistants did is remembered outside of the vault, unless you say \`--memory vault\`. Back to [[Welcome]].
`,
  "Guide/Nothing is lost.md": `# Nothing is lost

- A note is written whole or not at all.
- A note that was changed elsewhere in the meantime is not overwritten.
- What is deleted goes to \`.trash\` in the vault.
- Each change can be undone, after a restart too.

Back to [[Welcome]].
`,
};

// A process without rights that looks at a project all the same, and tells what
// it saw, or how it was refused.
import { Project } from "../../src/project/project.ts";
import { Problem } from "../../src/kernel/problem.ts";

const answers: string[] = [];
for (const folder of process.argv.slice(2)) {
  try {
    const project = new Project(folder, async () => new Map());
    const { files, leftOut } = await project.files({ endings: [], most: 10, byScore: true });
    await project.info();
    answers.push(`${files.join()} but not ${leftOut.unreadable.join()}`);
  } catch (error) {
    answers.push(error instanceof Problem ? `${error.code} ${error.message}` : String(error));
  }
}
process.stdout.write(JSON.stringify(answers));

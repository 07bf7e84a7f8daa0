// A process without permissions that reads a project all the same, and reports
// what it read, or the error.
import { Project } from "../../../src/project/project.ts";
import { Problem } from "../../../src/kernel/problem.ts";

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

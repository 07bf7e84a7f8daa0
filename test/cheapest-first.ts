// Runs the cheap kinds of program tests before the dear ones. Used by vitest.config.ts.
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { costOf } from "./tiers.ts";

const cost = ({ moduleId, project }: TestSpecification) => costOf(relative(project.config.root, moduleId));

export class CheapestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => cost(one) - cost(other));
  }
}

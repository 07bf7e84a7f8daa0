import { expect, it } from "vitest";
import { redact } from "../redaction.ts";

it.each([
  ["aligned, below a heading in the middle", "NAME  PASSWORD    AGE\nann   *winter2026*  3d\nbob   *summer2027*  4d\n"],
  ["aligned, below the first heading", "PASSWORD    NAME\n*winter2026*  ann\n"],
  ["aligned, below the last heading", "NAME  PASSWORD\nann   *winter2026*\nbob\n"],
  ["between bars", "| name | password |\n| --- | --- |\n| ann | *winter2026* |\n| bob | *summer2027* |\n"],
  ["separated by commas", "name,password,age\nann,*winter2026*,3\n"],
])("redacts the values of a table %s, and nothing beside them", (_, table) => {
  const [plain, redacted] = [table.replaceAll("*", ""), table.replaceAll(/\*\w+\*/g, "[redacted: password]")];
  expect(redact(plain)).toBe(redacted);
});

import { expect, it } from "vitest";
import { redact } from "../redaction.ts";

const value = "q7Xz2LmP9vKc4TbN8sWd1RfG";

it.each([
  ["of a browser's protocol", `{"name": "sid", "value": "${value}"}`],
  ["with capitals", `{"Name":"sid","Value":"${value}"}`],
  ["of an extension, with members between", `{"domain":".a.example","name":"sessionid","path":"/","value":"${value}"}`],
  ["with its value first", `{"value":"${value}","path":"/","name":"auth_token"}`],
])("redacts a cookie %s, and nothing beside it", (_, cookie) => {
  expect(redact(cookie)).toBe(cookie.replace(value, "[redacted: cookie]"));
});

it("leaves the value of another object, of a cookie with a name of no session, and a masked one", () => {
  const others = `[{"name":"sid"},{"name":"theme","value":"${value}"},{"name":"sid","value":"q7Xz2LmP9vKc4****"}]`;
  expect(redact(others)).toBe(others);
});

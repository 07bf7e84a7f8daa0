import { expect, it } from "vitest";
import { redact } from "../../redaction.ts";

const PAIR = Buffer.from("ada:correct horse").toString("base64");
const RANDOM = "q7Xz2LmP9vKc4TbN8sWd1RfG";

// Each value is a secret by one condition alone, and the text beside it lacks that one.
it.each([
  ["a name and a password, encoded", `auth=${PAIR}`, `auth=${RANDOM}`],
  ["the name that npm uses", `_auth=${RANDOM}`, "_auth=none"],
  ["a name that ends in auth", `basic_auth: ${RANDOM}`, `author=${PAIR}`],
  ["a strong value of a word that also means 'key'", "clave: Zx9-qLm!4t", "clave: primavera"],
  ["a strong value of a word that also means 'word'", "parola: Zx9-qLm!4t", "parola: copacul"],
  ["no folder", "pwd=Zx9qLm4t!", "pwd=/home/ada/src1"],
  ["no folder on Windows", "pwd=Zx9qLm4t!", "pwd=C:\\Users\\ada1"],
  ["no path", "password=/Zx9qLm4t!", "password=./secrets/pw1.txt"],
  ["no address", `token=${RANDOM}`, "token=https://example.org/a1"],
  ["no example", "password=Zx9qLm4t!", "password=changeme"],
  ["the statement of a database", "ALTER ROLE app PASSWORD 'winter'", "ALTER ROLE app password 'winter'"],
  ["a digit among words in capitals", 'passphrase: "Winter Garden 26"', 'passphrase: "Winter Garden"'],
  ["one word in quotes", 'password "winter2026x"', 'password "a1 b2 c3 d4"'],
  ["a digit in a table", "| password | winter2026 |", "| password | winter |"],
  ["a digit in a sentence", "The password is winter2026.", "The password is winter."],
  ["no address in a sentence", `The token is ${RANDOM}.`, "The token is https://example.org."],
  ["a random token of a command", `tool --token ${RANDOM}`, "tool --token my-token-1"],
  ["nothing but base 32 in quotes", 'token = "JBSWYADPEHPKLPXP"', 'token = "JBSWYADPEHPKLPXPName"'],
  ["nothing but small letters in quotes", 'token = "qzxkvbjwpfmhgdlt"', 'token = "qzxkvbjwpfmhgdltName"'],
  ["enough letters in quotes", 'token = "qzxkvbjwpfmhgdlt"', 'token = "qzxkvbjwpfmhgdl"'],
  ["no label of a field in Chinese", 'password = "wintergarden"', 'password = "请输入密码"'],
  ["no path of names", 'password = "winter.Garden.1"', 'password = "auth.password.title"'],
  ["no selector", 'password = "#winter1"', 'password = "#password"'],
  ["no constant", 'password = "WINTER_1"', 'password = "INVALID_PASSWORD"'],
  ["a capitalised word after an equals sign", 'password = "Wintergarden"', 'password: "Passwort"'],
  ["many short pieces", 'token = "ab2-c3-ef-gh"', 'token = "ab2-blue-tree-leaf"'],
  ["a letter in a table", "| password | 20261119x |", "| password | 20261119 |"],
  ["a letter in a call", 'set("password", "20261119x")', 'set("password", "20261119")'],
  ["only the signs of a password", "clave: Zx9-qLm!4t", "clave: ¿Zx9-qLm!4t"],
  ["no spaces around the sign", "token=qzxkvbjwpfmhgdlt", "token = qzxkvbjwpfmhgdlt"],
  ["a name without an ending", `TOKEN=${RANDOM}`, `TOKEN_NAME=${RANDOM}`],
])("redacts a value for %s", (_, secret, other) => {
  expect(redact(secret)).toContain("[redacted: ");
  expect(redact(other)).toBe(other);
});

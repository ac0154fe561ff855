// The wording of refused passwords and secrets.
import { expect, test } from "bun:test";
import { type CredentialRules, credentialProblem } from "../../src/kernel/credential-rules.ts";

const plain: CredentialRules = { minimumLength: 4, classes: [] };
const strong: CredentialRules = { minimumLength: 12, classes: ["digit", "lower", "upper", "special"] };

test.each([
  ["", plain, "Password must be non-empty"],
  ["ab c", plain, "Password must not contain whitespace characters"],
  ["ab\u00a0c", plain, "Password must not contain whitespace characters"],
  ["äbcd", plain, "Password must contain only ASCII characters"],
  ["abc", plain, "Password must be at least 4 characters long"],
  ["abcd", plain, null],
  ["a".repeat(1024), plain, null],
  ["a".repeat(1025), plain, "Password must be at most 1024 characters long"],
  ["ABCabc!!!", strong, "Password must be at least 12 characters long, and at least one digit"],
  ["ABCabcABCabc1", strong, "Password at least one special character"],
  ["ABCabcABCabc1-", strong, "Password at least one special character"],
  ["ABCabcABCab1_", strong, null],
  [
    "-",
    strong,
    "Password must be at least 12 characters long, at least one digit, at least one lowercase letter, at least one uppercase letter, and at least one special character",
  ],
] as const)("%p under the rules %p is answered with %p", (text, rules, problem) => {
  expect(credentialProblem("Password", text, rules)).toBe(problem);
});

// What the pages of accounts compute: the way back after a sign-in, the rules of passwords, and passwords that are made up.
import { describe, expect, test } from "bun:test";
import { passwordPolicy, passwordRules } from "../../src/modules/accounts/users/password.rules.ts";
import { generatePassword } from "../../src/web/domain/account/generate-password.ts";
import { checkedRules } from "../../src/web/domain/account/password-rules.ts";
import { ownPath, returnPath, withReturn } from "../../src/web/lib/return-address.ts";

describe("the way back", () => {
  test.each([
    ["/", "/"],
    ["/projects?search=a#b", "/projects?search=a#b"],
    ["/oauth2/authorize?x=%2F%2Fevil", "/oauth2/authorize?x=%2F%2Fevil"],
  ])("%p is a page of ours", (text, path) => expect(ownPath(text)).toBe(path));

  test.each([
    null,
    "",
    "projects",
    "//evil.example.org",
    "/\\evil.example.org",
    "/\t/evil.example.org",
    "/projects\\..\\evil",
    "https://evil.example.org",
    "javascript:alert(1)",
  ])("%p is none", (text) => {
    expect(ownPath(text)).toBe("/");
    // What passes is never read as another host.
    expect(new URL(ownPath(text), "https://own.example.org").host).toBe("own.example.org");
  });

  test("goes through an address and comes out the same", () => {
    const path = "/projects?search=a&b=/x y";
    const address = withReturn("/login", path, { message: "expired" });
    expect(returnPath(address.slice("/login".length))).toBe(path);
    expect(withReturn("/login", "/")).toBe("/login");
  });
});

describe("rules of a new password", () => {
  const strong = passwordRules({ strong: true });
  const kept = (password: string) =>
    checkedRules(password, strong)
      .filter((rule) => rule.kept)
      .map(({ key }) => key);

  test.each([
    ["", []],
    ["a", ["lower", "plain"]],
    ["A1", ["digit", "upper", "plain"]],
    ["ü1 a", ["digit", "lower"]],
    ["correct horse battery", ["length", "lower"]],
    ["Correct-Horse_42", ["length", "digit", "lower", "upper", "special", "plain"]],
  ])("%p keeps %p", (password, keys) => expect(kept(password)).toEqual(keys as never));

  test("all kept means that the server accepts it", () => {
    for (const isStrong of [true, false]) {
      const rules = passwordRules({ strong: isStrong });
      for (const password of [
        "",
        "abc",
        "abcd",
        "ab d",
        "äbcd",
        "Correct-Horse_42",
        "x".repeat(1024),
        "x".repeat(1025),
      ]) {
        const accepts = () => passwordPolicy({ strong: isStrong }).requireAcceptable(password);
        if (checkedRules(password, rules).every((rule) => rule.kept)) expect(accepts).not.toThrow();
        else expect(accepts).toThrow();
      }
    }
  });
});

test("a password that is made up keeps every policy, and is never the same", () => {
  const made = Array.from({ length: 200 }, generatePassword);
  for (const password of made) passwordPolicy({ strong: true }).requireAcceptable(password);
  expect(new Set(made).size).toBe(made.length);
});

// Passwords: policy, hashes, and that checking tells nothing by its time or its failures.
import { describe, expect, test } from "bun:test";
import {
  generatePassword,
  HASH_COST,
  hasCost,
  passwordPolicy,
  unknowablePasswordHash,
} from "../../../../src/modules/accounts/users/password.rules.ts";
import { createPasswordsService } from "../../../../src/modules/accounts/users/passwords.service.ts";
import { failureOf } from "../../../support/failures.ts";

const policy = passwordPolicy({ strong: false });
const strong = passwordPolicy({ strong: true });
const passwords = createPasswordsService(policy);

describe("the policy", () => {
  test("asks for four characters, or twelve of every kind", () => {
    expect(() => policy.requireAcceptable("abcd")).not.toThrow();
    expect(() => policy.requireAcceptable("abc")).toThrow("Password must be at least 4 characters long");
    expect(() => strong.requireAcceptable("abcd")).toThrow(
      "Password must be at least 12 characters long, at least one digit, at least one uppercase letter, and at least one special character",
    );
  });

  test("accepts every generated password", () => {
    const made = Array.from({ length: 200 }, generatePassword);
    for (const password of made) expect(() => strong.requireAcceptable(password)).not.toThrow();
    expect(new Set(made).size).toBe(made.length);
  });
});

describe("hashes", () => {
  test("match their password alone, with a salt of their own", async () => {
    const [one, other] = await Promise.all([passwords.hash("admin"), passwords.hash("admin")]);
    expect(one).not.toBe(other);
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await passwords.check("admin", one)).toEqual({ matches: true, outdated: false });
    expect(await passwords.check("Admin", one)).toEqual({ matches: false, outdated: false });
  });

  test("of older parameters still match and say that they are outdated", async () => {
    const old = await Bun.password.hash("admin", { algorithm: "argon2id", memoryCost: 64, timeCost: 3 });
    expect(hasCost(old, HASH_COST)).toBeFalse();
    expect(await passwords.check("admin", old)).toEqual({ matches: true, outdated: true });
    expect(await passwords.check("other", old)).toEqual({ matches: false, outdated: false });
  });

  test("that are random, absent ones and damaged ones match nothing", async () => {
    for (const hash of [unknowablePasswordHash(), null, "", "$argon2id$damaged"]) {
      expect(await passwords.check("admin", hash)).toEqual({ matches: false, outdated: false });
    }
    expect(await passwords.check("", await passwords.hash("-"))).toEqual({ matches: false, outdated: false });
    expect(hasCost(unknowablePasswordHash(), HASH_COST)).toBeTrue();
  });

  test("are not made of a password that the policy refuses", async () => {
    const failure = await failureOf(passwords.hashAcceptable("a b c d", null));
    expect([failure.kind, failure.message]).toEqual(["invalid", "Password must not contain whitespace characters"]);
  });

  test("are not made of the password that they are to replace, nor of the documented one", async () => {
    const refusal = async (password: string, replaced: string | null) =>
      (await failureOf(passwords.hashAcceptable(password, replaced))).message;
    const old = await passwords.hash("abcd");
    expect(await refusal("abcd", old)).toBe("Password must differ from the current one");
    expect(await passwords.hashAcceptable("abcde", old)).toStartWith("$argon2id$");
    for (const replaced of [null, old, await passwords.hash("admin")]) {
      expect(await refusal("admin", replaced)).toBe("Password must not be the one that the documentation names");
    }
  });

  test("are computed off the event loop", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await Promise.all(Array.from({ length: 4 }, () => passwords.hash("admin")));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

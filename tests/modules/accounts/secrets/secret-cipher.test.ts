// Encryption of secrets: each value by itself, bound to its name, unreadable without the same SERVICE_SECRET.
import { describe, expect, test } from "bun:test";
import { effectiveChanges, maskOf } from "../../../../src/modules/accounts/secrets/secret-change.rules.ts";
import { createSecretCipher } from "../../../../src/modules/accounts/secrets/secret-cipher.rules.ts";

const cipher = createSecretCipher("one-secret-of-32-characters-long");
const value = "sk-proj-Käse-🧀-0123456789";

describe("the cipher", () => {
  test("gives back what it was given, on another server too", async () => {
    const stored = await cipher.encrypt("A_KEY", value);
    expect(await createSecretCipher("one-secret-of-32-characters-long").decrypt("A_KEY", stored)).toBe(value);
    expect(Buffer.from(stored).includes(Buffer.from("sk-proj"))).toBe(false);
  });

  test("never writes the same bytes twice", async () => {
    const [one, other] = [await cipher.encrypt("A_KEY", value), await cipher.encrypt("A_KEY", value)];
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(false);
  });

  test("reads neither what belongs to another name nor what another secret wrote", async () => {
    const stored = await cipher.encrypt("A_KEY", value);
    expect(await cipher.decrypt("B_KEY", stored)).toBeNull();
    expect(await createSecretCipher("another-secret-32-characters-long").decrypt("A_KEY", stored)).toBeNull();
    expect(await createSecretCipher(null).decrypt("A_KEY", stored)).toBeNull();
  });

  test("reads no byte of what was changed, cut or is of another format", async () => {
    const stored = Buffer.from(await cipher.encrypt("A_KEY", value));
    for (let at = 0; at < stored.length; at++) {
      const changed = Buffer.from(stored);
      changed[at]! ^= 1;
      expect(await cipher.decrypt("A_KEY", changed)).toBeNull();
    }
    for (const length of [0, 1, 12, 28, stored.length - 1]) {
      expect(await cipher.decrypt("A_KEY", stored.subarray(0, length))).toBeNull();
    }
  });

  test("works without SERVICE_SECRET, as an empty one", async () => {
    const stored = await createSecretCipher(null).encrypt("A_KEY", value);
    expect(await createSecretCipher(null).decrypt("A_KEY", stored)).toBe(value);
  });
});

describe("what counts of a change", () => {
  test("is the last entry of each key, from last to first, trimmed", () => {
    const changes = [
      { key: "A", value: "1" },
      { key: " B ", value: " 2 " },
      { key: "A ", value: null },
    ];
    expect(effectiveChanges(changes)).toEqual([
      { key: "A", value: null },
      { key: "B", value: "2" },
    ]);
  });
});

describe("a mask", () => {
  test("shows the last four characters of long values and nothing of short ones", () => {
    expect(maskOf("x".repeat(27) + "wxyz")).toBe("\uE000REDACTED\uE000\uE000");
    expect(maskOf("x".repeat(28) + "wxyz")).toBe("\uE000REDACTED\uE000wxyz\uE000");
  });
});

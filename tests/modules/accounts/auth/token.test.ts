// The form of tokens, and texts that look like tokens and are not.
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import {
  carriesRandomOf,
  createTokenForm,
  newTokenRandom,
  secretsEqual,
} from "../../../../src/modules/accounts/auth/tokens/token.rules.ts";
import { tokenKinds } from "../../../../src/modules/accounts/auth/tokens/token.schema.ts";

const SECRET = "a-secret-of-the-test-with-1-digit-and-more";
const form = createTokenForm(SECRET);

const encoded = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token with any header and payload, signed with the key. */
function forged(header: unknown, payload: unknown, { key = SECRET, hash = "sha256" } = {}): string {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest("base64url")}`;
}

const HEADER = { alg: "HS256", typ: "JWT" };
const payloadOf = (jti: unknown, rnd: unknown = "AAAA") => ({ jti, rnd });

describe("write and read", () => {
  test("give back kind, row and random value, for every kind", async () => {
    for (const kind of tokenKinds) {
      const { random, hash } = newTokenRandom();
      const claims = await form.read(await form.write({ kind, rowId: 12, random }));
      expect(claims).toMatchObject({ kind, rowId: 12 });
      expect(carriesRandomOf(claims!, hash)).toBe(true);
      expect(carriesRandomOf(claims!, newTokenRandom().hash)).toBe(false);
      expect(carriesRandomOf(claims!, new Uint8Array(0))).toBe(false);
    }
  });

  test("the token says nothing of its owner, role or expiry", async () => {
    const token = await form.write({ kind: "ApiKey", rowId: 7, random: newTokenRandom().random });
    const [header, payload] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
    expect(JSON.parse(header!)).toEqual(HEADER);
    expect(Object.keys(JSON.parse(payload!)).sort()).toEqual(["jti", "rnd"]);
    expect(JSON.parse(payload!).jti).toBe("ApiKey:7");
  });

  test("two tokens of one row differ", async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => form.write({ kind: "AccessToken", rowId: 1, random: newTokenRandom().random })),
    );
    expect(one).not.toBe(other!);
  });
});

describe("read refuses", () => {
  const good = payloadOf("AccessToken:1");

  test("the forger's own test: what is forged with the right key and form is read", async () => {
    expect(await form.read(forged(HEADER, good))).toMatchObject({ kind: "AccessToken", rowId: 1 });
  });

  const refused: Readonly<Record<string, string>> = {
    "no signature at all": `${encoded({ alg: "none", typ: "JWT" })}.${encoded(good)}.`,
    "alg none with a signature": forged({ alg: "none", typ: "JWT" }, good),
    "alg in other letters": forged({ alg: "hs256", typ: "JWT" }, good),
    "another hash": forged({ alg: "HS512", typ: "JWT" }, good, { hash: "sha512" }),
    "an asymmetric algorithm over the shared secret": forged({ alg: "RS256", typ: "JWT" }, good),
    "another secret": forged(HEADER, good, { key: `${SECRET}x` }),
    "an empty secret": forged(HEADER, good, { key: "" }),
    "a key named by the token": forged({ ...HEADER, jwk: { kty: "oct", k: encoded("mine") } }, good, { key: "mine" }),
    "a critical header": forged({ ...HEADER, crit: ["b64"], b64: false }, good),
    "no header": `.${encoded(good)}.x`,
    "a header that is no JSON": forged("nothing", good),
    "a payload that is no object": forged(HEADER, "[]"),
    "no jti": forged(HEADER, { rnd: "AAAA" }),
    "no random value": forged(HEADER, { jti: "AccessToken:1" }),
    "a random value that is no text": forged(HEADER, payloadOf("AccessToken:1", 5)),
    "a kind nobody knows": forged(HEADER, payloadOf("SessionToken:1")),
    "row zero": forged(HEADER, payloadOf("AccessToken:0")),
    "a row beyond all ids": forged(HEADER, payloadOf("AccessToken:9999999999")),
    "a row that is an expression": forged(HEADER, payloadOf("AccessToken:1 or 1=1")),
    "two rows": forged(HEADER, payloadOf("AccessToken:1\nApiKey:2")),
    "a list of names": forged(HEADER, payloadOf(["AccessToken:1"])),
    "an expiry of its own that is over": forged(HEADER, { ...good, exp: 1 }),
    "a text without dots": "abc",
    nothing: "",
    "a very long text": forged(HEADER, { ...good, padding: "x".repeat(100_000) }),
  };
  for (const [what, token] of Object.entries(refused)) {
    test(what, async () => {
      expect(await form.read(token)).toBeNull();
    });
  }

  test("a token changed in any of its three parts", async () => {
    const token = await form.write({ kind: "AccessToken", rowId: 1, random: newTokenRandom().random });
    const parts = token.split(".");
    for (const position of [0, 1, 2]) {
      const changed = parts.map((part, at) =>
        at === position ? `${part[0] === "a" ? "b" : "a"}${part.slice(1)}` : part,
      );
      expect(await form.read(changed.join("."))).toBeNull();
    }
  });
});

test("secrets are compared whole", () => {
  expect(secretsEqual(SECRET, SECRET)).toBe(true);
  expect(secretsEqual(SECRET, SECRET.slice(1))).toBe(false);
  expect(secretsEqual(SECRET, "")).toBe(false);
});

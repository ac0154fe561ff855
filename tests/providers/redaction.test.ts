import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRedactor, secretsOf } from "../../src/providers/redaction.ts";
import { modelEndpoint } from "../support/model-calls.ts";

const SECRET = "sk-of/the tests";

test("secrets are redacted, also URL-encoded and JSON-escaped", () => {
  const { text } = createRedactor([SECRET, 'quoted"secret']);
  expect(text(`key=${SECRET}, Bearer ${SECRET}`)).toBe("key=[REDACTED], Bearer [REDACTED]");
  expect(text(`?key=${encodeURIComponent(SECRET)}`)).toBe("?key=[REDACTED]");
  expect(text(JSON.stringify({ a: 'quoted"secret' }))).toBe('{"a":"[REDACTED]"}');
});

test("short values are not redacted", () => {
  const { text } = createRedactor(["true", "7 chars", "8 chars!"]);
  expect(text("true 7 chars 8 chars!")).toBe("true 7 chars [REDACTED]");
});

test("a secret that contains another one is redacted as a whole", () => {
  expect(createRedactor(["abcdefgh", "abcdefgh-more"]).text("abcdefgh-more abcdefgh")).toBe("[REDACTED] [REDACTED]");
});

test("a stream is redacted like the whole text, however it is split, and holds back only possible secrets", () => {
  const piece = fc.constantFrom("s", "sk", "sk-of/the", " tests", SECRET, "x", "sk-sk-of/the tests", " ", "é");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const redactor = createRedactor([SECRET]);
      const stream = redactor.stream();
      let passed = "";
      for (const each of pieces) {
        passed += stream.push(each);
        expect(passed).not.toContain(SECRET);
      }
      passed += stream.end();
      const whole = redactor.text(pieces.join(""));
      expect(passed).toBe(whole);
      expect(stream.found).toBe(whole !== pieces.join(""));
    }),
  );
  const stream = createRedactor([SECRET]).stream();
  expect(["Hello ", "desk", "-top"].map((each) => stream.push(each))).toEqual(["Hello ", "de", "sk-top"]);
});

test("the secrets of an endpoint are its keys, tokens and header values", () => {
  const headers = { "x-team": "value-of-a-header" };
  const of = (credentials: Parameters<typeof modelEndpoint>[1]) =>
    secretsOf(modelEndpoint("", { headers, ...credentials }));
  expect(of({ credentials: { type: "none" } })).toEqual(["value-of-a-header"]);
  expect(of({})).toContain("sk-of-the-tests-0123456789");
  const keys = { type: "access_keys", accessKeyId: "id", secretAccessKey: "secret", sessionToken: "token" } as const;
  expect(of({ credentials: keys })).toEqual(["value-of-a-header", "id", "secret", "token"]);
  const application = {
    type: "azure_ad",
    authority: "",
    tenantId: "t",
    clientId: "c",
    clientSecret: "s",
    scope: "",
  } as const;
  expect(of({ credentials: application })).toEqual(["value-of-a-header", "s"]);
});

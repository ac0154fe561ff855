// Validation of calls and of custom headers.
import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/kernel/failure.ts";
import type { ModelCall, ModelEndpoint } from "../../src/providers/model-call.ts";
import { requireModelCall } from "../../src/providers/model-call-checks.ts";
import { requireSendableHeaders } from "../../src/providers/request-headers.ts";
import { anthropic, callTools, google, modelCall, modelEndpoint, openAi } from "../support/model-calls.ts";

function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure && error.kind === "invalid") return error.message;
    throw error;
  }
  return "";
}

describe("a call", () => {
  const check = (changes: Partial<ModelCall>, endpoint: Partial<ModelEndpoint> = {}) =>
    refusalOf(() => requireModelCall(modelCall(modelEndpoint("http://127.0.0.1", endpoint), changes)));
  const toAnthropic = { provider: "ANTHROPIC", wire: "anthropic" } as const;

  test("that is valid is accepted", () => {
    expect(check({})).toBe("");
    expect(
      check({ parameters: anthropic({ max_tokens: 2000 }, { type: "enabled", budget_tokens: 1999 }) }, toAnthropic),
    ).toBe("");
  });

  test.each<[Partial<ModelCall>, Partial<ModelEndpoint>, string]>([
    [{ model: " " }, {}, "A model name is required for OpenAI models"],
    [
      { parameters: google({}) },
      {},
      "Invocation parameters variant 'google' does not match model provider 'OPENAI' (expected 'openai').",
    ],
    [{ tools: callTools([]) }, {}, "tools.tools must have at least one tool"],
    [{ parameters: openAi({ extra_body: [1] as never }) }, {}, "extra_body must be a JSON object"],
    [
      { parameters: anthropic({ max_tokens: 2000 }, { type: "enabled", budget_tokens: 2000 }) },
      toAnthropic,
      "thinking.budget_tokens must be below max_tokens",
    ],
    [
      { tools: { tools: [{ type: "raw", raw: {} }] } },
      {},
      "tools: raw tools need the Responses API; this call speaks Chat Completions",
    ],
    [{}, { headers: { Host: "evil" } }, 'headers: "Host" cannot be set'],
  ])("is refused with the member: %#", (changes, endpoint, message) => {
    expect(check(changes, endpoint)).toBe(message);
  });
});

describe("headers", () => {
  const check = (headers: unknown, allowsKeys = false) =>
    refusalOf(() => requireSendableHeaders(headers, { allowsKeys }));

  test("are returned with lower-case names, without empty values", () => {
    const headers = { "X-Team": "é a", "x-empty": " ", "OpenAI-Beta": "v2", "x-tab": "a\tb" };
    expect(requireSendableHeaders(headers, { allowsKeys: false })).toEqual({
      "x-team": "é a",
      "openai-beta": "v2",
      "x-tab": "a\tb",
    });
    for (const none of [null, undefined, {}]) expect(requireSendableHeaders(none, { allowsKeys: false })).toEqual({});
  });

  test.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "connection",
    "keep-alive",
    "te",
    "trailer",
    "upgrade",
    "Proxy-Authorization",
    "proxy-connection",
    "forwarded",
    "X-Forwarded-For",
    "cookie",
    "expect",
  ])("%s is never allowed", (name) => {
    expect(check({ [name]: "x" }, true)).toBe(`headers: "${name}" cannot be set`);
  });

  test.each(["Authorization", "x-api-key", "API-Key", "x-goog-api-key"])(
    "%s is allowed only with a key of the request",
    (name) => {
      expect(check({ [name]: "x" })).toContain(`"${name}" can be set only with a key`);
      expect(check({ [name]: "x" }, true)).toBe("");
    },
  );

  test("invalid names and values are refused by name", () => {
    expect(check({ "X-Bad\r\nInjected": "a" })).toBe('headers: "X-Bad\\r\\nInjected" is not a valid header name');
    for (const name of ["", "a b", "a:b", "é"]) expect(check({ [name]: "a" })).toContain("is not a valid header name");
    for (const value of ["a\r\nb", "a\nb", "a\u0000b", "a\u007fb", "a\u4e2db"]) {
      expect(check({ "x-a": value })).toBe('headers: "x-a" contains a character that is not allowed in headers');
    }
    expect(check({ "x-a": 1 })).toBe('headers: "x-a" must have a string as its value');
    for (const none of [[], "x: y", 1]) expect(check(none)).toBe("headers must be an object of strings");
  });
});

import { expect, test } from "bun:test";
import { failureKindOf, isTransientStatus, retryAfterSeconds, thrownFailure } from "../../src/providers/failures.ts";
import { ProviderFetchError } from "../../src/providers/provider-fetch.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z") * 1000;
const wait = (headers: Record<string, string>) => retryAfterSeconds({ headers: new Map(Object.entries(headers)) }, NOW);

test("retry-after is read as milliseconds, seconds or a date", () => {
  expect(wait({ "retry-after": "2" })).toBe(2);
  expect(wait({ "retry-after": " 0.5 " })).toBe(0.5);
  expect(wait({ "retry-after": "7", "retry-after-ms": "1500" })).toBe(1.5);
  expect(wait({ "retry-after": "Fri, 01 May 2026 12:00:30 GMT" })).toBe(30);
  expect(wait({ "retry-after": "Fri, 01 May 2026 11:00:00 GMT" })).toBe(0);
  for (const unreadable of ["", "soon", "-1", "1e3", "Infinity"])
    expect(wait({ "retry-after": unreadable })).toBeNull();
  expect(wait({})).toBeNull();
});

test("failure kinds of HTTP statuses", () => {
  expect([401, 403, 429, 503, 529, 400, 404, 500].map(failureKindOf)).toEqual([
    "auth",
    "auth",
    "rate_limit",
    "overloaded",
    "overloaded",
    "provider_error",
    "provider_error",
    "provider_error",
  ]);
  expect([400, 401, 403, 404, 408, 409, 422, 429, 500, 529].filter(isTransientStatus)).toEqual([
    408, 409, 429, 500, 529,
  ]);
});

test("connection errors and timeouts are transient; refused addresses and large answers are not", () => {
  const kinds = ["connection", "timeout", "address", "too_large"] as const;
  const transient = kinds.filter((kind) => thrownFailure(new ProviderFetchError(kind, "x"))?.isTransient);
  expect(transient).toEqual(["connection", "timeout"]);
});

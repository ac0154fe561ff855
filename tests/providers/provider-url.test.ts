import { expect, test } from "bun:test";
import { ProviderFetchError } from "../../src/providers/provider-fetch.ts";
import { redirectTarget } from "../../src/providers/provider-url.ts";

const target = (from: string, location: string) => redirectTarget(new URL(from), location).href;

test("redirects stay on the origin, or go to https on the same host", () => {
  expect(target("https://api.example/v1/a", "/v2/b")).toBe("https://api.example/v2/b");
  expect(target("https://api.example:8443/v1/a", "b?x=1")).toBe("https://api.example:8443/v1/b?x=1");
  expect(target("http://api.example/v1", "https://API.example/v1")).toBe("https://api.example/v1");
  for (const [from, location] of [
    ["http://api.example/", "https://other.example/"],
    ["https://api.example/", "https://api.example.evil/"],
    ["https://api.example/", "https://api.example:8443/"],
    ["https://api.example/", "http://api.example/"],
    ["http://api.example:8080/", "https://api.example/"],
    ["http://api.example/", "https://api.example:8443/"],
    ["https://api.example/", "//other.example/"],
    ["https://api.example/", "https://user@api.example/"],
    ["https://api.example/", "ftp://api.example/"],
    ["https://api.example/", "https://"],
  ] as const) {
    expect(() => target(from, location)).toThrow(ProviderFetchError);
  }
});

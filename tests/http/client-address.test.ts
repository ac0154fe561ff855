// The address of a client behind proxies.
import { expect, test } from "bun:test";
import { clientAddressOf } from "../../src/http/client-address.ts";

/** What is trusted, who connects, what `X-Forwarded-For` says, and who it is then. */
const cases: readonly (readonly [string[], string | null, string | null, string | null])[] = [
  [["127.0.0.1"], "192.0.2.1", null, "192.0.2.1"],
  [["127.0.0.1"], "192.0.2.1", "198.51.100.9", "192.0.2.1"],
  [["127.0.0.1"], "127.0.0.1", "198.51.100.9", "198.51.100.9"],
  [["127.0.0.1"], "::ffff:127.0.0.1", "198.51.100.9", "198.51.100.9"],
  [["127.0.0.1"], "127.0.0.1", null, "127.0.0.1"],
  [["127.0.0.1"], "127.0.0.1", "", "127.0.0.1"],
  [["127.0.0.1"], "127.0.0.1", "unknown, not an address", "127.0.0.1"],
  // A client may write what it likes: what the nearest proxy heard stands at the right.
  [["127.0.0.1"], "127.0.0.1", "203.0.113.5, 198.51.100.9", "198.51.100.9"],
  [["10.0.0.0/8"], "10.0.0.2", "203.0.113.5, 198.51.100.9, 10.9.9.9", "198.51.100.9"],
  [["10.0.0.0/8"], "10.0.0.2", "10.1.1.1, 10.9.9.9", "10.1.1.1"],
  [["10.0.0.0/8"], "11.0.0.2", "198.51.100.9", "11.0.0.2"],
  [["2001:db8::/32"], "2001:db8::1", "2001:db9::7", "2001:db9::7"],
  [["127.0.0.1"], "127.0.0.1", "[2001:db9::7]:4711", "2001:db9::7"],
  [["127.0.0.1"], "127.0.0.1", "198.51.100.9:4711", "198.51.100.9"],
  [["*"], "192.0.2.1", "203.0.113.5, 198.51.100.9", "203.0.113.5"],
  [[], "127.0.0.1", "198.51.100.9", "127.0.0.1"],
  [["127.0.0.1"], null, "198.51.100.9", null],
];

test.each(cases)("trusting %p, connected from %p, forwarded for %p: %p", (trusted, peer, forwarded, expected) => {
  const headers: Record<string, string> = forwarded === null ? {} : { "x-forwarded-for": forwarded };
  expect(clientAddressOf(trusted)(new Request("http://localhost/", { headers }), () => peer)).toBe(expected);
});

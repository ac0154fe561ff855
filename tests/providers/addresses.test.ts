import { expect, test } from "bun:test";
import { addressClassOf, isAllowedHost } from "../../src/providers/addresses.ts";

test.each([
  ["public", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]],
  [
    "private",
    [
      "127.0.0.1",
      "127.255.0.9",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "100.64.0.1",
      "::1",
      "fd00::1",
      "::ffff:10.0.0.1",
    ],
  ],
  [
    "forbidden",
    [
      // Cloud metadata services, in every notation.
      "169.254.169.254",
      "::ffff:169.254.169.254",
      "64:ff9b::a9fe:a9fe",
      "fd00:ec2::254",
      "fd00:ec2:0:0:0:0:0:254",
      "fd20:ce::254",
      "100.100.100.200",
      "168.63.129.16",
      "192.0.0.192",
      // Link-local, unspecified, multicast, broadcast, reserved, tunnels.
      "169.254.1.1",
      "fe80::1",
      "fe80::1%eth0",
      "0.0.0.0",
      "::",
      "224.0.0.1",
      "ff02::1",
      "255.255.255.255",
      "240.0.0.1",
      "192.0.2.1",
      "2001:db8::1",
      "2002:7f00:1::",
      "2001::1",
      "fec0::1",
      "",
      "localhost",
      "1.2.3.4.5",
    ],
  ],
] as const)("%s addresses", (expected, addresses) => {
  expect(addresses.map((address) => [address, addressClassOf(address)])).toEqual(
    addresses.map((address) => [address, expected]),
  );
});

test("hosts are allowed by exact name or by wildcard, case-insensitively", () => {
  const allowed = ["api.openai.com", "*.Example.com"];
  const hosts = ["api.openai.com", "API.OpenAI.com", "a.example.com", "a.b.EXAMPLE.com"];
  expect(hosts.filter((host) => isAllowedHost(host, allowed))).toEqual(hosts);
  const others = ["openai.com", "example.com", "evilexample.com", "api.openai.com.evil.com", "x.api.openai.com"];
  expect(others.filter((host) => isAllowedHost(host, allowed))).toEqual([]);
});

// Which addresses of the network may be called. Names are resolved before; what a name means changes, an address does not.
import ipaddr from "ipaddr.js";

/** `private` is the own machine and network; `forbidden` is never called, whatever is allowed. */
type AddressClass = "public" | "private" | "forbidden";

/** Where clouds answer questions about the machine, secrets included, beside the link-local ones. */
const METADATA_ADDRESSES = new Set(
  ["fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"].map((text) =>
    ipaddr.parse(text).toString(),
  ),
);
const PRIVATE_RANGES = new Set(["private", "loopback", "uniqueLocal", "carrierGradeNat"]);
/** NAT64: the last 32 bits are an address of IPv4. */
const TRANSLATED_PREFIX = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** `address` is IPv4 or IPv6 as text; a text that is none is forbidden. */
export function addressClassOf(address: string): AddressClass {
  if (!ipaddr.isValid(address)) return "forbidden";
  // IPv4 inside IPv6 is the same address.
  const parsed = ipaddr.process(address);
  if (METADATA_ADDRESSES.has(parsed.toString())) return "forbidden";
  if (parsed instanceof ipaddr.IPv6 && parsed.match(TRANSLATED_PREFIX)) {
    return addressClassOf(new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString());
  }
  const range = parsed.range();
  if (range === "unicast") return "public";
  return PRIVATE_RANGES.has(range) ? "private" : "forbidden";
}

/** Whether the host is one of the names; `*.example.com` stands for every name below it. Letter case does not count. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const name = host.toLowerCase();
  return allowed.some((each) => {
    const pattern = each.toLowerCase();
    return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

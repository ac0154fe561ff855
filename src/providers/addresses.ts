// Which IP addresses may be called. Host names are resolved before: a name can change its address, an address stays what it is.
import ipaddr from "ipaddr.js";

/** `private` is this machine and private networks; `forbidden` is never called, whatever the settings allow. */
type AddressClass = "public" | "private" | "forbidden";

/** Metadata services of clouds, which hand out credentials; the link-local ones are covered by their range. */
const METADATA_ADDRESSES = new Set(
  ["fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"].map((text) =>
    ipaddr.parse(text).toString(),
  ),
);
/** Those of Amazon outside of the link-local range. */
const METADATA_HOSTS = new Set(["fd00:ec2::254", "fd00:ec2::23"].map((text) => ipaddr.parse(text).toString()));
const PRIVATE_RANGES = new Set(["private", "loopback", "uniqueLocal", "carrierGradeNat"]);
/** NAT64: the last 32 bits are an IPv4 address. */
const TRANSLATED_PREFIX = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** `address` is IPv4 or IPv6 as text; any other text is `forbidden`. */
export function addressClassOf(address: string): AddressClass {
  if (!ipaddr.isValid(address)) return "forbidden";
  // An IPv4-mapped IPv6 address reaches the IPv4 address.
  const parsed = ipaddr.process(address);
  if (METADATA_ADDRESSES.has(parsed.toString())) return "forbidden";
  if (parsed instanceof ipaddr.IPv6 && parsed.match(TRANSLATED_PREFIX)) {
    return addressClassOf(new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString());
  }
  const range = parsed.range();
  if (range === "unicast") return "public";
  return PRIVATE_RANGES.has(range) ? "private" : "forbidden";
}

/** Where machines and containers ask for credentials of their own: link-local addresses, and services inside of the machine. */
export function isMetadataAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return METADATA_HOSTS.has(parsed.toString()) || ["loopback", "linkLocal"].includes(parsed.range());
}

/** Whether the host is one of the names; `*.example.com` matches every name below it. Case-insensitive. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const name = host.toLowerCase();
  return allowed.some((each) => {
    const pattern = each.toLowerCase();
    return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

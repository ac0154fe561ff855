// The address a request comes from: the other end of the connection, or what a trusted proxy says about it.
import { BlockList, isIP } from "node:net";

/** The other end of the connection; null when it is not known. */
export type Peer = () => string | null;

type ClientAddress = (request: Request, peer: Peer) => string | null;

/** `trustedProxies` is FORWARDED_ALLOW_IPS: addresses, networks such as `10.0.0.0/8`, or `*` for every peer; the
 *  settings have checked them. */
export function clientAddressOf(trustedProxies: readonly string[]): ClientAddress {
  const trustsAll = trustedProxies.includes("*");
  const networks = new BlockList();
  for (const entry of trustedProxies) addNetwork(networks, entry);
  const isTrusted = (address: string) => {
    const kind = isIP(address);
    return trustsAll || (kind !== 0 && networks.check(address, kind === 6 ? "ipv6" : "ipv4"));
  };

  return (request, peer) => {
    const near = plainAddress(peer());
    if (near === null || !isTrusted(near)) return near;
    // Each proxy appends whom it heard from: the first one from the right that is not ours is the client.
    const passed = (request.headers.get("x-forwarded-for") ?? "").split(",").map((entry) => plainAddress(entry.trim()));
    const known = passed.filter((address) => address !== null);
    return (trustsAll ? known[0] : known.findLast((address) => !isTrusted(address))) ?? known[0] ?? near;
  };
}

function addNetwork(networks: BlockList, entry: string): void {
  if (entry === "*") return;
  const [address = "", bits] = entry.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (bits === undefined) networks.addAddress(address, family);
  else networks.addSubnet(address, Number(bits), family);
}

/** Without a port, and IPv4 as such; null for text that is not an address. */
function plainAddress(text: string | null): string | null {
  if (text === null || text === "") return null;
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
  return isIP(plain) === 0 ? null : plain;
}

// The hosts of a PostgreSQL URL: one or several, each with its own port, as libpq reads them.
import { accepted, type Parsed, refused } from "./setting.ts";

const HOST_AND_PORT = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*)(?::(\d*))?$/;
const MALFORMED = refused<string>(
  "The PostgreSQL URL has a malformed user, password, host or port.",
  "percent-encode special characters of user and password.",
);

/** Hosts as they stand before the path, else those of the parameters; `localhost` without any. A port of the parameters is that of all
 *  hosts without one; several are as many as the hosts. Resolves to `host:port,…`. */
export function readPostgresHosts(authority: string, host: string, port: string): Parsed<string> {
  const named =
    authority === "" || authority.startsWith(":") ? hostsOfParameter(host, authority) : authority.split(",");
  const ports = port.split(",");
  if (ports.length > 1 && ports.length !== named.length)
    return refused(
      `The PostgreSQL URL has ${ports.length} ports for ${named.length} hosts.`,
      "name one port, or one for each host.",
    );
  const places: string[] = [];
  for (const [position, text] of named.entries()) {
    if (text.startsWith("/")) return refused("A socket directory as host is not supported; name a host.");
    const [, name, ownPort] = HOST_AND_PORT.exec(text) ?? [];
    if (name === undefined) return MALFORMED;
    if (name === "") return refused("The PostgreSQL URL has an empty host in its list of hosts.");
    const place = ownPort || (ports.length > 1 ? ports[position] : ports[0]) || "";
    if (place !== "" && !(/^\d+$/.test(place) && Number(place) >= 1 && Number(place) <= 65_535))
      return refused("The port of the PostgreSQL URL is not between 1 and 65535.");
    places.push(place === "" ? name : `${name}:${place}`);
  }
  return accepted(places.join(","));
}

/** An address of IPv6 stands there without brackets. */
function hostsOfParameter(host: string, port: string): string[] {
  const names = (host || "localhost").split(",");
  return names.map((name) => `${/^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/.test(name) ? `[${name}]` : name}${port}`);
}

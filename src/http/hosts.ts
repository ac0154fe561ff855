// Which names the service answers to while authentication is off. The owner of a name can let it resolve to any address (DNS rebinding), also
// to ours: a page of that name could then read everything through the browser of each visitor. Its requests carry the name in
// `Host`. Addresses, and names that cannot be registered, cannot be taken that way.
import { isIP } from "node:net";
import type { Logger } from "../kernel/logger.ts";
import { type Answer, TEXT } from "./failures.ts";

/** Of networks and machines of one's own; the cluster's names end in `.local`. */
const PRIVATE_SUFFIXES = [".localhost", ".local", ".internal"];

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?)(?::\d*)?$/i;
/** Names that the log warns of, each once: senders can make up any number. */
const MOST_WARNINGS = 50;

type HostCheck = (request: Request) => Answer | null;

/** The refusal (421) of a request with a foreign host name, or null. `names` are answered besides addresses and private
 *  names, in lower case; one with a leading dot stands for all below it. Null answers every host. */
export function hostCheck(names: readonly string[] | null, log: Logger): HostCheck {
  if (names === null) return () => null;
  const own = new Set(names);
  const suffixes = [...PRIVATE_SUFFIXES, ...names.filter((name) => name.startsWith("."))];
  const warned = new Set<string>();

  function isAnswered(host: string): boolean {
    const [, address, given] = HOST.exec(host) ?? [];
    if (address !== undefined) return isIP(address) === 6;
    if (given === undefined) return false;
    const name = given.toLowerCase();
    if (!name.includes(".") || isIP(name) === 4 || own.has(name)) return true;
    return suffixes.some((suffix) => name.endsWith(suffix));
  }

  return ({ headers }) => {
    const host = headers.get("host") ?? "";
    // Browsers always name one.
    if (host === "" || isAnswered(host)) return null;
    const text = `This service does not answer to ${shown(host)}`;
    if (warned.size < MOST_WARNINGS && !warned.has(text)) {
      warned.add(text);
      log.warning(`${text}: name it in SERVICE_ALLOWED_HOSTS if it is yours`);
    }
    const advice = "If the name is yours, add it to SERVICE_ALLOWED_HOSTS, or set SERVICE_ROOT_URL to your address.";
    return { status: 421, type: TEXT, body: `${text}. ${advice}`, reason: "http.unknown_host" };
  };
}

const LONGEST_NAME = 253;

/** What was sent, as far as it can be a name. */
function shown(host: string): string {
  return HOST.test(host) && host.length <= LONGEST_NAME ? host : "the Host of this request";
}

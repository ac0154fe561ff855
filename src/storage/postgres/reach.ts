// Which of several hosts a session goes to: the first that answers and is what is wanted, the last good one before the others.
import { messageOf } from "../../kernel/failure.ts";
import type { Host, ServerAddress, ServerRole } from "./address.ts";
import type { Client } from "./client.ts";
import { codeOf } from "./failure.ts";

interface ServerState {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

const fits: Record<ServerRole, (state: ServerState) => boolean> = {
  any: () => true,
  "read-write": ({ isReadOnly }) => !isReadOnly,
  "read-only": ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  "prefer-standby": ({ isStandby }) => isStandby,
};

/** SQLSTATE: no connection could be made. */
const CANNOT_CONNECT = "08001";

/** The hosts of each list, the last good one first and those that did not answer last. A program has one or two lists. */
const orders = new Map<string, readonly Host[]>();

function move(address: ServerAddress, host: Host, to: "front" | "back"): void {
  const others = orderOf(address).filter((other) => nameOf(other) !== nameOf(host));
  orders.set(keyOf(address), to === "front" ? [host, ...others] : [...others, host]);
}

const orderOf = (address: ServerAddress) => orders.get(keyOf(address)) ?? address.hosts;
const keyOf = ({ role, hosts }: ServerAddress) => [role, ...hosts.map(nameOf)].join(" ");
const nameOf = ({ host, port }: Host) => `${host}:${port}`;

/** A connection to a server that has the role. Each host has half of the time that is left, the last one all of it; a single host
 *  of any role is not asked, so that nothing waits for an answer. Rejects with the outcome of each host. */
export async function reachServer(
  address: ServerAddress,
  milliseconds: number,
  open: (host: Host) => Client,
): Promise<Client> {
  const { hosts, role } = address;
  if (hosts.length === 1 && role === "any") return open(hosts[0]);
  const until = performance.now() + milliseconds;
  const outcomes: string[] = [];
  let second: Client | null = null;
  let order = orderOf(address);
  while (order.length > 0) {
    const [host, ...others] = order as [Host, ...Host[]];
    order = others;
    const left = until - performance.now();
    const client = open(host);
    try {
      const state = await stateOf(client, others.length === 0 ? left : left / 2);
      if (fits[role](state)) {
        second?.end();
        move(address, host, "front");
        return client;
      }
      outcomes.push(
        `${nameOf(host)} is ${state.isStandby ? "a standby" : state.isReadOnly ? "read-only" : "a primary"}`,
      );
      if (role === "prefer-standby" && second === null) second = client;
      else client.end();
    } catch (error) {
      client.end();
      // The server has answered, and would answer the same on another host: a wrong password, no such database.
      if (isFinal(error)) {
        second?.end();
        throw error;
      }
      move(address, host, "back");
      outcomes.push(`${nameOf(host)}: ${messageOf(error)}`);
    }
  }
  if (second !== null) return second;
  const wanted = role === "any" ? "no host answers" : `no host is what target_session_attrs=${role} asks for`;
  throw Object.assign(new Error(`${wanted}: ${outcomes.join("; ")}`), { code: CANNOT_CONNECT });
}

/** True for an SQLSTATE, but for those of a server that starts or stops. */
function isFinal(error: unknown): boolean {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !/^(57|08)/.test(code);
}

/** Asks the server itself: what it reports with the connection may be outdated. */
async function stateOf({ sql, host, lost }: Client, milliseconds: number): Promise<ServerState> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer in ${Math.round(milliseconds)} ms`)),
    Math.max(0, milliseconds),
  );
  // After the error of the server, which says more.
  void lost.then((reason) => setImmediate(() => reject(reason ?? new Error(`${host.host} ended the connection`))));
  try {
    const asked = sql.unsafe<ServerState[]>(
      `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
    );
    const [state] = await Promise.race([asked, failed]);
    return state!;
  } finally {
    clearTimeout(timer);
  }
}

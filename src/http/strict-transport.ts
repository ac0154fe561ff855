// `Strict-Transport-Security`: browsers that came by https never try plain http with this host again, not even for an attacker.

const YEAR_SECONDS = 31_536_000;
/** A browser applies it to every port of the host, and other programs of a developer's machine have no TLS. */
const OWN_MACHINE = /^(?:.+\.)?localhost\.?$/;

export interface Encryption {
  /** The HTTP port itself speaks TLS. */
  readonly tls: boolean;
  /** Address of the service as browsers see it. */
  readonly rootUrl: string;
}

/** The header of an answer to a request that came by https, as far as that can be known: to our own TLS port, or by the name of an
 *  https address, where a proxy speaks TLS. Browsers ignore it from addresses and over plain http. */
export function strictTransport({ tls, rootUrl }: Encryption): (request: Request) => Readonly<Record<string, string>> {
  const root = new URL(rootUrl);
  const encryptedName = root.protocol === "https:" ? root.hostname : null;
  const header = { "strict-transport-security": `max-age=${YEAR_SECONDS}` };
  if (!tls && encryptedName === null) return () => ({});
  return ({ headers }) => {
    const name = (headers.get("host") ?? "").toLowerCase().replace(/:\d*$/, "");
    return (tls || name === encryptedName) && !OWN_MACHINE.test(name) ? header : {};
  };
}

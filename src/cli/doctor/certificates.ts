// The doctor's look at certificates: that of our own ports, and the one which visitors of the public address are shown.
import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { Config } from "../../config/config.ts";
import { validityOf } from "../../config/tls.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const LIMIT_MILLISECONDS = 5000;

export async function checkCertificates({ tls, server }: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const own = tls.http ?? tls.grpc;
  if (own !== null) findings.push(findingOf("certificate", new X509Certificate(own.certificate)));
  const url = new URL(server.rootUrl);
  if (url.protocol === "https:" && tls.http === null) {
    const shown = await certificateAt(url.hostname, Number(url.port || 443));
    if (shown !== null) findings.push(findingOf("certificate", shown));
  }
  return findings;
}

function findingOf(about: string, certificate: X509Certificate): Finding {
  const { state, text } = validityOf(certificate, Date.now());
  if (state === "valid") return ok(about, text);
  if (state === "ending") return warning(about, text, "renew it, and restart what serves it");
  return problem(
    about,
    text,
    state === "over" ? "renew it, and restart what serves it" : "check the clock of this machine",
  );
}

/** Null where none can be had: the visit to the address says why. */
function certificateAt(host: string, port: number): Promise<X509Certificate | null> {
  const { promise, resolve } = Promise.withResolvers<X509Certificate | null>();
  // Looked at, not trusted.
  const socket = connect(
    { host, port, servername: host, rejectUnauthorized: false, timeout: LIMIT_MILLISECONDS },
    () => {
      const { raw } = socket.getPeerCertificate();
      resolve(raw === undefined ? null : new X509Certificate(raw));
      socket.destroy();
    },
  );
  socket.once("error", () => resolve(null));
  socket.once("timeout", () => {
    socket.destroy();
    resolve(null);
  });
  return promise;
}

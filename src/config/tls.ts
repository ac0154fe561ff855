// TLS of the service's own ports: the files are read and checked here, so that a wrong path or a key of another certificate
// is reported at start and not at the first connection.
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { messageOf } from "../kernel/failure.ts";
import type { Environment } from "./environment.ts";
import { boolean, path, type Setting, secret } from "./setting.ts";

const both = boolean({ name: "SERVICE_TLS_ENABLED", default: false, meaning: "TLS on both ports." });
const forHttp = boolean({
  name: "SERVICE_TLS_ENABLED_FOR_HTTP",
  default: null,
  defaultText: "as `SERVICE_TLS_ENABLED`",
  meaning: "TLS on the HTTP port.",
});
const forGrpc = boolean({
  name: "SERVICE_TLS_ENABLED_FOR_GRPC",
  default: null,
  defaultText: "as `SERVICE_TLS_ENABLED`",
  meaning: "TLS on the gRPC port.",
});
const certificateFile = path({
  name: "SERVICE_TLS_CERT_FILE",
  default: null,
  meaning: "PEM file with the certificate and its chain; needed for TLS.",
});
const keyFile = path({
  name: "SERVICE_TLS_KEY_FILE",
  default: null,
  meaning: "PEM file with the private key; needed for TLS.",
});
const keyPassword = secret({
  name: "SERVICE_TLS_KEY_FILE_PASSWORD",
  default: null,
  meaning: "Password of an encrypted private key.",
});
const verifyClient = boolean({
  name: "SERVICE_TLS_VERIFY_CLIENT",
  default: false,
  meaning: "Whether clients must show a certificate; health probes then need one too.",
});
const authorityFile = path({
  name: "SERVICE_TLS_CA_FILE",
  default: null,
  meaning: "PEM file with the authorities of client certificates; needed to verify clients.",
});

export const tlsSettings = {
  both,
  forHttp,
  forGrpc,
  certificateFile,
  keyFile,
  keyPassword,
  verifyClient,
  authorityFile,
} as const;

export interface TlsIdentity {
  /** PEM, the chain included. */
  readonly certificate: string;
  /** PEM, decrypted. */
  readonly key: string;
  /** PEM of the authorities that client certificates must come from; null when clients need none. */
  readonly clientAuthorities: string | null;
}

export interface TlsConfig {
  readonly http: TlsIdentity | null;
  readonly grpc: TlsIdentity | null;
}

export function readTls(environment: Environment): TlsConfig {
  const values = environment.readAll(tlsSettings);
  const http = values.forHttp ?? values.both;
  const grpc = values.forGrpc ?? values.both;
  if (!http && !grpc) return { http: null, grpc: null };

  const needed = (setting: Setting<string | null>, file: string | null, what: string, because: string) => {
    if (file !== null) return readPem(environment, setting.name, file, what);
    environment.findings.problem(setting.name, `${setting.name} must be set when ${because} is true`);
    return null;
  };
  const certificate = needed(certificateFile, values.certificateFile, "certificate", both.name);
  const keyText = needed(keyFile, values.keyFile, "key", both.name);
  const authorities = values.verifyClient ? needed(authorityFile, values.authorityFile, "CA", verifyClient.name) : null;
  if (authorities !== null) parseCertificate(environment, authorityFile.name, authorities);
  const parsed = certificate === null ? null : parseCertificate(environment, certificateFile.name, certificate);
  if (parsed !== null) {
    const validity = validityOf(parsed, Date.now());
    if (validity.state !== "valid") environment.findings.warning(certificateFile.name, `${validity.text}.`);
  }
  const key = keyText === null ? null : parseKey(environment, keyText, values.keyPassword);
  if (certificate === null || parsed === null || key === null) return { http: null, grpc: null };
  if (!parsed.checkPrivateKey(key)) {
    environment.findings.problem(
      keyFile.name,
      `The private key does not belong to the certificate of ${certificateFile.name}.`,
    );
  }
  const identity: TlsIdentity = {
    certificate,
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    clientAuthorities: authorities,
  };
  return { http: http ? identity : null, grpc: grpc ? identity : null };
}

const DAY_MILLISECONDS = 86_400_000;
/** Long enough before the end to renew without haste, and within the last third of common lifetimes of 90 days. */
const SOON_DAYS = 21;

interface Validity {
  readonly state: "valid" | "ending" | "over" | "not yet";
  /** One sentence without its full stop. */
  readonly text: string;
}

/** Whether clients accept the certificate at this time (milliseconds), and for how long they will. */
export function validityOf(certificate: X509Certificate, nowMs: number): Validity {
  const [from, to] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
  const day = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);
  const days = Math.floor((to - nowMs) / DAY_MILLISECONDS);
  if (nowMs < from) return { state: "not yet", text: `The certificate is not valid before ${day(from)}` };
  if (nowMs >= to) return { state: "over", text: `The certificate expired on ${day(to)}: clients refuse it. Renew it` };
  const text = `The certificate is valid until ${day(to)}, ${days} more days`;
  return days < SOON_DAYS ? { state: "ending", text: `${text}: renew it and restart` } : { state: "valid", text };
}

function readPem(environment: Environment, variable: string, file: string, what: string): string | null {
  if (!environment.files.isFile(file)) {
    environment.findings.problem(variable, `${what} path is not a file: ${file}`);
    return null;
  }
  try {
    const content = environment.files.readText(file);
    if (content.trim() !== "") return content;
    environment.findings.problem(variable, `${what} file is empty: ${file}`);
  } catch (error) {
    environment.findings.problem(variable, `${what} file is not readable: ${file} (${messageOf(error)})`);
  }
  return null;
}

function parseCertificate(environment: Environment, variable: string, pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    environment.findings.problem(variable, "The file holds no PEM certificate.");
    return null;
  }
}

function parseKey(environment: Environment, pem: string, password: string | null): KeyObject | null {
  try {
    return createPrivateKey({ key: pem, ...(password === null ? {} : { passphrase: password }) });
  } catch (error) {
    if (!pem.includes("ENCRYPTED")) {
      environment.findings.problem(keyFile.name, "The file holds no PEM private key.");
    } else if (password === null) {
      environment.findings.problem(
        keyPassword.name,
        "Failed to decrypt private key: it is encrypted and no password is set.",
      );
    } else {
      environment.findings.problem(keyPassword.name, `Failed to decrypt private key: ${messageOf(error)}`);
    }
    return null;
  }
}

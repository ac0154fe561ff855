// Certificates of the service's own ports, read and checked at start.
import { describe, expect, test } from "bun:test";
import { selfSignedCertificate } from "../support/certificate.ts";
import { loadSettings, refusalOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

const PASSWORD = "hunter2-swordfish";
const own = selfSignedCertificate();
const encrypted = own.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: PASSWORD });
const files = memoryFiles({
  "/tls/cert.pem": own.certificate,
  "/tls/key.pem": own.key,
  "/tls/encrypted.pem": encrypted.toString(),
  "/tls/other.pem": selfSignedCertificate().key,
  "/tls/text.pem": "no PEM at all",
  "/tls/password": `${PASSWORD}\n`,
});
const base = { SERVICE_TLS_CERT_FILE: "/tls/cert.pem", SERVICE_TLS_KEY_FILE: "/tls/key.pem" };
const on = { ...base, SERVICE_TLS_ENABLED: "true" };
const tlsOf = (variables: Record<string, string>) => loadSettings(variables, { files }).config.tls;
const problemsOf = (variables: Record<string, string>) => refusalOf(variables, { files }).problems;

describe("TLS settings", () => {
  test("each port follows its own switch, else the common one", () => {
    expect(tlsOf(base)).toEqual({ http: null, grpc: null });
    const { http, grpc } = tlsOf({ ...on, SERVICE_TLS_ENABLED_FOR_GRPC: "false" });
    expect(http).toEqual({ certificate: own.certificate, key: own.key, clientAuthorities: null });
    expect(grpc).toBeNull();
    expect(tlsOf({ ...base, SERVICE_TLS_ENABLED_FOR_GRPC: "true" }).grpc).not.toBeNull();
  });

  test("files are not looked at while TLS is off", () => {
    expect(tlsOf({ SERVICE_TLS_CERT_FILE: "/none" })).toEqual({ http: null, grpc: null });
  });

  test("an encrypted key is handed on decrypted; its password may come from a file", () => {
    const key = { ...on, SERVICE_TLS_KEY_FILE: "/tls/encrypted.pem" };
    expect(tlsOf({ ...key, SERVICE_TLS_KEY_FILE_PASSWORD: PASSWORD }).http?.key).toBe(own.key);
    expect(tlsOf({ ...key, SERVICE_TLS_KEY_FILE_PASSWORD_FILE: "/tls/password" }).http?.key).toBe(own.key);
    expect(problemsOf(key)[0]).toStartWith("SERVICE_TLS_KEY_FILE_PASSWORD: Failed to decrypt private key: ");
    const wrong = problemsOf({ ...key, SERVICE_TLS_KEY_FILE_PASSWORD: "wrong-swordfish" });
    expect(wrong[0]).toStartWith("SERVICE_TLS_KEY_FILE_PASSWORD: Failed to decrypt private key: ");
    expect(wrong[0]).not.toContain("wrong-swordfish");
  });

  test("what is no PEM, and a key of another certificate, are told", () => {
    expect(
      problemsOf({ ...on, SERVICE_TLS_CERT_FILE: "/tls/text.pem", SERVICE_TLS_KEY_FILE: "/tls/text.pem" }),
    ).toEqual([
      "SERVICE_TLS_CERT_FILE: The file holds no PEM certificate.",
      "SERVICE_TLS_KEY_FILE: The file holds no PEM private key.",
    ]);
    expect(problemsOf({ ...on, SERVICE_TLS_KEY_FILE: "/tls/other.pem" })).toEqual([
      "SERVICE_TLS_KEY_FILE: The private key does not belong to the certificate of SERVICE_TLS_CERT_FILE.",
    ]);
  });

  test("client verification needs authorities", () => {
    const verify = { ...on, SERVICE_TLS_VERIFY_CLIENT: "true" };
    expect(problemsOf(verify)).toEqual([
      "SERVICE_TLS_CA_FILE: SERVICE_TLS_CA_FILE must be set when SERVICE_TLS_VERIFY_CLIENT is true",
    ]);
    expect(problemsOf({ ...verify, SERVICE_TLS_CA_FILE: "/none" })).toEqual([
      "SERVICE_TLS_CA_FILE: CA path is not a file: /none",
    ]);
    expect(tlsOf({ ...verify, SERVICE_TLS_CA_FILE: "/tls/cert.pem" }).http?.clientAuthorities).toBe(own.certificate);
  });

  test("a certificate that clients refuse, or soon will, is warned of; the service starts all the same", () => {
    const warningsOf = (daysLeft: number) => {
      const { certificate, key } = selfSignedCertificate(undefined, daysLeft);
      const pair = memoryFiles({ "/tls/cert.pem": certificate, "/tls/key.pem": key });
      return loadSettings(on, { files: pair }).warnings.map(({ setting, message }) => `${setting}: ${message}`);
    };
    expect(warningsOf(90)).toEqual([]);
    expect(warningsOf(-2)).toEqual([
      expect.stringMatching(/^SERVICE_TLS_CERT_FILE: The certificate expired on \d{4}-\d\d-\d\d: clients refuse it/),
    ]);
    expect(warningsOf(5)).toEqual([
      expect.stringMatching(/^SERVICE_TLS_CERT_FILE: The certificate is valid until \d{4}-\d\d-\d\d, [45] more days: /),
    ]);
  });

  test("the address of the service follows the HTTP port", () => {
    expect(loadSettings(on, { files }).config.server.rootUrl).toBe("https://127.0.0.1:6006");
  });
});

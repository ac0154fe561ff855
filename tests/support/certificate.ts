// A self-signed certificate made on the spot, so that no key is kept in the repository: the few structures of X.509 that
// a server certificate needs, in DER.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isIP } from "node:net";

export interface TestCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly privateKey: KeyObject;
}

const ECDSA_WITH_SHA256 = Buffer.from("300a06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
const SUBJECT_ALTERNATIVE_NAME = Buffer.from("0603551d11", "hex");
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, utf8: 0x0c, time: 0x18, sequence: 0x30, set: 0x31 } as const;

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const significant = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | significant.length]), significant, content]);
}

function time(milliseconds: number): Buffer {
  return der(TAG.time, Buffer.from(`${new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, "")}`));
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 4 ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));
}

/** A certificate for the given host names and IPv4 addresses, valid from yesterday until that many days from now. */
export function selfSignedCertificate(
  names: readonly string[] = ["localhost", "127.0.0.1"],
  daysLeft = 90,
): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, COMMON_NAME, der(TAG.utf8, Buffer.from("spanlight test")))),
  );
  const day = 86_400_000;
  const extension = der(
    TAG.sequence,
    SUBJECT_ALTERNATIVE_NAME,
    der(TAG.octets, der(TAG.sequence, ...names.map(alternativeName))),
  );
  const body = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    der(TAG.sequence, time(Date.now() - day + Math.min(0, daysLeft) * day), time(Date.now() + daysLeft * day)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(TAG.sequence, extension)),
  );
  const signature = sign("sha256", body, privateKey);
  const whole = der(TAG.sequence, body, ECDSA_WITH_SHA256, der(TAG.bits, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    certificate: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    privateKey,
  };
}

// The signature of an ID token. Its claims are checked by the library of the protocol; here it is made sure that the provider wrote
// them: with a key that it publishes, or with the secret that it shares with us, and in no other way.
import type { JSONWebKeySet } from "jose";
import { providerAnswerRefused } from "./openid.errors.ts";

const ASYMMETRIC = new Set([
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
]);

interface SignatureRules {
  /** `id_token_signing_alg_values_supported` of the provider. */
  readonly offered: readonly string[] | undefined;
  readonly clientSecret: string | null;
  readonly keys: (fresh: boolean) => Promise<JSONWebKeySet>;
}

/** Whether a signature by the algorithm proves who wrote a token. */
export function canBeTrusted(algorithm: string, clientSecret: string | null): boolean {
  return ASYMMETRIC.has(algorithm) || (algorithm === "HS256" && clientSecret !== null);
}

/** Throws, in words for the log, unless the signature holds. */
export async function requireSignature(
  idToken: string,
  { offered, clientSecret, keys }: SignatureRules,
): Promise<void> {
  const [{ compactVerify }, { createLocalJWKSet }, { decodeProtectedHeader }] = await Promise.all([
    import("jose/jws/compact/verify"),
    import("jose/jwks/local"),
    import("jose/decode/protected_header"),
  ]);
  const algorithm = decodeProtectedHeader(idToken).alg ?? "none";
  if (!(offered ?? ["RS256"]).includes(algorithm))
    throw providerAnswerRefused(`the provider does not offer algorithm ${algorithm}`);
  if (!canBeTrusted(algorithm, clientSecret)) throw providerAnswerRefused(`algorithm ${algorithm} proves nothing here`);
  if (algorithm === "HS256" && clientSecret !== null) {
    await compactVerify(idToken, new TextEncoder().encode(clientSecret), { algorithms: ["HS256"] });
    return;
  }
  const verify = async (fresh: boolean) =>
    compactVerify(idToken, createLocalJWKSet(await keys(fresh)), { algorithms: [algorithm] });
  try {
    await verify(false);
  } catch {
    // The provider may have changed its keys, under the same name even.
    await verify(true);
  }
}

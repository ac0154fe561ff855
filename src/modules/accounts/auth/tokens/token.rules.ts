// The form of tokens: HS256 and nothing else. The secret alone does not suffice to forge one, because the row keeps the hash
// of a random value that only the token carries; so a database that is reset or restored never issues the same token twice.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { MAX_ROW_ID } from "../../../../kernel/ids.ts";
import { type TokenClaims, type TokenKind, type TokenRandom, tokenKinds } from "./token.schema.ts";

const RANDOM_BYTES = 24;
/** Longer texts are not tokens of ours, and not worth a signature check. */
const LONGEST_TOKEN = 512;
const JTI = new RegExp(`^(${tokenKinds.join("|")}):([1-9]\\d{0,9})$`);
const HEADER = { alg: "HS256", typ: "JWT" } as const;

export interface TokenForm {
  write(claims: TokenClaims): Promise<string>;
  /** Null for a text that this secret has not signed, in another algorithm or in another form. */
  read(text: string): Promise<TokenClaims | null>;
}

/** Tokens signed with the UTF-8 bytes of the secret. The library is loaded by the first token. */
export function createTokenForm(secret: string): TokenForm {
  let loading: ReturnType<typeof load> | null = null;
  const loaded = () => {
    loading ??= load(secret);
    return loading;
  };

  return {
    async write({ kind, rowId, random }) {
      const { SignJWT, key } = await loaded();
      const claims = { jti: `${kind}:${rowId}`, rnd: Buffer.from(random).toString("base64url") };
      return new SignJWT(claims).setProtectedHeader(HEADER).sign(key);
    },

    async read(text) {
      if (text.length > LONGEST_TOKEN) return null;
      const { jwtVerify, key } = await loaded();
      const verified = await jwtVerify(text, key, { algorithms: [HEADER.alg] }).catch(() => null);
      return verified === null ? null : claimsOf(verified.payload);
    },
  };
}

async function load(secret: string) {
  const [{ SignJWT }, { jwtVerify }, key] = await Promise.all([
    import("jose/jwt/sign"),
    import("jose/jwt/verify"),
    crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
      "verify",
    ]),
  ]);
  return { SignJWT, jwtVerify, key };
}

function claimsOf(payload: Readonly<Record<string, unknown>>): TokenClaims | null {
  const named = typeof payload.jti === "string" ? JTI.exec(payload.jti) : null;
  if (named === null || typeof payload.rnd !== "string") return null;
  const rowId = Number(named[2]);
  if (rowId > MAX_ROW_ID) return null;
  return { kind: named[1] as TokenKind, rowId, random: Buffer.from(payload.rnd, "base64url") };
}

export function newTokenRandom(): TokenRandom {
  const random = randomBytes(RANDOM_BYTES);
  return { random, hash: hashOf(random) };
}

/** Whether the token carries the random value whose hash the row keeps; takes the same time wherever they differ. */
export function carriesRandomOf(claims: TokenClaims, randomHash: Uint8Array): boolean {
  const hash = hashOf(claims.random);
  return hash.byteLength === randomHash.byteLength && timingSafeEqual(hash, randomHash);
}

/** Whether two secrets are equal, compared over digests in constant time. */
export function secretsEqual(one: string, other: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(other));
}

function hashOf(value: Uint8Array | string): Uint8Array {
  return createHash("sha256").update(value).digest();
}

// What is stored between the two halves of a sign-in with a provider: in cookies of the browser and in the signed `state`, never in
// the memory of a server, so that another server can complete what this one began.
import { randomBytes } from "node:crypto";
import type { Clock } from "../../../../kernel/clock.ts";
import { secretsEqual } from "../tokens/token.rules.ts";

/** What the state says, once its signature was checked. */
interface RoundTrip {
  readonly provider: string;
  /** Scheme, host and root path of the service as the browser saw it when the sign-in began. */
  readonly origin: string;
  /** As the login was asked for it; to be checked before use. */
  readonly returnPath: string | null;
}

export interface RoundTrips {
  /** A new state. */
  write(trip: RoundTrip): Promise<string>;
  /** Null for a state that differs from the cookie, was not signed here, or is over. */
  read(sent: string, cookie: string): Promise<RoundTrip | null>;
}

/** Seconds that a person may take at the provider. */
export const ROUND_TRIP_SECONDS = 900;
const HEADER = { alg: "HS256", typ: "JWT" } as const;
const RANDOM_CHARACTERS = 20;
const LONGEST_STATE = 4096;

/** An unguessable text of letters, digits, `-` and `_`. */
export function randomText(characters: number): string {
  return randomBytes(characters).toString("base64url").slice(0, characters);
}

/** States signed with the UTF-8 bytes of the secret. The library is loaded by the first sign-in. */
export function createRoundTrips(secret: string, clock: Clock): RoundTrips {
  const key = new TextEncoder().encode(secret);
  const nowSeconds = () => Math.floor(clock.now() / 1_000_000);
  return {
    async write({ provider, origin, returnPath }) {
      const { SignJWT } = await import("jose/jwt/sign");
      const claims = {
        random: randomText(RANDOM_CHARACTERS),
        origin_url: origin,
        ...(returnPath === null ? {} : { return_url: returnPath }),
        idp: provider,
        exp: nowSeconds() + ROUND_TRIP_SECONDS,
      };
      return new SignJWT(claims).setProtectedHeader(HEADER).sign(key);
    },

    async read(sent, cookie) {
      if (sent.length > LONGEST_STATE || !secretsEqual(sent, cookie)) return null;
      const { jwtVerify } = await import("jose/jwt/verify");
      const currentDate = new Date(clock.now() / 1000);
      const verified = await jwtVerify(sent, key, {
        algorithms: [HEADER.alg],
        requiredClaims: ["exp"],
        currentDate,
      }).catch(() => null);
      return verified === null ? null : tripOf(verified.payload);
    },
  };
}

function tripOf(payload: Readonly<Record<string, unknown>>): RoundTrip | null {
  const { idp, origin_url: origin, return_url: returnPath = null } = payload;
  if (typeof idp !== "string" || typeof origin !== "string") return null;
  return returnPath === null || typeof returnPath === "string" ? { provider: idp, origin, returnPath } : null;
}

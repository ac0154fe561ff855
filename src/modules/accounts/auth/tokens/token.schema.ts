// Tokens: what one says by itself, and what is stored of it. The form is a signed JWT that names a row and carries a random
// value; owner, role and expiry are those of the row at the time of asking.
import type { PasswordChange, UserRole } from "../../../../access/roles.ts";

export const tokenKinds = ["AccessToken", "RefreshToken", "ApiKey", "PasswordResetToken"] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** What a token with a valid signature says. Whether it is still good is for the row to say. */
export interface TokenClaims {
  readonly kind: TokenKind;
  readonly rowId: number;
  /** The random value, as the token carries it. */
  readonly random: Uint8Array;
}

/** A random value for a new token: `hash` goes into the row, `random` into the token and nowhere else. */
export interface TokenRandom {
  readonly random: Uint8Array;
  readonly hash: Uint8Array;
}

/** The row behind a token, joined with the account that it belongs to. */
export interface TokenRow {
  readonly randomHash: Uint8Array;
  /** Microseconds UTC; null never expires. It is over at this very microsecond. */
  readonly expiresUs: number | null;
  readonly userId: number;
  readonly role: UserRole;
  readonly passwordChange: PasswordChange;
}

/** The columns of a credential and of its user. */
interface JoinedRow {
  readonly random_hash: Uint8Array;
  readonly expires_us: number | null;
  readonly user_id: number;
  readonly role: UserRole;
  readonly password_change: PasswordChange;
}

export function tokenFromRow(row: JoinedRow): TokenRow {
  return {
    randomHash: row.random_hash,
    expiresUs: row.expires_us,
    userId: row.user_id,
    role: row.role,
    passwordChange: row.password_change,
  };
}

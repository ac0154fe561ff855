// The tables of sign-ins, as Kysely sees them.
import type { Generated } from "kysely";

interface RefreshTokensTable {
  id: Generated<number>;
  user_id: number;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number;
  login_id: number | null;
  login_us: number | null;
}

interface SpentRefreshTokensTable {
  id: number;
  user_id: number;
  login_id: number;
  random_hash: Uint8Array;
  spent_us: number;
  expires_us: number;
}

interface AccessTokensTable {
  id: Generated<number>;
  user_id: number;
  refresh_token_id: number | null;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number;
}

interface PasswordResetTokensTable {
  id: Generated<number>;
  user_id: number;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number;
}

interface LoginAttemptsTable {
  identifier: string;
  failures: number;
  last_failure_us: number;
}

interface RateLimitsTable {
  bucket: string;
  full_us: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    refresh_tokens: RefreshTokensTable;
    spent_refresh_tokens: SpentRefreshTokensTable;
    access_tokens: AccessTokensTable;
    password_reset_tokens: PasswordResetTokensTable;
    login_attempts: LoginAttemptsTable;
    rate_limits: RateLimitsTable;
  }
}

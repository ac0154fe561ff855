// The tables of users, as Kysely sees them.
import type { Generated } from "kysely";
import type { AuthMethod, PasswordChange, UserRole } from "../../../access/roles.ts";

export interface UsersTable {
  id: Generated<number>;
  role: UserRole;
  auth_method: AuthMethod;
  username: string;
  email: string | null;
  profile_picture_url: string | null;
  password_hash: string | null;
  password_change: Generated<PasswordChange>;
  oauth2_client_id: string | null;
  oauth2_user_id: string | null;
  ldap_unique_id: string | null;
  created_us: number;
  updated_us: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    users: UsersTable;
  }
}

// Accounts and who signs in to them: built before every feature, because each request is asked who it comes from
// (server/sign-ins.ts).
import { given } from "../feature.ts";
import type { ApiKeysService } from "./api-keys/api-keys.service.ts";
import type { AuthRoutesNeeds } from "./auth/auth.routes.ts";
import type { UserChangesService } from "./users/user-changes.service.ts";
import type { UsersService } from "./users/users.service.ts";

export interface Identity {
  readonly users: UsersService;
  readonly userChanges: UserChangesService;
  readonly apiKeys: ApiKeysService;
  /** Null while authentication is off, when the routes of signing in do not exist. */
  readonly signingIn: AuthRoutesNeeds | null;
}

export const givenIdentity = given<Identity>("identity");

// Callers as the policy sees them.
import type { UserPrincipal } from "../../src/access/principal.ts";

/** A person who signed in. */
export function signedIn(userId: number, role: UserPrincipal["role"]): UserPrincipal {
  return { kind: "user", userId, role, credential: "login", mustChangePassword: false };
}

/** The same person's API key. */
export function keyOf(userId: number, role: UserPrincipal["role"]): UserPrincipal {
  return { ...signedIn(userId, role), credential: "api_key" };
}

/** Signed in with a password that must be changed first. */
export function restricted(userId: number, role: UserPrincipal["role"]): UserPrincipal {
  return { ...signedIn(userId, role), mustChangePassword: true };
}

/** A row of `users` without name and address. */
export const member = {
  role: "MEMBER",
  auth_method: "LOCAL",
  password_hash: "unused",
  created_us: 0,
  updated_us: 0,
} as const;

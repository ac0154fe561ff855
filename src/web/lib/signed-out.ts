// Signing out is an address of the server, which leads to a page that says what happened.
import { leaveFor } from "./session.ts";

const KEY = "spanlight.signed-out";

export function signOut(): void {
  try {
    sessionStorage.setItem(KEY, "yes");
  } catch {
    // Without memory the login page says nothing.
  }
  leaveFor("auth/logout");
}

/** Whether this tab has just signed out. */
export function hasSignedOut(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function forgetSignedOut(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept either.
  }
}

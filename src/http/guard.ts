// The guards of a route: what must hold before the input of a request is looked at.
import type { Route } from "../api/route.ts";
import { type Failure, fail } from "../kernel/failure.ts";
import type { Principal } from "../modules/auth/principal.schema.ts";

export type PrincipalResolver = (request: Request) => Principal | Promise<Principal>;

/** True for paths of the API proper, where nothing is public. */
export function isApiPath(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/");
}

/** Read-only mode closes the whole API, reading included. */
export function requireWritableMode(path: string, readOnly: boolean): void {
  if (readOnly && isApiPath(path)) {
    throw fail("http.read_only", "forbidden", "The Spanlight REST API is disabled in read-only mode.");
  }
}

/** True where only known callers learn that no route answers. */
export function isProtectedPath(path: string): boolean {
  return isApiPath(path) || path === "/graphql" || path.startsWith("/graphql/");
}

export function requireUnlockedStorage(
  route: Pick<Route, "storageLocked">,
  locked: boolean,
  supportEmail: string | null,
): void {
  if (locked && route.storageLocked === true) throw storageLocked(supportEmail);
}

/** The refusal of everything that adds data while the database is fuller than the operator allows. */
export function storageLocked(supportEmail: string | null): Failure {
  const help = supportEmail === null ? "" : ` Need help? Contact us at ${supportEmail}`;
  return fail(
    "storage.locked",
    "locked",
    `Database operations are disabled due to insufficient storage. Please delete old data or increase storage.${help}`,
  );
}

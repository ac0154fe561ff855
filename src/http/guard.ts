// The guards of a route: what must hold before the input of a request is looked at.
import type { Principal } from "../access/principal.ts";
import { fail } from "../kernel/failure.ts";

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

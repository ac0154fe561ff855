// Who may do what: the permission matrix as data, asked alike by REST, GraphQL and gRPC (`auth.md` 14). It decides by role;
// who owns a row is the business of the service that knows the row.
import { type Failure, fail } from "../../kernel/failure.ts";
import type { Principal } from "./principal.schema.ts";

type Role = "open" | "anonymous" | "viewer" | "member" | "system" | "admin";
type Refusal = "token" | "viewer" | "admin";

/** Rights that actions ask for, and what each role gets: `yes`, or the reason of the refusal. */
const rights = {
  public: { open: "yes", anonymous: "yes", viewer: "yes", member: "yes", system: "yes", admin: "yes" },
  read: { open: "yes", anonymous: "token", viewer: "yes", member: "yes", system: "yes", admin: "yes" },
  write: { open: "yes", anonymous: "token", viewer: "viewer", member: "yes", system: "yes", admin: "yes" },
  /** Changes that only administrators make. A viewer hears of the first gate that stops a write, not of the second. */
  administer: { open: "yes", anonymous: "token", viewer: "viewer", member: "admin", system: "admin", admin: "yes" },
} as const satisfies Record<string, Record<Role, "yes" | Refusal>>;

/** Every action of the service, by resource. */
const matrix = {
  server: { probe: "public", document: "public" },
  /** Pages and addresses for people: an anonymous visitor is led to the login. */
  pages: { open: "public" },
  /** Who may ask at all; what a field changes is asked for by its own action. */
  graphql: { ask: "read" },
  projects: { read: "read", create: "write", update: "administer", delete: "administer" },
  traces: { read: "read", ingest: "write", transfer: "write", delete: "write", delete_period: "administer" },
  /** `query` only reads, but by POST, which no viewer may send (`rest-traces.md` D6). */
  spans: { read: "read", create: "write", query: "write", delete: "write" },
  sessions: { read: "read", delete: "write" },
} as const satisfies Record<string, Record<string, keyof typeof rights>>;

type Matrix = typeof matrix;
export type Action = { [Resource in keyof Matrix]: `${Resource}.${keyof Matrix[Resource] & string}` }[keyof Matrix];

const refusals: Record<Refusal, () => Failure> = {
  token: () => fail("auth.invalid_token", "unauthenticated", "Invalid token"),
  viewer: () => fail("auth.viewer_write", "forbidden", "Viewers cannot perform this action."),
  admin: () => fail("auth.admin_only", "forbidden", "Only admin or system users can perform this action."),
};

function roleOf(principal: Principal): Role {
  switch (principal.kind) {
    case "user":
      return ({ ADMIN: "admin", MEMBER: "member", VIEWER: "viewer" } as const)[principal.role];
    case "admin_secret":
      return "admin";
    default:
      return principal.kind;
  }
}

const rightByAction = new Map(
  Object.entries(matrix).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([verb, right]) => [`${resource}.${verb}`, right] as const),
  ),
);

/** The failure that refuses the action to the principal, or null when it is allowed. */
export function refusalOf(principal: Principal, action: Action): Failure | null {
  const answer = rights[rightByAction.get(action)!][roleOf(principal)];
  return answer === "yes" ? null : refusals[answer]();
}

/** Throws kind `unauthenticated` or `forbidden` unless the principal may do the action. */
export function requireAllowed(principal: Principal, action: Action): void {
  const refusal = refusalOf(principal, action);
  if (refusal !== null) throw refusal;
}

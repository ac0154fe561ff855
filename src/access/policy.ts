// Who may do what: the permission matrix as data, asked alike by REST, GraphQL and gRPC. It decides by role;
// who owns a row is the business of the service that knows the row.
import { type Failure, fail } from "../kernel/failure.ts";
import type { Principal } from "./principal.ts";

type Role = "open" | "anonymous" | "restricted" | "viewer" | "member" | "system" | "admin";
type Refusal = "token" | "password" | "viewer" | "admin" | "switched_off" | "key" | "system_key" | "person";

/** Rights that actions ask for, and what each role gets: `yes`, or the reason of the refusal. `open` is everybody while
 *  authentication is off, `restricted` a person who must first choose a new password. */
const rights = {
  /** No caller is looked up: works without the database. */
  public: row("yes", "yes", "yes", "yes", "yes", "yes", "yes"),
  /** For everybody too, but it matters who comes. */
  visit: row("yes", "yes", "yes", "yes", "yes", "yes", "yes"),
  /** About oneself. */
  self: row("yes", "token", "yes", "yes", "yes", "yes", "yes"),
  /** Changes of one's own account. */
  change_self: row("yes", "token", "yes", "yes", "yes", "person", "yes"),
  read: row("yes", "token", "password", "yes", "yes", "yes", "yes"),
  write: row("yes", "token", "password", "viewer", "yes", "yes", "yes"),
  /** Calls of models, which cost money. */
  spend: row("yes", "token", "password", "viewer", "yes", "yes", "yes"),
  /** Changes that only administrators make. A viewer gets the refusal of writes, not that of administrators' actions. */
  administer: row("yes", "token", "password", "viewer", "admin", "admin", "yes"),
  /** What only administrators see. */
  oversee: row("yes", "token", "password", "admin", "admin", "admin", "yes"),
  /** The same two where they make no sense without accounts. */
  govern: row("admin", "token", "password", "viewer", "admin", "admin", "yes"),
  inspect: row("admin", "token", "password", "admin", "admin", "admin", "yes"),
  /** API keys: one's own, which viewers may change too, and those of all. */
  own_keys: row("switched_off", "token", "password", "yes", "yes", "yes", "yes"),
  remove_own_key: row("switched_off", "token", "password", "yes", "yes", "system_key", "yes"),
  issue_own_key: row("switched_off", "token", "password", "yes", "yes", "key", "yes"),
  all_keys: row("switched_off", "token", "password", "admin", "admin", "admin", "yes"),
  issue_system_key: row("switched_off", "token", "password", "admin", "admin", "admin", "yes"),
  govern_issue: row("admin", "token", "password", "viewer", "admin", "admin", "yes"),
} as const satisfies Record<string, Record<Role, "yes" | Refusal>>;

type Answer = "yes" | Refusal;
type Right = keyof typeof rights;

interface Needs {
  readonly credentials: readonly ("login" | "admin_secret")[];
  /** Of every other credential. */
  readonly refusal: Refusal;
}

/** What a right needs besides the role: no key makes another or changes the account of its owner, and the admin secret is no
 *  person that could own a key or an account. */
const needs: Readonly<Partial<Record<Right, Needs>>> = {
  change_self: { credentials: ["login"], refusal: "person" },
  issue_own_key: { credentials: ["login"], refusal: "key" },
  issue_system_key: { credentials: ["login", "admin_secret"], refusal: "key" },
  govern_issue: { credentials: ["login", "admin_secret"], refusal: "key" },
};

function row(
  open: Answer,
  anonymous: Answer,
  restricted: Answer,
  viewer: Answer,
  member: Answer,
  system: Answer,
  admin: Answer,
): Record<Role, Answer> {
  return { open, anonymous, restricted, viewer, member, system, admin };
}

/** Code of the refusal of a person who must first choose a new password. */
export const PASSWORD_REQUIRED = "auth.password_reset_required";

/** Rights by resource and verb. */
export type ActionRows = Readonly<Record<string, Readonly<Record<string, Right>>>>;

/** What is asked for outside the features. */
const coreActions = {
  server: { probe: "public", document: "public", inspect: "oversee" },
  /** Pages and addresses for people: an anonymous visitor is led to the login. */
  pages: { open: "visit" },
  /** Who may ask at all; what a field shows or changes is asked for by its own action. */
  graphql: { ask: "self", query: "read" },
  traces: { read: "read", ingest: "write", transfer: "write", delete: "write", clear: "administer" },
} as const satisfies ActionRows;

type CoreActions = typeof coreActions;

/** Every action, by resource. A feature adds its own, with their rights in its manifest. */
export interface Actions {
  readonly server: CoreActions["server"];
  readonly pages: CoreActions["pages"];
  readonly graphql: CoreActions["graphql"];
  readonly traces: CoreActions["traces"];
}

export type Action = { [Resource in keyof Actions]: `${Resource}.${keyof Actions[Resource] & string}` }[keyof Actions];

const refusals: Record<Refusal, () => Failure> = {
  token: () => fail("auth.invalid_token", "unauthenticated", "Invalid token"),
  password: () => fail(PASSWORD_REQUIRED, "forbidden", "Password reset required"),
  viewer: () => fail("auth.viewer_write", "forbidden", "Viewers cannot perform this action."),
  admin: () => fail("auth.admin_only", "forbidden", "Only admin or system users can perform this action."),
  switched_off: () =>
    fail(
      "auth.switched_off",
      "forbidden",
      "This action requires authentication to be enabled. Set the SERVICE_ENABLE_AUTH environment variable to true.",
    ),
  key: () => fail("auth.key_issues_key", "forbidden", "API keys cannot create API keys"),
  system_key: () =>
    fail(
      "auth.system_key_owns_none",
      "forbidden",
      "System API keys must be managed through the /system/api_keys endpoints.",
    ),
  person: () => fail("auth.person_only", "forbidden", "Only a signed-in user can change a profile"),
};

function roleOf(principal: Principal): Role {
  switch (principal.kind) {
    case "user":
      return principal.mustChangePassword
        ? "restricted"
        : ({ ADMIN: "admin", MEMBER: "member", VIEWER: "viewer" } as const)[principal.role];
    case "admin_secret":
      return "admin";
    default:
      return principal.kind;
  }
}

const rightByAction = new Map<string, Right>();

/** Adds actions to the policy; `Actions` says that no two features have the same. */
export function declareActions(rows: ActionRows): void {
  for (const [resource, actions] of Object.entries(rows)) {
    for (const [verb, right] of Object.entries(actions)) rightByAction.set(`${resource}.${verb}`, right);
  }
}
declareActions(coreActions);

function rightOf(action: Action): Right {
  const right = rightByAction.get(action);
  if (right === undefined) throw fail("policy.undeclared", "internal", `No feature of this server declares ${action}`);
  return right;
}

/** False for what is answered without a look at the caller. */
export function asksForCaller(action: Action): boolean {
  return rightOf(action) !== "public";
}

/** The failure that refuses the action to the principal, or null when it is allowed. */
export function refusalOf(principal: Principal, action: Action): Failure | null {
  const right = rightOf(action);
  const answer: Answer = rights[right][roleOf(principal)];
  if (answer === "yes") return refusalOfCredential(principal, right);
  if (answer === "token" && principal.kind === "anonymous" && principal.expired === true) return expiredToken();
  return refusals[answer]();
}

function refusalOfCredential(principal: Principal, right: Right): Failure | null {
  const need = needs[right];
  if (need === undefined || principal.kind === "open") return null;
  const credential = principal.kind === "user" ? principal.credential : principal.kind;
  return need.credentials.some((name) => name === credential) ? null : refusals[need.refusal]();
}

/** Throws kind `unauthenticated` or `forbidden` unless the principal may do the action. */
export function requireAllowed(principal: Principal, action: Action): void {
  const refusal = refusalOf(principal, action);
  if (refusal !== null) throw refusal;
}

/** True for callers with the rights of an administrator; for everybody while authentication is off. */
export function isAdministrator(principal: Principal): boolean {
  const role = roleOf(principal);
  return role === "admin" || role === "open";
}

function expiredToken(): Failure {
  return fail("auth.expired_token", "unauthenticated", "Expired token");
}

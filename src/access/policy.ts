// Who may do what: the permission matrix as data, asked alike by REST, GraphQL and gRPC. It decides by role;
// who owns a row is the business of the service that knows the row.
import { type Failure, fail } from "../kernel/failure.ts";
import type { Principal } from "./principal.ts";

type Role = "open" | "anonymous" | "restricted" | "viewer" | "member" | "system" | "admin";
type Refusal = "token" | "password" | "viewer" | "admin" | "switched_off" | "key" | "system_key" | "person";

/** Rights that actions ask for, and what each role gets: `yes`, or the reason of the refusal. `open` is everybody while
 *  authentication is off, `restricted` a person who must first choose a new password. */
const rights = {
  /** Nobody is asked for: works without the database. */
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

/** Every action of the service, by resource. */
const matrix = {
  server: { probe: "public", document: "public", inspect: "oversee" },
  /** Pages and addresses for people: an anonymous visitor is led to the login. */
  pages: { open: "visit" },
  /** Signing in and out, which is how a principal comes about. */
  login: { use: "public" },
  /** Who may ask at all; what a field shows or changes is asked for by its own action. */
  graphql: { ask: "self", query: "read" },
  /** Errors of pages, which anybody has who opened one. */
  client_errors: { report: "self" },
  /** The caller's own account. */
  viewer: { read: "self", update: "change_self" },
  users: { list: "oversee", create: "administer", delete: "administer", inspect: "inspect", govern: "govern" },
  /** `…_own` and `…_system` as REST asks for them; GraphQL asks `own`, `issue_own`, `inspect`, `govern` and `govern_issue`. */
  api_keys: {
    own: "own_keys",
    issue_own: "issue_own_key",
    remove_own: "remove_own_key",
    all: "all_keys",
    issue_system: "issue_system_key",
    inspect: "inspect",
    govern: "govern",
    govern_issue: "govern_issue",
  },
  /** How long traces are kept. */
  retention: { read: "read", change: "administer" },
  secrets: { list: "read", reveal: "oversee", change: "administer" },
  projects: { read: "read", create: "write", update: "administer", delete: "administer" },
  /** One's own, which viewers keep too, and those for everybody. */
  views: { keep: "read", share: "write" },
  traces: { read: "read", ingest: "write", transfer: "write", delete: "write", clear: "administer" },
  /** `query` only reads, but by POST, which no viewer may send. */
  spans: { read: "read", create: "write", query: "write", delete: "write" },
  sessions: { read: "read", delete: "write" },
  /** `delete` of others' annotations is for administrators: the rows know whose they are. `clear` removes everybody's of a name,
   *  `replace_others` writes in the place of what another user wrote. */
  annotations: {
    read: "read",
    write: "write",
    delete: "write",
    clear: "administer",
    replace_others: "administer",
  },
  /** Of everything that calls a model: the playground, runs of experiments, evaluators, the proxy. */
  model_calls: { run: "spend" },
  /** Everybody sees those that apply to themselves; administrators see all. */
  budgets: { read: "read", change: "administer" },
  spending: { list: "oversee" },
  /** Custom providers, and what a server knows of built-in ones. `test` and `list_models` make requests to providers; `oversee` shows
   *  addresses, and where credentials come from. */
  model_providers: {
    read: "read",
    list_models: "write",
    change: "administer",
    test: "administer",
    oversee: "oversee",
  },
  /** Their prices decide what calls cost from then on. */
  models: { read: "read", change: "write", recompute: "administer" },
  annotation_configs: { read: "read", change: "write" },
  /** With their versions, examples, splits and labels. */
  datasets: { read: "read", change: "write" },
  /** With what attaches them to datasets. `try` calls models and stores nothing. */
  evaluators: { read: "read", change: "write", try: "write" },
  /** With their runs and evaluations. */
  experiments: { read: "read", change: "write", delete: "write" },
  /** `move_protected`: the tags that the operator named. */
  prompts: { read: "read", change: "write", delete: "write", move_protected: "administer" },
} as const satisfies Record<string, Record<string, Right>>;

type Matrix = typeof matrix;
export type Action = { [Resource in keyof Matrix]: `${Resource}.${keyof Matrix[Resource] & string}` }[keyof Matrix];

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

const rightByAction = new Map(
  Object.entries(matrix).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([verb, right]) => [`${resource}.${verb}`, right] as const),
  ),
);

/** False for what is answered without a look at the caller. */
export function asksForCaller(action: Action): boolean {
  return rightByAction.get(action) !== "public";
}

/** The failure that refuses the action to the principal, or null when it is allowed. */
export function refusalOf(principal: Principal, action: Action): Failure | null {
  const right: Right = rightByAction.get(action)!;
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

// One caller of every kind, with real credentials of a server.
import type { TestDriver } from "./drivers.ts";
import { keyOf, signedIn } from "./principals.ts";
import {
  ACCESS,
  ADMIN_EMAIL,
  ADMIN_SECRET,
  addUser,
  openSignInServer,
  type SentRequest,
  type SignInOptions,
  type SignInServer,
  signIn,
} from "./sign-in.ts";
import { openForSuite } from "./suite.ts";

/** As `roles-matrix.json` names them; `restricted_login` must choose a new password first. */
export type CallerName =
  | "none"
  | "restricted_login"
  | "viewer_login"
  | "viewer_key"
  | "member_login"
  | "member_key"
  | "system_key"
  | "admin_login"
  | "admin_key"
  | "admin_secret";

export type Callers = Readonly<Record<CallerName, SentRequest>>;

/** A server whose default admin has the documented password. */
export function openServerForCallers(url: string, options: SignInOptions = {}): Promise<SignInServer> {
  const variables = { ...options.variables, SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: undefined };
  return openSignInServer(url, { ...options, variables });
}

/** Logins send cookies, keys a header. */
export async function everyCaller(server: SignInServer): Promise<Callers> {
  const { apiKeys } = server.signIns;
  const wanted = { name: "of a caller", description: null, expiresUs: null };
  const person = async (role: "ADMIN" | "MEMBER" | "VIEWER") => {
    const { id, email, password } = await addUser(server, `Caller-${role}`, role);
    const context = { ...server.context(), principal: signedIn(id, role) };
    return {
      login: { cookies: await signIn(server, email, password) },
      key: { bearer: (await apiKeys.issueOwn(context, wanted)).text },
    };
  };
  const [viewer, member, admin] = [await person("VIEWER"), await person("MEMBER"), await person("ADMIN")];
  const { text } = await apiKeys.issueSystem({ ...server.context(), principal: keyOf(1, "ADMIN") }, wanted);
  return {
    none: {},
    restricted_login: { cookies: await signIn(server, ADMIN_EMAIL, "admin") },
    viewer_login: viewer.login,
    viewer_key: viewer.key,
    member_login: member.login,
    member_key: member.key,
    system_key: { bearer: text },
    admin_login: admin.login,
    admin_key: admin.key,
    admin_secret: { bearer: ADMIN_SECRET },
  };
}

/** What the caller would send as a bearer, for protocols without cookies. */
export function bearerOf({ bearer, cookies }: SentRequest): string | null {
  return bearer ?? cookies?.[ACCESS] ?? null;
}

/** A server with callers of every kind, and one without authentication, for all tests of the enclosing suite. */
export const callersOfSuite = (driver: TestDriver) =>
  openForSuite(async () => {
    const server = await openServerForCallers(await driver.createDatabase());
    const open = await openSignInServer(await driver.createDatabase(), { variables: { SERVICE_ENABLE_AUTH: "false" } });
    const close = () => Promise.all([server.close(), open.close()]);
    return { server, open, callers: await everyCaller(server), close };
  });

// Signing in with a real provider: every way in which the service authenticates there, PKCE, several servers on one database, and
// what becomes of the account.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import {
  CLIENT_SECRET,
  type RealClient,
  type RealProvider,
  signInAtProvider,
  startRealProvider,
} from "../support/openid-provider.ts";
import {
  ACCESS,
  ADMIN_SECRET,
  type Cookies,
  cookiesOf,
  openSignInServer,
  type SignInServer,
} from "../support/sign-in.ts";

const clients: readonly RealClient[] = [
  { id: "basic", method: "client_secret_basic" },
  { id: "basic_pkce", method: "client_secret_basic", pkce: true },
  { id: "post", method: "client_secret_post" },
  { id: "post_pkce", method: "client_secret_post", pkce: true },
  { id: "public", method: "none", pkce: true },
  { id: "hs256", method: "client_secret_basic", symmetric: true },
];
const people = {
  ann: { email: "Ann@Example.com", email_verified: true, name: "Ann Example", picture: "https://example.com/ann.png" },
  bob: { email: "bob@example.com", groups: ["staff", "admins"], role: "Owner" },
};

forEachDriver("a real provider", (driver) => {
  let provider: RealProvider;
  let one: SignInServer;
  let other: SignInServer;

  beforeAll(async () => {
    provider = await startRealProvider({
      people,
      clients,
      callbacks: (client) => [`http://localhost/oauth2/${client}/tokens`, "http://localhost/oauth2/roles/tokens"],
    });
    const settings = (
      id: string,
      { id: client, method, pkce = false }: RealClient,
      more: Record<string, string> = {},
    ) =>
      Object.entries({
        CLIENT_ID: client,
        OIDC_CONFIG_URL: provider.configUrl,
        TOKEN_ENDPOINT_AUTH_METHOD: method,
        USE_PKCE: String(pkce),
        ...(method === "none" ? {} : { CLIENT_SECRET }),
        ...more,
      }).map(([suffix, value]) => [`SERVICE_OAUTH2_${id.toUpperCase()}_${suffix}`, value] as const);
    const roles = {
      SCOPES: "groups",
      GROUPS_ATTRIBUTE_PATH: "groups",
      ALLOWED_GROUPS: "admins",
      ROLE_ATTRIBUTE_PATH: "role",
      ROLE_MAPPING: "Owner:ADMIN",
      ROLE_ATTRIBUTE_STRICT: "true",
    };
    const variables = Object.fromEntries([
      ...clients.flatMap((client) => settings(client.id, client)),
      ...settings("roles", clients[1]!, roles),
    ]);
    const url = await driver.createDatabase();
    one = await openSignInServer(url, { variables });
    other = await openSignInServer(url, { variables });
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await provider.close();
  });

  /** Both halves, the second at another server; resolves with the answer to the browser's return. */
  async function signIn(id: string, login: string, returnUrl = "/projects"): Promise<Response> {
    const begun = await one.send(`GET /oauth2/${id}/login?returnUrl=${encodeURIComponent(returnUrl)}`);
    expect(begun.status).toBe(302);
    const back = new URL(
      await signInAtProvider(begun.headers.get("location")!, login, /^http:\/\/localhost\/oauth2\//),
    );
    return other.send(`GET ${back.pathname}${back.search}`, { cookies: cookiesOf(begun) });
  }
  const viewer = async (cookies: Cookies) => {
    const { data } = (await (await one.send("GET /v1/user", { cookies })).json()) as { data: Record<string, unknown> };
    return data;
  };

  for (const { id } of clients) {
    test(`client ${id} signs a person in, begun by one server and completed by another`, async () => {
      const done = await signIn(id, "ann");
      expect(one.lines.concat(other.lines).filter((line) => line.includes("refused"))).toEqual([]);
      expect(done.status).toBe(302);
      expect(done.headers.get("location")).toBe("/projects");
      const cookies = cookiesOf(done);
      for (const name of ["state", "nonce", "code-verifier"]) expect(cookies[`phoenix-oauth2-${name}`]).toBe('""');
      expect(await viewer(cookies)).toMatchObject({
        auth_method: "OAUTH2",
        email: "ann@example.com",
        username: "Ann Example",
      });
      // The next client is another identity with the same address.
      const { data } = (await (await one.send("GET /v1/user", { cookies })).json()) as { data: { id: string } };
      expect((await one.send(`DELETE /v1/users/${data.id}`, { bearer: ADMIN_SECRET })).status).toBe(204);
      expect((await one.send("GET /v1/user", { cookies })).status).toBe(401);
    });
  }

  test("groups and role come from the UserInfo endpoint", async () => {
    const done = await signIn("roles", "bob");
    expect(cookiesOf(done)[ACCESS]).toBeString();
    expect(await viewer(cookiesOf(done))).toMatchObject({ email: "bob@example.com", username: "bob", role: "ADMIN" });
  });

  test("who is in no allowed group is refused, with a line of the log that has no value of a claim", async () => {
    const refused = await signIn("roles", "ann");
    expect(refused.status).toBe(307);
    expect(refused.headers.get("location")).toBe("/login?error=auth_failed");
    const reference = cookiesOf(refused)["spanlight-sign-in-reference"]!;
    const line = other.lines.find((each) => each.includes(reference))!;
    expect(line).toContain("step=groups");
    expect(line).toContain("none of 0 groups at groups is allowed");
    expect(line).toContain("email");
    expect(line.toLowerCase()).not.toContain("ann@example.com");
  });

  test("a code works once", async () => {
    const begun = await one.send("GET /oauth2/basic/login");
    const back = new URL(
      await signInAtProvider(begun.headers.get("location")!, "ann", /^http:\/\/localhost\/oauth2\//),
    );
    const line = `GET ${back.pathname}${back.search}`;
    const cookies = cookiesOf(begun);
    expect((await one.send(line, { cookies })).headers.get("location")).toBe("/");
    const again = await other.send(line, { cookies });
    expect(again.headers.get("location")).toBe("/login?error=oauth_error");
    expect(cookiesOf(again)[ACCESS]).toBeUndefined();
    expect(other.lines.findLast((each) => each.includes("step=code"))).toContain("provider_error=");
  });
});

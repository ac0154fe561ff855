// Every setting of an identity provider has its effect: who gets in, with what role, as which account, and where the browser goes.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forEachDriver } from "../support/drivers.ts";
import { beginAt, outcomeOf, providerVariables, signInBy } from "../support/openid-sign-in.ts";
import { CLIENT, type Script, type ScriptedProvider, startScriptedProvider } from "../support/scripted-provider.ts";
import { ADMIN_SECRET, cookiesOf, openSignInServer, REFRESH, type SignInServer } from "../support/sign-in.ts";

forEachDriver("settings of an identity provider", (driver) => {
  let provider: ScriptedProvider;
  let url: string;
  let server: SignInServer | null = null;
  beforeAll(async () => {
    provider = await startScriptedProvider();
    url = await driver.createDatabase();
  });
  afterAll(() => provider.close());
  afterEach(async () => {
    await server?.stored.storage.handle
      .write(server.context())
      .deleteFrom("users")
      .where("email", "not like", "%@localhost")
      .execute();
    await server?.close();
    server = null;
  });

  /** The server with these settings of its one provider. */
  async function withSettings(
    more: Record<string, string | undefined>,
    variables: Record<string, string> = {},
  ): Promise<SignInServer> {
    await server?.close();
    server = await openSignInServer(url, {
      variables: { ...providerVariables("CORP", provider.configUrl, more), ...variables },
    });
    return server;
  }
  /** The code of a refusal, else role of the account. */
  async function roleAfter(claims: Script["claims"], userInfo: Script["userInfo"] = {}): Promise<string> {
    const response = await signInBy(server!, provider, { claims: claims ?? {}, userInfo });
    const outcome = outcomeOf(response);
    if (outcome !== "/") return outcome;
    return (await viewerOf(response)).role as string;
  }
  async function viewerOf(response: Response): Promise<Record<string, unknown>> {
    const answer = await server!.send("GET /v1/user", { cookies: cookiesOf(response) });
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  }
  const create = async (user: Record<string, unknown>) => {
    const body = { user: { username: "Chosen", role: "MEMBER", ...user }, send_welcome_email: false };
    const response = await server!.send("POST /v1/users", { bearer: ADMIN_SECRET, json: body });
    expect(response.status).toBe(201);
    return ((await response.json()) as { data: { id: string } }).data.id;
  };

  describe("the request to the provider", () => {
    test("asks for all scopes, and to come back below the root path of SERVICE_ROOT_URL", async () => {
      const at = await withSettings(
        { SCOPES: "groups email" },
        { SERVICE_ROOT_URL: "https://example.org/traces", SERVICE_HOST_ROOT_PATH: "/traces" },
      );
      const { authorization, cookies, state } = await beginAt(at, provider, "corp", "?returnUrl=/projects", {
        headers: { referer: "https://elsewhere.example/login" },
      });
      const asked = authorization.searchParams;
      expect(asked.get("scope")).toBe("openid email profile groups");
      expect(asked.get("client_id")).toBe(CLIENT.id);
      expect(asked.get("response_type")).toBe("code");
      expect(asked.get("redirect_uri")).toBe("https://example.org/traces/oauth2/corp/tokens");
      expect(asked.get("nonce")).toMatch(/^[\w-]{20}$/);
      const back = await at.send(`GET /traces/oauth2/corp/tokens?code=abc&state=${state}`, { cookies });
      expect(outcomeOf(back)).toBe("/traces/projects");
      // Byte for byte as it was sent before.
      expect(provider.requests.findLast(({ path }) => path === "/token")!.body.get("redirect_uri")).toBe(
        "https://example.org/traces/oauth2/corp/tokens",
      );
    });

    test("names the origin of the page that asked only where it is ours or trusted", async () => {
      const at = await withSettings({}, { SERVICE_CSRF_TRUSTED_ORIGINS: "https://trusted.example,http://localhost" });
      const redirectFor = async (referer?: string) => {
        const headers = referer === undefined ? {} : { referer };
        const { authorization } = await beginAt(at, provider, "corp", "", { headers });
        return authorization.searchParams.get("redirect_uri");
      };
      expect(await redirectFor()).toBe("http://localhost/oauth2/corp/tokens");
      expect(await redirectFor("https://localhost/login")).toBe("https://localhost/oauth2/corp/tokens");
      expect(await redirectFor("https://trusted.example/login")).toBe("https://trusted.example/oauth2/corp/tokens");
      await withSettings({});
      const { authorization } = await beginAt(server!, provider, "corp", "", {
        headers: { referer: "https://evil.example/" },
      });
      expect(authorization.searchParams.get("redirect_uri")).toBe("http://localhost/oauth2/corp/tokens");
    });

    test("its cookies are Lax, end after 15 minutes, and have the path and Secure of the settings", async () => {
      const at = await withSettings(
        { USE_PKCE: "true" },
        { SERVICE_USE_SECURE_COOKIES: "true", SERVICE_COOKIES_PATH: "/here" },
      );
      const response = await at.send("POST /oauth2/corp/login");
      expect(response.status).toBe(302);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const texts = response.headers.getSetCookie();
      expect(texts.map((text) => text.split("=", 1)[0])).toEqual([
        "phoenix-oauth2-state",
        "phoenix-oauth2-nonce",
        "phoenix-oauth2-code-verifier",
      ]);
      for (const text of texts) expect(text).toEndWith("; Max-Age=900; Path=/here; HttpOnly; SameSite=Lax; Secure");
    });
  });

  describe("TOKEN_ENDPOINT_AUTH_METHOD", () => {
    const sent = async (more: Record<string, string | undefined>) => {
      await withSettings(more);
      expect(outcomeOf(await signInBy(server!, provider))).toBe("/");
      const { headers, body } = provider.requests.findLast(({ path }) => path === "/token")!;
      return { authorization: headers.get("authorization"), body: Object.fromEntries(body) };
    };

    test("client_secret_basic is the default, with as little encoded as may be", async () => {
      const { authorization, body } = await sent({ CLIENT_SECRET: "a-b._c d:%ä" });
      expect(Buffer.from(authorization!.slice("Basic ".length), "base64").toString()).toBe(
        `${CLIENT.id}:a-b._c+d%3A%25%C3%A4`,
      );
      expect(body).not.toHaveProperty("client_secret");
    });

    test("client_secret_post, none", async () => {
      const post = await sent({ TOKEN_ENDPOINT_AUTH_METHOD: "client_secret_post" });
      expect(post.authorization).toBeNull();
      expect(post.body).toMatchObject({ client_id: CLIENT.id, client_secret: CLIENT.secret });
      const none = await sent({ TOKEN_ENDPOINT_AUTH_METHOD: "none", USE_PKCE: "true", CLIENT_SECRET: undefined });
      expect(none.authorization).toBeNull();
      expect(none.body).toMatchObject({ client_id: CLIENT.id, code_verifier: expect.stringMatching(/^[\w-]{48}$/) });
      expect(none.body).not.toHaveProperty("client_secret");
    });

    test("client_assertion_jwt reads the file at every sign-in; one that cannot be used is reported without a secret path", async () => {
      const folder = await mkdtemp(join(tmpdir(), "spanlight-assertion-"));
      const file = join(folder, "token");
      const more = { TOKEN_ENDPOINT_AUTH_METHOD: "client_assertion_jwt", CLIENT_SECRET: undefined };
      await withSettings({ ...more, CLIENT_ASSERTION_FILE: file });
      const attempt = async () => outcomeOf(await signInBy(server!, provider));
      const cause = () => server!.lines.findLast((line) => line.includes("refused"));
      expect((await server!.send("GET /oauth2/corp/login")).headers.get("location")).toBe("/login?error=oauth_error");
      expect(cause()).toContain(`the file ${file} of the client assertion is not there`);
      for (const assertion of ["one.a.b", "two.a.b"]) {
        await writeFile(file, ` ${assertion}\n`);
        expect(await attempt()).toBe("/");
        expect(Object.fromEntries(provider.requests.findLast(({ path }) => path === "/token")!.body)).toMatchObject({
          client_id: CLIENT.id,
          client_assertion: assertion,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        });
      }
      for (const [content, problem] of [
        [" \n", "is empty"],
        [new Uint8Array([0xff]), "is not UTF-8"],
        ["x".repeat(70_000), "is too large"],
      ] as const) {
        await writeFile(file, content);
        const response = await server!.send("GET /oauth2/corp/login");
        expect(response.headers.get("location")).toBe("/login?error=oauth_error");
        expect(cause()).toContain(problem);
      }
      await withSettings(
        { ...more, CLIENT_ASSERTION_FILE_ENV_VAR: "TOKEN_FILE" },
        { TOKEN_FILE: join(folder, "none") },
      );
      await server!.send("GET /oauth2/corp/login");
      expect(cause()).toContain("the file of the client assertion is not there");
      expect(server!.lines.join("\n")).not.toContain(folder);
      await rm(folder, { recursive: true });
    });
  });

  describe("claims of providers people use", () => {
    test("Entra ID without e-mail; Cognito's texts; Keycloak's nested roles", async () => {
      await withSettings({ EMAIL_ATTRIBUTE_PATH: "email || preferred_username" });
      const entra = { email: undefined, preferred_username: " Ann@Contoso.example ", name: "Ann", oid: "x" };
      expect((await viewerOf(await signInBy(server!, provider, { claims: entra }))).email).toBe("ann@contoso.example");
      await withSettings({
        ROLE_ATTRIBUTE_PATH: "resource_access.spanlight.roles[?ends_with(@, '-admin')] | [0]",
        ROLE_MAPPING: "trace-admin:ADMIN",
        GROUPS_ATTRIBUTE_PATH: '"cognito:groups"',
        ALLOWED_GROUPS: "eng",
      });
      const keycloak = {
        resource_access: { spanlight: { roles: ["user", "trace-admin"] } },
        "cognito:groups": ["eng"],
      };
      expect(await roleAfter({ sub: "k", email: "k@example.com", ...keycloak })).toBe("ADMIN");
    });

    test("the name, else what is before the @; a picture that is no web address is left out", async () => {
      await withSettings({});
      const named = async (claims: Record<string, unknown>) => {
        const response = await signInBy(server!, provider, {
          claims: { sub: String(claims.email), ...claims },
        });
        const { username, profile_picture_url: picture } = await viewerOf(response);
        return [username, picture];
      };
      const https = "https://example.com/p.png";
      expect(await named({ email: "a@example.com", name: "Ann", picture: https })).toEqual(["Ann", https]);
      expect(await named({ email: "b@example.com", name: 7, picture: "javascript:x" })).toEqual(["b", undefined]);
    });
  });

  describe("GROUPS_ATTRIBUTE_PATH and ALLOWED_GROUPS", () => {
    test("let in whom one value names exactly, however the groups are written", async () => {
      await withSettings({ GROUPS_ATTRIBUTE_PATH: "groups", ALLOWED_GROUPS: "eng, 17,True" });
      for (const groups of ["eng", ["x", "eng"], [17], 17, true, [{ name: "x" }, null, "eng"]]) {
        expect(await roleAfter({ groups })).toBe("VIEWER");
      }
      for (const groups of [undefined, null, "", [], ["Eng"], "engineers", [" eng"], { eng: true }, [["eng"]]]) {
        expect(await roleAfter({ groups })).toBe("auth_failed");
      }
      expect(await roleAfter({}, { groups: ["eng"] })).toBe("VIEWER");
      expect(await roleAfter({ groups: ["x"] }, { groups: ["eng"] })).toBe("auth_failed");
    });

    test("a path that fails when it runs counts as no groups, and warns", async () => {
      await withSettings({ GROUPS_ATTRIBUTE_PATH: "contains(groups, 'eng')", ALLOWED_GROUPS: "True" });
      expect(await roleAfter({ groups: ["eng"] })).toBe("VIEWER");
      expect(await roleAfter({})).toBe("auth_failed");
      expect(server!.lines.join("\n")).toContain("the path contains(groups, 'eng') could not be evaluated");
    });

    test("ten thousand groups are read", async () => {
      await withSettings({ GROUPS_ATTRIBUTE_PATH: "groups", ALLOWED_GROUPS: "g9999" });
      const groups = Array.from({ length: 10_000 }, (_, index) => `g${index}`);
      expect(await roleAfter({}, { groups })).toBe("VIEWER");
    });
  });

  describe("ROLE_ATTRIBUTE_PATH", () => {
    const table: readonly (readonly [unknown, lax: string, strict: string])[] = [
      ["Owner", "ADMIN", "ADMIN"],
      [["Dev", "Owner"], "MEMBER", "MEMBER"],
      [" Owner ", "ADMIN", "ADMIN"],
      ["owner", "VIEWER", "auth_failed"],
      ["ADMIN", "VIEWER", "auth_failed"],
      [undefined, "VIEWER", "auth_failed"],
      [[], "VIEWER", "auth_failed"],
      [{ a: 1 }, "VIEWER", "auth_failed"],
    ];
    test("with a mapping takes its values only; unmapped is viewer, in strict mode refused", async () => {
      const more = { ROLE_ATTRIBUTE_PATH: "role", ROLE_MAPPING: "Owner:admin,Dev:MEMBER" };
      for (const [index, strict] of [false, true].entries()) {
        await withSettings({ ...more, ROLE_ATTRIBUTE_STRICT: String(strict) });
        for (const row of table) expect([row[0], await roleAfter({ role: row[0] })]).toEqual([row[0], row[index + 1]!]);
      }
    });

    test("without a mapping takes the roles themselves in any letter case, never SYSTEM", async () => {
      await withSettings({ ROLE_ATTRIBUTE_PATH: "role" });
      for (const [role, expected] of [
        ["Admin", "ADMIN"],
        ["MEMBER", "MEMBER"],
        ["viewer", "VIEWER"],
        ["SYSTEM", "VIEWER"],
        ["root", "VIEWER"],
        [undefined, "VIEWER"],
      ] as const) {
        expect(await roleAfter({ role })).toBe(expected);
      }
      await withSettings({ ROLE_ATTRIBUTE_PATH: "role", ROLE_ATTRIBUTE_STRICT: "true" });
      expect(await roleAfter({ role: "SYSTEM" })).toBe("auth_failed");
    });

    test("the role follows at every sign-in, also down, and at once for sign-ins that run", async () => {
      await withSettings({ ROLE_ATTRIBUTE_PATH: "role" });
      const first = await signInBy(server!, provider, { claims: { role: "ADMIN" } });
      expect((await viewerOf(first)).role).toBe("ADMIN");
      expect(await roleAfter({ role: "MEMBER" })).toBe("MEMBER");
      expect((await viewerOf(first)).role).toBe("MEMBER");
    });

    test("not with ROLE_RESYNC=false, nor without a path: then an administrator's choice stays", async () => {
      await withSettings({ ROLE_ATTRIBUTE_PATH: "role", ROLE_RESYNC: "false" });
      expect(await roleAfter({ role: "ADMIN" })).toBe("ADMIN");
      expect(await roleAfter({ role: "VIEWER" })).toBe("ADMIN");
      await withSettings({});
      expect(await roleAfter({ role: "VIEWER" })).toBe("ADMIN");
      expect(await roleAfter({ sub: "new", email: "new@example.com", role: "ADMIN" })).toBe("VIEWER");
    });
  });

  describe("ALLOW_SIGN_UP", () => {
    test("off: strangers are refused, accounts of administrators find their owner", async () => {
      await withSettings({ ALLOW_SIGN_UP: "false" });
      expect(await roleAfter({})).toBe("sign_in_not_allowed");
      const id = await create({ auth_method: "OAUTH2", email: "ann@example.com" });
      const response = await signInBy(server!, provider);
      expect(await viewerOf(response)).toMatchObject({
        id,
        username: "Chosen",
        role: "MEMBER",
        oauth2_user_id: "00u1",
      });
      expect(await roleAfter({ sub: "00u2" })).toBe("sign_in_not_allowed");
    });

    test("an account made in GraphQL finds its owner, too", async () => {
      await withSettings({});
      const input = '{email: "Ann@Example.com", username: "Chosen", role: ADMIN, authMethod: OAUTH2}';
      const query = `mutation { createUser(input: ${input}) { user { id } } }`;
      const made = await server!.send("POST /graphql", { bearer: ADMIN_SECRET, json: { query } });
      expect(await made.json()).not.toHaveProperty("errors");
      expect(await viewerOf(await signInBy(server!, provider))).toMatchObject({
        username: "Chosen",
        role: "ADMIN",
        oauth2_client_id: CLIENT.id,
      });
    });

    for (const [allowed, code] of [
      ["true", "email_in_use"],
      ["false", "sign_in_not_allowed"],
    ] as const) {
      test(`${allowed}: an address of another user is ${code}`, async () => {
        await withSettings({ ALLOW_SIGN_UP: allowed });
        await create({ auth_method: "LOCAL", email: "local@example.com", password: "abcd", username: "L" });
        await create({ auth_method: "LDAP", email: "ldap@example.com", username: "D" });
        await create({
          auth_method: "OAUTH2",
          email: "known@example.com",
          username: "K",
          oauth2_client_id: CLIENT.id,
          oauth2_user_id: "k",
        });
        await create({ auth_method: "OAUTH2", email: "other@example.com", username: "O", oauth2_client_id: "another" });
        await create({ auth_method: "OAUTH2", email: "pending@example.com", username: "P" });
        for (const email of ["local@example.com", "LDAP@example.com", "known@example.com", "other@example.com"]) {
          expect(await roleAfter({ email })).toBe(code);
        }
        for (const email_verified of [false, "False"]) {
          expect(await roleAfter({ email: "pending@example.com", email_verified })).toBe(code);
        }
        expect(await roleAfter({ email: "pending@example.com", email_verified: true })).toBe("MEMBER");
        // A known person moves to an address that is taken.
        expect(await roleAfter({ sub: "k", email: "local@example.com" })).toBe("email_in_use");
        expect(await roleAfter({ sub: "k", email: "moved@example.com" })).toBe("MEMBER");
      });
    }
  });

  describe("passwords switched off, and auto-login", () => {
    test("errors and sign-outs lead to the page without an automatic sign-in", async () => {
      await withSettings(
        {},
        {
          SERVICE_DISABLE_BASIC_AUTH: "true",
          SERVICE_ADMINS: "Ann=ann@example.com",
          SERVICE_MANAGEMENT_URL: "https://console.example",
        },
      );
      expect((await signInBy(server!, provider, { claims: { nonce: "x" } })).headers.get("location")).toBe(
        "/logout?error=auth_failed",
      );
      // An administrator of the settings is waiting for its owner, and keeps the role where none is mapped.
      const response = await signInBy(server!, provider);
      expect(await viewerOf(response)).toMatchObject({ username: "Ann", role: "ADMIN", auth_method: "OAUTH2" });
      const asked = { query: "{ viewer { isManagementUser } }" };
      const viewer = await server!.send("POST /graphql", { cookies: cookiesOf(response), json: asked });
      expect(await viewer.json()).toEqual({ data: { viewer: { isManagementUser: true } } });
      const out = await server!.send("GET /auth/logout", { cookies: cookiesOf(response) });
      expect([out.status, out.headers.get("location")]).toEqual([302, "/logout"]);
      expect(out.headers.getSetCookie().length).toBe(5);
      expect((await server!.send("GET /v1/user", { cookies: cookiesOf(response) })).status).toBe(401);
      const login = await server!.send("POST /auth/login", { json: { email: "ann@example.com", password: "x" } });
      expect(login.status).toBe(403);
    });

    test("with auto-login a sign-out leads there, too, and pages know of it", async () => {
      await withSettings({ AUTO_LOGIN: "true", DISPLAY_NAME: "Example Corp" });
      expect((await server!.send("GET /auth/logout")).headers.get("location")).toBe("/logout");
      expect(server!.signIns.offers).toMatchObject({
        autoLogin: "corp",
        providers: [{ name: "corp", displayName: "Example Corp" }],
      });
      await withSettings({});
      expect((await server!.send("GET /auth/logout")).headers.get("location")).toBe("/login");
      expect(server!.signIns.offers).toMatchObject({ autoLogin: null, providers: [{ displayName: "Corp" }] });
    });
  });

  test("a sign-in is one like any other: it renews, and a form that a redirection kept is led to the page", async () => {
    await withSettings({});
    const cookies = cookiesOf(await signInBy(server!, provider));
    expect(cookies[REFRESH]).toBeString();
    expect((await server!.send("POST /auth/refresh", { cookies })).status).toBe(204);
    for (const page of ["/login?error=unknown_idp", "/logout"]) {
      const response = await server!.send(`POST ${page}`);
      expect([response.status, response.headers.get("location")]).toEqual([303, page]);
    }
  });

  test("six logins and fifteen returns of one address, then 429; other addresses are free", async () => {
    await withSettings({}, { SERVICE_DISABLE_RATE_LIMIT: "false" });
    const statuses = async (line: string, count: number, peer: string) => {
      const answers: number[] = [];
      for (let index = 0; index < count; index++) answers.push((await server!.send(line, { peer })).status);
      return answers;
    };
    expect(await statuses("GET /oauth2/corp/login", 7, "192.0.2.7")).toEqual([...Array(6).fill(302), 429]);
    expect(await statuses("GET /oauth2/corp/login", 1, "192.0.2.8")).toEqual([302]);
    expect(await statuses("GET /oauth2/corp/tokens", 16, "192.0.2.9")).toEqual([...Array(15).fill(307), 429]);
    expect(await statuses("GET /oauth2/corp/tokens", 1, "192.0.2.10")).toEqual([307]);
  });

  test("without authentication there are no such routes", async () => {
    const off = { SERVICE_ENABLE_AUTH: "false", SERVICE_DISABLE_RATE_LIMIT: undefined };
    server = await openSignInServer(url, { variables: { ...providerVariables("CORP", provider.configUrl), ...off } });
    for (const path of ["/oauth2/corp/login", "/oauth2/corp/tokens", "/auth/providers"]) {
      expect((await server.send(`GET ${path}`)).status).toBe(404);
    }
    expect(server.signIns.offers).toBeNull();
  });
});

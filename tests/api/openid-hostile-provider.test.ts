// What no honest provider, and no honest browser, does: every answer that is wrong is refused with its code, and there is no sign-in.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { exportSPKI, generateKeyPair, SignJWT } from "jose";
import { createSqliteDatabase } from "../support/drivers.ts";
import { type BegunSignIn, beginAt, outcomeOf, providerVariables, signInBy } from "../support/openid-sign-in.ts";
import {
  CLIENT,
  forgedToken,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from "../support/scripted-provider.ts";
import { type Cookies, movableClock, openSignInServer, type SignInServer } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const HONEST = { access_token: "a", token_type: "Bearer" };
const LIMITS = { requestMs: 400, signInMs: 800, backOffMs: { first: 50, last: 100 } };

let provider: ScriptedProvider;
let second: ScriptedProvider;
let server: SignInServer;
let database: Awaited<ReturnType<typeof createSqliteDatabase>>;
const clock = movableClock();

const openServer = () =>
  openSignInServer(database.url, {
    clock,
    providerLimits: LIMITS,
    variables: {
      ...providerVariables("CORP", provider.configUrl),
      ...providerVariables("PKCE", provider.configUrl, { USE_PKCE: "true" }),
      ...providerVariables("OTHER", second.configUrl),
      ...providerVariables("PUBLIC", provider.configUrl, { TOKEN_ENDPOINT_AUTH_METHOD: "none", CLIENT_SECRET: "" }),
    },
  });

beforeAll(async () => {
  [provider, second, database] = await Promise.all([
    startScriptedProvider(),
    startScriptedProvider(),
    createSqliteDatabase(),
  ]);
  server = await openServer();
});
afterAll(async () => {
  await server.close();
  await Promise.all([provider.close(), second.close()]);
  await database.drop();
});
beforeEach(async () => {
  provider.script = {};
  second.script = {};
  provider.requests.length = 0;
  await server.stored.storage.handle
    .write(server.context())
    .deleteFrom("users")
    .where("auth_method", "=", "OAUTH2")
    .execute();
});

type IdToken = NonNullable<Script["idToken"]>;

async function begin(idp = "corp", query = ""): Promise<BegunSignIn> {
  const begun = await beginAt(server, provider, idp, query);
  second.nonce = provider.nonce;
  return begun;
}

const comeBack = ({ cookies, state }: BegunSignIn, idp = "corp", query = `code=abc&state=${state}`) =>
  server.send(`GET /oauth2/${idp}/tokens?${query}`, { cookies });

const outcome = async (script: Script, idp = "corp") => outcomeOf(await signInBy(server, provider, script, idp));

describe("an ID token", () => {
  test("that is honest signs in; the answer has an error for nothing", async () => {
    expect(await outcome({})).toBe("/");
  });

  const soon = Math.floor(Date.now() / 1000);
  const wrong: readonly (readonly [string, Script["claims"]])[] = [
    ["of another issuer", { iss: "https://elsewhere.example" }],
    ["of another client", { aud: "somebody-else" }],
    ["of several clients without azp", { aud: [CLIENT.id, "somebody-else"] }],
    ["of several clients for another", { aud: [CLIENT.id, "somebody-else"], azp: "somebody-else" }],
    ["made for another client", { azp: "somebody-else" }],
    ["with a nonce of another browser", { nonce: "another-nonce-0123456" }],
    ["without nonce", { nonce: undefined }],
    ["without issuer", { iss: undefined }],
    ["without audience", { aud: undefined }],
    ["without subject", { sub: undefined }],
    ["with a subject that is a number", { sub: 17 }],
    ["without expiry", { exp: undefined }],
    ["without time of issue", { iat: undefined }],
    ["that is over", { iat: soon - 1000, exp: soon - 130 }],
    ["that is not valid yet", { nbf: soon + 1000 }],
  ];
  for (const [name, claims] of wrong) {
    test(`${name} is refused`, async () => {
      expect(await outcome({ claims: claims! })).toBe("auth_failed");
    });
  }

  test("may be late by two minutes, list one audience, and name us as azp", async () => {
    expect(await outcome({ claims: { iat: soon - 1000, exp: soon - 60, nbf: soon + 60 } })).toBe("/");
    expect(await outcome({ claims: { aud: [CLIENT.id], azp: CLIENT.id } })).toBe("/");
    expect(await outcome({ claims: { aud: [CLIENT.id, "other"], azp: CLIENT.id } })).toBe("/");
  });

  test("with a blank subject, or without an address anywhere, says what the operator must ask for", async () => {
    expect(await outcome({ claims: { sub: " " } })).toBe("missing_email_scope");
    expect(await outcome({ claims: { email: undefined } })).toBe("missing_email_scope");
    expect(await outcome({ claims: { email: "  " }, userInfo: null })).toBe("missing_email_scope");
    expect(await outcome({ claims: { email: ["ann@example.com"] } })).toBe("missing_email_scope");
  });

  test("that is no token, encrypted, or absent", async () => {
    for (const idToken of ["", "a.b.c", "nonsense", "a.b.c.d.e"]) {
      expect(await outcome({ idToken: () => idToken })).toBe("auth_failed");
    }
    expect(await outcome({ idToken: () => undefined })).toBe("no_oidc_support");
  });
});

describe("a signature", () => {
  test("of another key under our key's name, and of an unknown key", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    for (const kid of ["key-1", "unknown"]) {
      const idToken = (claims: object) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
      expect(await outcome({ idToken })).toBe("auth_failed");
    }
  });

  test("none at all, also when the provider offers it", async () => {
    const metadata = { id_token_signing_alg_values_supported: ["RS256", "none"] };
    const idToken: IdToken = (claims) => forgedToken({ alg: "none" }, { ...claims }, null);
    await fresh({ metadata });
    expect(await outcome({ metadata, idToken })).toBe("auth_failed");
    await fresh({});
    expect(await outcome({ idToken })).toBe("auth_failed");
  });

  test("with a public key as secret, with the client secret where it is not offered, with a key of the published set", async () => {
    const publicKey = await exportSPKI((await generateKeyPair("RS256", { extractable: true })).publicKey);
    const by =
      (secret: string): IdToken =>
      (claims) =>
        forgedToken({ alg: "HS256", kid: "key-1" }, { ...claims }, secret);
    expect(await outcome({ idToken: by(publicKey) })).toBe("auth_failed");
    expect(await outcome({ idToken: by(CLIENT.secret) })).toBe("auth_failed");
    const metadata = { id_token_signing_alg_values_supported: ["RS256", "HS256"] };
    await fresh({ metadata });
    const keys = [{ kty: "oct", kid: "key-1", k: Buffer.from("published").toString("base64url") }];
    expect(await outcome({ metadata, keys, idToken: by("published") })).toBe("auth_failed");
    expect(await outcome({ metadata, idToken: by(CLIENT.secret) })).toBe("/");
    // Without a secret there is nothing that it could prove.
    expect(await outcome({ metadata, idToken: by("") }, "public")).toBe("auth_failed");
    await fresh({});
  });

  test("without a key's name holds when one key fits; new keys are asked for once", async () => {
    expect(await outcome({ idToken: (claims, { sign }) => sign(claims, { kid: undefined }) })).toBe("/");
    await provider.rotate();
    provider.requests.length = 0;
    expect(await outcome({})).toBe("/");
    expect(provider.requests.filter(({ path }) => path === "/jwks").length).toBe(1);
    await provider.rotate();
    expect(await outcome({})).toBe("/");
    // Those at hand are used.
    provider.requests.length = 0;
    expect(await outcome({})).toBe("/");
    expect(provider.requests.filter(({ path }) => path === "/jwks").length).toBe(0);
  });
});

/** A server that has not met the provider yet takes the place of the one before: metadata is remembered. */
async function fresh(script: Script): Promise<void> {
  provider.script = script;
  await server.close();
  server = await openServer();
}

describe("the token endpoint", () => {
  const answers: readonly (readonly [string, () => Response])[] = [
    [
      "refuses the code",
      () => Response.json({ error: "invalid_grant", error_description: "used before" }, { status: 400 }),
    ],
    [
      "refuses the client with a challenge",
      () => Response.json({ error: "invalid_client" }, { status: 401, headers: { "www-authenticate": "Basic" } }),
    ],
    ["answers no JSON", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["answers JSON that is no object", () => Response.json([1])],
    ["is broken", () => new Response("oops", { status: 500 })],
    ["leads elsewhere", () => Response.redirect(`${second.issuer}/token`, 307)],
    ["answers without end", () => Response.json({ ...HONEST, more: "x".repeat(2_000_000) })],
    ["gives no access token", () => Response.json({ token_type: "Bearer" })],
    ["gives a token of another type", () => Response.json({ access_token: "a", token_type: "mac", id_token: "a.b.c" })],
  ];
  for (const [name, answer] of answers) {
    test(`${name}: oauth_error`, async () => {
      expect(await outcome({ token: answer })).toBe("oauth_error");
    });
  }

  test("leads elsewhere: it is not followed with the secret", async () => {
    second.requests.length = 0;
    await outcome({ token: () => Response.redirect(`${second.issuer}/token`, 307) });
    expect(second.requests).toEqual([]);
  });

  test("never answers: the person does not wait for ever", async () => {
    expect(await outcome({ silent: ["/token"] })).toBe("oauth_error");
    expect(server.lines.findLast((line) => line.includes("refused"))).toContain("no answer from 127.0.0.1");
  });

  test("what it says is in the log, on one line", async () => {
    const token = () => Response.json({ error: "invalid_grant", error_description: "no\nsuch code" }, { status: 400 });
    await outcome({ token });
    const line = server.lines.findLast((each) => each.includes("refused"))!;
    expect(line).toContain('provider_error="invalid_grant: no such code"');
    expect(line).toContain("step=code");
    expect(line).not.toContain(CLIENT.secret);
  });
});

describe("the UserInfo endpoint", () => {
  test("fills up what the ID token does not say, and never of another user", async () => {
    const without = { email: undefined };
    expect(await outcome({ claims: without, userInfo: { email: "ann@example.com" } })).toBe("/");
    expect(await outcome({ claims: { email: null }, userInfo: { email: "ann@example.com" } })).toBe("/");
    expect(await outcome({ claims: without, userInfo: { sub: "victim", email: "ann@example.com" } })).toBe(
      "missing_email_scope",
    );
    expect(await outcome({ claims: without, silent: ["/userinfo"] })).toBe("missing_email_scope");
  });

  test("is not asked when nothing is missing", async () => {
    provider.requests.length = 0;
    await outcome({});
    expect(provider.requests.some(({ path }) => path === "/userinfo")).toBeFalse();
  });
});

describe("the way back", () => {
  test("without state or cookies, or with those of another browser", async () => {
    const mine = await begin();
    const theirs = await begin();
    const refused = async (cookies: Cookies, query: string) =>
      outcomeOf(await server.send(`GET /oauth2/corp/tokens?${query}`, { cookies }));
    const query = `code=abc&state=${mine.state}`;
    expect(await refused(mine.cookies, "code=abc")).toBe("invalid_state");
    expect(await refused({}, query)).toBe("invalid_state");
    expect(await refused({ "phoenix-oauth2-state": mine.state }, query)).toBe("invalid_state");
    expect(await refused(theirs.cookies, query)).toBe("invalid_state");
    // The right state with the nonce of another.
    const mixed = { ...mine.cookies, "phoenix-oauth2-nonce": "x".repeat(20) };
    expect(await refused(mixed, query)).toBe("auth_failed");
  });

  test("with a state that is not signed here, changed, or over", async () => {
    const refused = async (state: string) =>
      outcomeOf(
        await comeBack({
          ...(await begin()),
          state,
          cookies: { "phoenix-oauth2-state": state, "phoenix-oauth2-nonce": "n" },
        }),
      );
    const [header, payload, signature] = (await begin()).state.split(".");
    const claims = JSON.parse(Buffer.from(payload!, "base64url").toString()) as object;
    const changed = Buffer.from(JSON.stringify({ ...claims, return_url: "/x" })).toString("base64url");
    expect(await refused(`${header}.${changed}.${signature}`)).toBe("invalid_state");
    expect(await refused(forgedToken({ alg: "none" }, { ...claims }, null))).toBe("invalid_state");
    expect(await refused(forgedToken({ alg: "HS256" }, { ...claims }, "another secret"))).toBe("invalid_state");
    expect(await refused("nonsense")).toBe("invalid_state");
    const begun = await begin();
    clock.forward(16 * 60_000);
    expect(outcomeOf(await comeBack(begun))).toBe("invalid_state");
  });

  test("to another provider than it began with, or from an issuer that is another", async () => {
    const begun = await begin("corp");
    expect(outcomeOf(await comeBack(begun, "other"))).toBe("invalid_state");
    const iss = encodeURIComponent(second.issuer);
    expect(outcomeOf(await comeBack(begun, "corp", `code=abc&state=${begun.state}&iss=${iss}`))).toBe("auth_failed");
    expect(
      outcomeOf(
        await comeBack(begun, "corp", `code=abc&state=${begun.state}&iss=${encodeURIComponent(provider.issuer)}`),
      ),
    ).toBe("/");
  });

  test("of a provider that refuses, sends no code, or two", async () => {
    const begun = await begin();
    const back = async (query: string) => outcomeOf(await comeBack(begun, "corp", `${query}&state=${begun.state}`));
    expect(await back("error=access_denied&error_description=not%0Atoday")).toBe("auth_failed");
    expect(server.lines.findLast((line) => line.includes("refused"))).toContain('"access_denied: not today"');
    expect(await back("error_description=x")).toBe("auth_failed");
    expect(await back("x=y")).toBe("auth_failed");
    expect(await back("code=a&code=b")).toBe("auth_failed");
    expect(provider.requests.some(({ path }) => path === "/token")).toBeFalse();
  });

  test("to an unknown provider; an invalid name is 422", async () => {
    const begun = await begin();
    expect(outcomeOf(await comeBack(begun, "nobody"))).toBe("unknown_idp");
    expect((await server.send("GET /oauth2/nobody/login")).headers.get("location")).toBe("/login?error=unknown_idp");
    const posted = await server.send("POST /oauth2/nobody/login");
    expect([posted.status, posted.headers.get("location")]).toEqual([307, "/login?error=unknown_idp"]);
    for (const path of ["/oauth2/Corp/login", "/oauth2/a-b/tokens", "/oauth2/a%20b/login"]) {
      const response = await server.send(`GET ${path}`);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        detail: [{ loc: ["path", "idp"], type: "string_pattern_mismatch" }],
      });
    }
  });

  test("without the verifier's cookie where PKCE is on; with it the provider gets the verifier of the challenge", async () => {
    const begun = await begin("pkce");
    const { "phoenix-oauth2-code-verifier": verifier, ...without } = begun.cookies;
    expect(verifier).toMatch(/^[\w-]{48}$/);
    expect(outcomeOf(await comeBack({ ...begun, cookies: without }, "pkce"))).toBe("auth_failed");
    expect(outcomeOf(await comeBack(begun, "pkce"))).toBe("/");
    const sent = provider.requests.findLast(({ path }) => path === "/token")!;
    expect(sent.body.get("code_verifier")).toBe(verifier!);
    const { createHash } = await import("node:crypto");
    const challenge = createHash("sha256").update(verifier!).digest("base64url");
    expect(begun.authorization.searchParams.get("code_challenge")).toBe(challenge);
    expect(begun.authorization.searchParams.get("code_challenge_method")).toBe("S256");
    expect((await begin("corp")).authorization.searchParams.has("code_challenge")).toBeFalse();
  });
});

describe("the return address", () => {
  const led = async (returnUrl: string) =>
    outcomeOf(await comeBack(await begin("corp", `?returnUrl=${encodeURIComponent(returnUrl)}`)));

  for (const path of ["/", "/projects", "/projects/UHJvamVjdDox/spans?filter=a%3D%221%22&x=100%", "/a/..//b", "/ä"]) {
    test(`${path} is followed`, async () => {
      expect(decodeURI(await led(path).then((location) => location.replaceAll("100%", "100%25")))).toBe(
        decodeURI(path.replaceAll("100%", "100%25")),
      );
    });
  }

  for (const path of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/%2Fevil.example",
    "%2F%2Fevil.example",
    "/%252Fevil.example",
    "/%5Cevil.example",
    "/@evil.example",
    "projects",
    "/a\r\nset-cookie: x=y",
    "/a%0d%0ax",
    "/a\\b",
    `/${"%25".repeat(3)}252525252F`,
  ]) {
    test(`${JSON.stringify(path)} is refused`, async () => {
      const location = await led(path);
      // What ends up harmless after every decoding may be followed, on this host.
      if (location !== "unsafe_return_url") expect(location).toMatch(/^\/(?![/\\])/);
      if (!path.includes("2525")) expect(location).toBe("unsafe_return_url");
    });
  }

  test("is the start page without one, and with one that no cookie could hold", async () => {
    expect(await led(`/${"a".repeat(2000)}`)).toBe("/");
    expect(outcomeOf(await comeBack(await begin("corp", "?returnUrl=")))).toBe("unsafe_return_url");
  });
});

describe("groups and claims by the thousand", () => {
  test("are read in bounded time, and the log stays short", async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`claim-${index}`, "value-of-a-claim"]));
    expect(await outcome({ claims: { ...many, email: undefined } })).toBe("missing_email_scope");
    const line = server.lines.findLast((each) => each.includes("refused"))!;
    expect(line.length).toBeLessThan(1500);
    expect(line).not.toContain("value-of-a-claim");
  });
});

describe("a provider that is away", () => {
  test("at the start refuses sign-ins, says so on its button, and works again without a restart", async () => {
    const url = await createSqliteDatabase();
    const late = await startScriptedProvider();
    const { configUrl } = late;
    const port = Number(new URL(configUrl).port);
    await late.close();
    const alone = await openSignInServer(url.url, {
      providerLimits: LIMITS,
      variables: providerVariables("CORP", configUrl),
    });
    const available = async () => {
      const { providers } = (await (await alone.send("GET /auth/providers")).json()) as {
        providers: { name: string; displayName: string; available: boolean }[];
      };
      expect(providers[0]).toMatchObject({ name: "corp", displayName: "Corp" });
      return providers[0]!.available;
    };
    expect((await alone.send("GET /oauth2/corp/login")).headers.get("location")).toBe("/login?error=oauth_error");
    expect(alone.lines.findLast((line) => line.includes("refused"))).toContain("step=metadata");
    expect(await available()).toBeFalse();
    const back = await startScriptedProvider(port);
    await until(available);
    expect((await alone.send("GET /oauth2/corp/login")).headers.get("location")).toStartWith(
      `${back.issuer}/authorize?`,
    );
    await alone.close();
    await back.close();
    await url.drop();
  });

  test("is asked seldom, however many people come", async () => {
    const silent = await startScriptedProvider();
    silent.script = { silent: ["/.well-known/openid-configuration"] };
    const url = await createSqliteDatabase();
    const alone = await openSignInServer(url.url, {
      providerLimits: LIMITS,
      variables: providerVariables("CORP", silent.configUrl),
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => alone.send("GET /oauth2/corp/login")));
    expect(new Set(answers.map(({ headers }) => headers.get("location")))).toEqual(
      new Set(["/login?error=oauth_error"]),
    );
    expect(silent.requests.length).toBe(1);
    await alone.send("GET /oauth2/corp/login");
    await alone.send("GET /auth/providers");
    expect(silent.requests.length).toBe(1);
    await alone.close();
    await silent.close();
    await url.drop();
  });

  const broken: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ["names no issuer", { issuer: undefined }, "no issuer"],
    ["names an endpoint that is no address", { token_endpoint: "javascript:x" }, "token_endpoint"],
    ["names no keys", { jwks_uri: 7 }, "jwks_uri"],
  ];
  for (const [name, metadata, cause] of broken) {
    test(`whose metadata ${name}`, async () => {
      const url = await createSqliteDatabase();
      const odd = await startScriptedProvider();
      odd.script = { metadata };
      const alone = await openSignInServer(url.url, {
        providerLimits: LIMITS,
        variables: providerVariables("CORP", odd.configUrl),
      });
      expect((await alone.send("GET /oauth2/corp/login")).headers.get("location")).toBe("/login?error=oauth_error");
      expect(alone.lines.findLast((line) => line.includes("refused"))).toContain(cause);
      await alone.close();
      await odd.close();
      await url.drop();
    });
  }
});

// What must stay secret: passwords, secrets, hashes and tokens appear in no answer but the one that hands a token over, and in
// no line of a log at its most detailed. A whole life of an account, on a service as it runs.
import { expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { linkIn, MAIL_PASSWORD, startMailServer } from "../support/mail-server.ts";
import { servicesOfSuite } from "../support/server.ts";
import { ADMIN_EMAIL, ADMIN_SECRET, cookiesOf, SECRET } from "../support/sign-in.ts";
import { openTestStorage } from "../support/storage.ts";

setDefaultTimeout(60_000);

const ADMIN_PASSWORD = "the-first-admin-password";

forEachDriver("secrets of a sign-in", (driver) => {
  const startService = servicesOfSuite();

  test("are in no answer and in no line of the log", async () => {
    const databaseUrl = await driver.createDatabase();
    const mail = await startMailServer();
    const service = await startService({
      databaseUrl,
      env: {
        ...mail.variables,
        SERVICE_ENABLE_AUTH: "true",
        SERVICE_SECRET: SECRET,
        SERVICE_ADMIN_SECRET: ADMIN_SECRET,
        SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: ADMIN_PASSWORD,
        SERVICE_DISABLE_RATE_LIMIT: "true",
        SERVICE_LOGGING_LEVEL: "debug",
        SERVICE_DB_LOGGING_LEVEL: "debug",
        SERVICE_LOG_SQL: "true",
      },
    });
    const secrets = new Set([SECRET, ADMIN_SECRET, ADMIN_PASSWORD, MAIL_PASSWORD]);
    const answers: string[] = [];

    /** Everything of an answer is kept to be searched, but for what hands a token over. */
    async function ask(line: string, init: { json?: unknown; cookies?: Record<string, string>; bearer?: string } = {}) {
      const [method = "GET", path = "/"] = line.split(" ", 2);
      const response = await fetch(`${service.url}${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(init.json === undefined ? {} : { "content-type": "application/json" }),
          ...(init.bearer === undefined ? {} : { authorization: `Bearer ${init.bearer}` }),
          ...(init.cookies === undefined
            ? {}
            : {
                cookie: Object.entries(init.cookies)
                  .map((pair) => pair.join("="))
                  .join("; "),
              }),
        },
        ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
      });
      const text = await response.text();
      const set = cookiesOf(response);
      for (const value of Object.values(set)) if (value !== '""') secrets.add(value);
      const issued = /"(?:key|jwt)":"(ey[^"]+)"/.exec(text)?.[1];
      if (issued !== undefined) secrets.add(issued);
      const headers = [...response.headers].filter(([name]) => name !== "set-cookie");
      answers.push(`${line} ${headers.join()} ${issued === undefined ? text : text.replace(issued, "")}`);
      return { status: response.status, text, cookies: set, issued };
    }
    const graphql = (query: string, variables: unknown, cookies: Record<string, string>) =>
      ask("POST /graphql", { json: { query, variables }, cookies });
    const login = (email: string, password: string) => {
      secrets.add(password);
      return ask("POST /auth/login", { json: { email, password } });
    };

    const admin = (await login(ADMIN_EMAIL, ADMIN_PASSWORD)).cookies;
    await login(ADMIN_EMAIL, "a-wrong-password-1");
    await ask("POST /auth/login", { json: { email: ADMIN_EMAIL, password: { of: "a-nested-password-2" } } });
    secrets.add("a-nested-password-2");
    const user = {
      auth_method: "LOCAL",
      email: "ann@example.com",
      username: "Ann",
      role: "MEMBER",
      password: "anns-first-password",
    };
    secrets.add(user.password);
    expect((await ask("POST /v1/users", { cookies: admin, json: { user } })).status).toBe(201);
    expect((await ask("POST /v1/users", { cookies: admin, json: { user } })).status).toBe(409);
    const weak = { ...user, email: "b@example.com", username: "B", password: "a weak password 3" };
    secrets.add(weak.password);
    expect((await ask("POST /v1/users", { cookies: admin, json: { user: weak } })).status).toBe(422);
    await ask("POST /v1/users", { cookies: admin, json: { user: { ...weak, role: 5, password: ["in-a-list-4"] } } });
    secrets.add("in-a-list-4");

    const ann = (await login(user.email, user.password)).cookies;
    const renewed = (await ask("POST /auth/refresh", { cookies: ann })).cookies;
    await ask("POST /auth/refresh", { cookies: ann });
    for (const cookies of [renewed, ann, { "phoenix-access-token": renewed["phoenix-refresh-token"]! }]) {
      await ask("GET /v1/user", { cookies });
    }
    const own = await ask("POST /v1/user/api_keys", { cookies: renewed, json: { data: { name: "mine" } } });
    const system = await ask("POST /v1/system/api_keys", { cookies: admin, json: { data: { name: "exporter" } } });
    for (const bearer of [own.issued!, system.issued!, ADMIN_SECRET, `${ADMIN_SECRET}x`]) {
      for (const line of ["GET /v1/projects", "GET /v1/users", "GET /v1/user/api_keys", "GET /v1/system/api_keys"]) {
        await ask(line, { bearer });
      }
    }
    secrets.add("sk-of-a-provider-5");
    await ask("PUT /v1/secrets", {
      cookies: admin,
      json: { secrets: [{ key: "OPENAI_API_KEY", value: "sk-of-a-provider-5" }] },
    });
    await graphql("{ secrets { edges { node { key value { __typename } } } } }", {}, admin);
    await graphql(
      "{ users { edges { node { email username role { name } apiKeys { name } } } } viewer { email } }",
      {},
      admin,
    );
    const key = await graphql(
      "mutation ($input: CreateUserApiKeyInput!) { createUserApiKey(input: $input) { jwt apiKey { name } } }",
      { input: { name: "by GraphQL" } },
      renewed,
    );
    expect(key.issued).toBeDefined();
    for (const [currentPassword, newPassword] of [
      ["not-anns-password-6", "anns-second-password"],
      [user.password, "weak password 7"],
      [user.password, "anns-second-password"],
    ] as const) {
      secrets.add(currentPassword).add(newPassword);
      await graphql(
        "mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { user { id } } }",
        { input: { currentPassword, newPassword } },
        renewed,
      );
    }
    expect((await ask("POST /auth/password-reset-email", { json: { email: user.email } })).status).toBe(204);
    const token = new URL(linkIn(mail.mails.at(-1)!, "reset-url")).searchParams.get("token")!;
    for (const password of ["weak password 8", "anns-third-password"]) {
      secrets.add(token).add(password);
      await ask("POST /auth/password-reset", { json: { token, password } });
    }
    const last = (await login(user.email, "anns-third-password")).cookies;
    expect(Object.keys(last).length).toBe(2);
    await ask("GET /auth/logout", { cookies: last });
    await fetch(`${service.url}/reset-password-with-token?token=${token}`).then((response) => response.text());
    await ask("GET /");

    // What the database keeps of them, in the forms in which it could slip out.
    const stored = await openTestStorage(databaseUrl);
    const database = stored.storage.handle.read(stored.context(), "short");
    for (const { password_hash } of await database.selectFrom("users").select("password_hash").execute()) {
      if (password_hash !== null) secrets.add(password_hash);
    }
    for (const table of ["access_tokens", "refresh_tokens", "api_keys"] as const) {
      for (const { random_hash } of await database.selectFrom(table).select("random_hash").execute()) {
        for (const form of ["hex", "base64", "base64url"] as const)
          secrets.add(Buffer.from(random_hash).toString(form));
      }
    }
    await stored.close();
    await mail.close();
    expect(await service.stop()).toBe(0);

    const log = service.log();
    expect(log).toContain("signed in");
    expect(log).toMatch(/DEBUG +database: /);
    expect(secrets.size).toBeGreaterThan(40);
    const leaked = [...secrets].filter(
      (secret) => log.includes(secret) || answers.some((answer) => answer.includes(secret)),
    );
    expect(leaked.map((secret) => [secret, answers.find((answer) => answer.includes(secret)) ?? "in the log"])).toEqual(
      [],
    );
    // A token is its parts: neither payload nor signature stands alone anywhere.
    const parts = [...secrets]
      .filter((secret) => secret.startsWith("ey"))
      .flatMap((secret) => secret.split(".").slice(1));
    expect(parts.filter((part) => log.includes(part) || answers.some((answer) => answer.includes(part)))).toEqual([]);
  });
});

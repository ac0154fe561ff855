// API keys over REST and GraphQL with authentication on, on both databases: who makes, sees and deletes which, and from when on a
// key is refused, on this server and on another.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { formatInstant } from "../../src/kernel/time.ts";
import { forEachDriver } from "../support/drivers.ts";
import {
  ACCESS,
  ADMIN_SECRET,
  addUser,
  movableClock,
  openSignInServer,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const TOKEN = "401 Invalid token";
const ADMIN_ONLY = "403 Only admin or system users can perform this action.";
const NO_KEY = "403 API keys cannot create API keys";
const FOREIGN = "404 API key not found";
const SYSTEM_OWNS_NONE = "403 System API keys must be managed through the /system/api_keys endpoints.";

interface Key {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly description?: string;
  readonly created_at: string;
  readonly expires_at?: string;
}

forEachDriver("API keys", (driver) => {
  const clock = movableClock();
  let url = "";
  let server: SignInServer;
  let other: SignInServer;
  /** Bearer tokens by caller. */
  const bearer: Record<string, string> = { admin_secret: ADMIN_SECRET };
  const people: Record<string, { readonly id: number; readonly email: string }> = {};

  beforeAll(async () => {
    url = await driver.createDatabase();
    server = await openSignInServer(url, { clock });
    other = await openSignInServer(url, { clock });
    for (const role of ["ADMIN", "MEMBER", "VIEWER"] as const) {
      const name = role.toLowerCase();
      const user = await addUser(server, `the-${name}`, role);
      people[name] = user;
      bearer[`${name}_login`] = (await signIn(server, user.email, user.password))[ACCESS]!;
      bearer[`${name}_key`] = (await make("user", `${name}_login`)).key;
    }
    bearer.system_key = (await make("system", "admin_login")).key;
  });
  afterAll(async () => {
    await other.close();
    await server.close();
  });

  const ask = (caller: string, line: string, json?: unknown, on = server) =>
    on.send(line, { ...(json === undefined ? {} : { json }), bearer: bearer[caller]! });
  async function make(kind: "user" | "system", caller: string, more: object = {}): Promise<Key> {
    const response = await ask(caller, `POST /v1/${kind}/api_keys`, { data: { name: `of ${caller}`, ...more } });
    if (response.status !== 201) throw new Error(await shown(response));
    return ((await response.json()) as { data: Key }).data;
  }
  const list = async (caller: string, path: string) =>
    ((await (await ask(caller, `GET ${path}`)).json()) as { data: Omit<Key, "key">[] }).data;
  /** The status alone when it is a success. */
  const outcome = async (answer: Promise<Response>) => {
    const text = await shown(answer);
    return text.startsWith("2") ? text.slice(0, 3) : text;
  };
  const graphql = async (caller: string, query: string, on = server) => {
    const response = await ask(caller, "POST /graphql", { query }, on);
    return (await response.json()) as { data: Record<string, never> | null; errors?: { message: string }[] };
  };
  const messageOf = async (caller: string, query: string) =>
    (await graphql(caller, query)).errors?.[0]?.message ?? "none";

  describe("creation", () => {
    test("answers with the key once, trimmed and without what is null", async () => {
      const made = await make("user", "member_login", { name: "  mine ", description: "" });
      expect(made).toEqual({
        id: expect.any(String),
        name: "mine",
        created_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
        key: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      });
      expect(Buffer.from(made.id, "base64").toString()).toMatch(/^UserApiKey:\d+$/);
      const { key, ...rest } = made;
      const listed = await list("member_login", "/v1/user/api_keys");
      expect(listed).toContainEqual(rest);
      expect(JSON.stringify(listed)).not.toContain(key);
      expect(server.lines.join("\n")).not.toContain(key);
    });

    test("takes a description and an end in the future; without zone it is UTC", async () => {
      const made = await make("system", "admin_login", {
        description: "why",
        expires_at: "2199-01-02T03:04:05.678901",
      });
      expect([made.description, made.expires_at]).toEqual(["why", "2199-01-02T03:04:05.678901+00:00"]);
      expect(Buffer.from(made.id, "base64").toString()).toStartWith("SystemApiKey:");
    });

    test("takes the last day there is, as programs send it for never", async () => {
      const made = await make("user", "member_login", { expires_at: "9999-12-31T23:59:59Z" });
      expect(made.expires_at).toBe("9999-12-31T23:59:59+00:00");
      expect(await list("member_login", "/v1/user/api_keys")).toContainEqual(
        expect.objectContaining({ id: made.id, expires_at: made.expires_at }),
      );
      bearer.endless = made.key;
      expect((await ask("endless", "GET /v1/projects")).status).toBe(200);
    });

    const wrong: readonly (readonly [unknown, readonly (string | number)[], string])[] = [
      [{}, ["body", "data"], "missing"],
      [{ data: {} }, ["body", "data", "name"], "missing"],
      [{ data: { name: "  " } }, ["body", "data"], "value_error"],
      [{ data: { name: null } }, ["body", "data", "name"], "string_type"],
      [{ data: { name: "a", expires_at: "2001-01-01T00:00:00Z" } }, ["body", "data", "expires_at"], "value_error"],
      [{ data: { name: "a", expires_at: "soon" } }, ["body", "data", "expires_at"], "datetime_from_date_parsing"],
    ];
    test.each(wrong)("%j is 422", async (json, loc, type) => {
      for (const kind of ["user", "system"]) {
        const response = await ask("admin_login", `POST /v1/${kind}/api_keys`, json);
        expect([response.status, await response.json()]).toMatchObject([422, { detail: [{ loc, type }] }]);
      }
    });
  });

  describe("who may do what", () => {
    // Columns: list own, create own, delete own, delete another's, list all, list system, create system.
    const matrix: Readonly<Record<string, readonly string[]>> = {
      admin_login: ["200", "201", "204", "204", "200", "200", "201"],
      admin_key: ["200", NO_KEY, "204", "204", "200", "200", NO_KEY],
      member_login: ["200", "201", "204", FOREIGN, ADMIN_ONLY, ADMIN_ONLY, ADMIN_ONLY],
      member_key: ["200", NO_KEY, "204", FOREIGN, ADMIN_ONLY, ADMIN_ONLY, ADMIN_ONLY],
      viewer_login: ["200", "201", "204", FOREIGN, ADMIN_ONLY, ADMIN_ONLY, ADMIN_ONLY],
      viewer_key: ["200", NO_KEY, "204", FOREIGN, ADMIN_ONLY, ADMIN_ONLY, ADMIN_ONLY],
      system_key: ["200", NO_KEY, SYSTEM_OWNS_NONE, SYSTEM_OWNS_NONE, ADMIN_ONLY, ADMIN_ONLY, ADMIN_ONLY],
      admin_secret: ["200", NO_KEY, "204", "204", "200", "200", "201"],
    };
    const body = { data: { name: "another" } };

    test.each(Object.keys(matrix))("%s", async (caller) => {
      const owner = `${caller.split("_")[0]}_login`;
      const own = await make("user", bearer[owner] === undefined || owner === "system_login" ? "admin_login" : owner);
      const foreign = await make("user", owner === "member_login" ? "viewer_login" : "member_login");
      expect([
        await outcome(ask(caller, "GET /v1/user/api_keys")),
        await outcome(ask(caller, "POST /v1/user/api_keys", body)),
        await outcome(ask(caller, `DELETE /v1/user/api_keys/${own.id}`)),
        await outcome(ask(caller, `DELETE /v1/user/api_keys/${foreign.id}`)),
        await outcome(ask(caller, "GET /v1/users/api_keys")),
        await outcome(ask(caller, "GET /v1/system/api_keys")),
        await outcome(ask(caller, "POST /v1/system/api_keys", body)),
      ]).toEqual([...matrix[caller]!]);
    });

    test.each(["system_key", "admin_secret"])("%s owns no keys", async (caller) => {
      expect(await list(caller, "/v1/user/api_keys")).toEqual([]);
    });

    test("nobody without a credential", async () => {
      expect(await shown(server.send("GET /v1/user/api_keys"))).toBe(TOKEN);
    });
  });

  describe("deletion", () => {
    test("of ids of another form or kind", async () => {
      const system = await make("system", "admin_secret");
      const person = await make("user", "member_login");
      const [systemRow, personRow] = [system, person].map(({ id }) =>
        Number(Buffer.from(id, "base64").toString().split(":")[1]),
      );
      const answers = await Promise.all(
        [
          `user/api_keys/${system.id}`,
          "user/api_keys/nonsense",
          `user/api_keys/${globalId("UserApiKey", systemRow!)}`,
          `user/api_keys/${globalId("UserApiKey", 999_999)}`,
          `system/api_keys/${person.id}`,
          `system/api_keys/${globalId("SystemApiKey", personRow!)}`,
        ].map((path) => shown(ask("admin_login", `DELETE /v1/${path}`))),
      );
      expect(answers).toEqual([
        `422 Invalid UserApiKey GlobalID format: ${system.id}`,
        "422 Invalid UserApiKey GlobalID format: nonsense",
        FOREIGN,
        FOREIGN,
        `422 Invalid SystemApiKey GlobalID format: ${person.id}`,
        "404 System API key not found",
      ]);
      expect(await shown(ask("admin_login", `DELETE /v1/system/api_keys/${system.id}`))).toBe("204");
      expect(await shown(ask("admin_login", `DELETE /v1/system/api_keys/${system.id}`))).toBe(
        "404 System API key not found",
      );
    });

    test.each(["user", "system"] as const)(
      "of a %s key holds here at once, and on another server within 2 s",
      async (kind) => {
        const made = await make(kind, "admin_login");
        bearer.doomed = made.key;
        for (const on of [server, other])
          expect((await ask("doomed", "GET /v1/projects", undefined, on)).status).toBe(200);
        expect(await shown(ask("admin_login", `DELETE /v1/${kind}/api_keys/${made.id}`))).toBe("204");
        expect(await shown(ask("doomed", "GET /v1/projects"))).toBe(TOKEN);
        // The bound within which a revocation holds on every server.
        await until(async () => (await ask("doomed", "GET /v1/projects", undefined, other)).status === 401, 2000);
      },
    );

    test("of an account takes its keys along; system keys outlive who made them", async () => {
      const user = await addUser(server, "leaver", "ADMIN");
      bearer.leaver_login = (await signIn(server, user.email, user.password))[ACCESS]!;
      bearer.leaver_key = (await make("user", "leaver_login")).key;
      bearer.survivor = (await make("system", "leaver_login")).key;
      expect((await ask("leaver_key", "GET /v1/projects")).status).toBe(200);
      expect(await shown(ask("admin_login", `DELETE /v1/users/${globalId("User", user.id)}`))).toBe("204");
      expect(await shown(ask("leaver_key", "GET /v1/projects"))).toBe(TOKEN);
      expect(await shown(ask("leaver_login", "POST /v1/user/api_keys", { data: { name: "late" } }))).toBe(TOKEN);
      expect((await ask("survivor", "GET /v1/projects")).status).toBe(200);
    });
  });

  test("a key acts with the role that its owner has now", async () => {
    const user = await addUser(server, "riser", "VIEWER");
    bearer.riser_login = (await signIn(server, user.email, user.password))[ACCESS]!;
    bearer.riser_key = (await make("user", "riser_login")).key;
    const create = (name: string) => ask("riser_key", "POST /v1/projects", { name });
    expect((await create("as viewer")).status).toBe(403);
    const patched = await graphql(
      "admin_login",
      `mutation { patchUser(input: {userId: "${globalId("User", user.id)}", newRole: MEMBER}) { user { role { name } } } }`,
    );
    expect(patched.errors).toBeUndefined();
    expect((await create("as member")).status).toBe(200);
    expect(await shown(ask("riser_login", "GET /v1/projects"))).toBe(TOKEN);
  });

  test("a key that is over is told so, is in no list, and is swept away", async () => {
    const endUs = clock.now() + 60_000_000;
    const made = await make("user", "viewer_login", { expires_at: formatInstant(endUs) });
    bearer.ending = made.key;
    expect((await ask("ending", "GET /v1/projects")).status).toBe(200);
    clock.forward(60_000);
    expect(await shown(ask("ending", "GET /v1/projects"))).toBe("401 Expired token");
    expect((await list("viewer_key", "/v1/user/api_keys")).map(({ id }) => id)).not.toContain(made.id);
    await server.signIns.sweep();
    await until(async () => (await shown(ask("ending", "GET /v1/projects"))) === TOKEN);
  });

  test("a key is no key when any of its three parts, or its random value, is another", async () => {
    const [header, payload, signature] = (await make("user", "member_login")).key.split(".");
    const { jti } = JSON.parse(Buffer.from(payload!, "base64url").toString()) as { jti: string };
    expect(jti).toMatch(/^ApiKey:\d+$/);
    const other = (await make("user", "member_login")).key.split(".");
    for (const forged of [
      [`${header}x`, payload, signature],
      [header, other[1], signature],
      [header, payload, other[2]],
      [Buffer.from('{"alg":"none"}').toString("base64url"), payload, ""],
    ]) {
      bearer.forged = forged.join(".");
      expect(await shown(ask("forged", "GET /v1/projects"))).toBe(TOKEN);
    }
  });

  describe("the list of all people's keys", () => {
    test("is paged, newest first, with owners and without system keys", async () => {
      const system = await make("system", "admin_login");
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const response = await ask(
          "admin_login",
          `GET /v1/users/api_keys?limit=2&cursor=${encodeURIComponent(cursor)}`,
        );
        const page = (await response.json()) as { data: (Key & { user: object })[]; next_cursor: string | null };
        expect(page.data.length).toBeLessThanOrEqual(2);
        for (const { id, user } of page.data) {
          seen.push(id);
          expect(user).toEqual({ id: expect.any(String), username: expect.any(String), email: expect.any(String) });
        }
        cursor = page.next_cursor;
      }
      const rows = seen.map((id) => Number(Buffer.from(id, "base64").toString().split(":")[1]));
      expect(rows).toEqual([...new Set(rows)].sort((one, another) => another - one));
      expect(rows.length).toBeGreaterThan(3);
      expect(seen).not.toContain(
        globalId("UserApiKey", Number(Buffer.from(system.id, "base64").toString().split(":")[1])),
      );
    });

    test("refuses limits beyond 1000 and cursors of no list", async () => {
      expect((await ask("admin_login", "GET /v1/users/api_keys?limit=1001")).status).toBe(422);
      expect((await ask("admin_login", "GET /v1/users/api_keys?limit=0")).status).toBe(422);
      expect(await shown(ask("admin_login", "GET /v1/users/api_keys?cursor=x"))).toBe("422 Invalid cursor: x");
    });
  });

  describe("GraphQL", () => {
    const create = (kind: "System" | "User", fields: string) =>
      `mutation { create${kind}ApiKey(input: {${fields}}) { jwt apiKey { __typename id name description expiresAt createdAt } query { __typename } } }`;
    const remove = (kind: "System" | "User", id: string) =>
      `mutation { delete${kind}ApiKey(input: {id: "${id}"}) { apiKeyId } }`;

    test("makes keys that work, with their end to the microsecond", async () => {
      const { data } = await graphql(
        "viewer_login",
        create("User", 'name: " g ", expiresAt: "2199-01-02T03:04:05.678901Z"'),
      );
      expect(data?.createUserApiKey).toMatchObject({
        apiKey: {
          __typename: "UserApiKey",
          name: "g",
          description: null,
          expiresAt: "2199-01-02T03:04:05.678901+00:00",
        },
      });
      bearer.made = (data as { createUserApiKey: { jwt: string } } | null)!.createUserApiKey.jwt;
      expect((await ask("made", "GET /v1/projects")).status).toBe(200);
      const system = await graphql("admin_secret", create("System", 'name: "s", description: "d"'));
      expect(system.data?.createSystemApiKey).toMatchObject({
        apiKey: { __typename: "SystemApiKey", description: "d" },
      });
    });

    test("takes an end that is over: such a key does not work", async () => {
      const { data } = await graphql("viewer_login", create("User", 'name: "g", expiresAt: "2001-01-01T00:00:00Z"'));
      bearer.past = (data as { createUserApiKey: { jwt: string } } | null)!.createUserApiKey.jwt;
      expect(await shown(ask("past", "GET /v1/projects"))).toBe("401 Expired token");
    });

    test("refuses like REST, in its own words", async () => {
      const admin = "Only admin can perform this action";
      expect(await messageOf("viewer_login", create("User", 'name: " "'))).toBe("Name cannot be empty");
      for (const caller of ["viewer_key", "admin_key", "system_key", "admin_secret"]) {
        expect([caller, await messageOf(caller, create("User", 'name: "g"'))]).toEqual([caller, NO_KEY.slice(4)]);
      }
      expect(await messageOf("admin_key", create("System", 'name: "g"'))).toBe(NO_KEY.slice(4));
      expect(await messageOf("system_key", create("System", 'name: "g"'))).toBe(admin);
      expect(await messageOf("member_login", create("System", 'name: "g"'))).toBe(admin);
      expect(await messageOf("viewer_login", create("System", 'name: "g"'))).toBe("Viewers cannot perform this action");
      for (const caller of ["member_login", "viewer_key", "system_key"]) {
        expect(await messageOf(caller, "{ userApiKeys { id } }")).toBe(admin);
        expect(await messageOf(caller, "{ systemApiKeys { id } }")).toBe(admin);
      }
    });

    test("deletes one's own, administrators anybody's; all else is no key", async () => {
      const [mine, theirs, system] = await Promise.all([
        make("user", "member_login"),
        make("user", "admin_login"),
        make("system", "admin_login"),
      ]);
      expect(await messageOf("member_login", remove("User", theirs.id))).toBe("API key not found");
      expect(await messageOf("system_key", remove("User", mine.id))).toBe("API key not found");
      expect(await messageOf("admin_login", remove("User", system.id))).toBe("API key not found");
      expect(await messageOf("admin_login", remove("System", mine.id))).toBe("API key not found");
      expect(await messageOf("admin_login", remove("System", globalId("SystemApiKey", 999_999)))).toBe(
        "API key not found",
      );
      const { data } = await graphql("member_key", remove("User", mine.id));
      expect(data).toEqual({ deleteUserApiKey: { apiKeyId: mine.id } } as never);
      bearer.mine = mine.key;
      expect(await shown(ask("mine", "GET /v1/projects"))).toBe(TOKEN);
      expect(await messageOf("admin_secret", remove("User", theirs.id))).toBe("none");
      expect(await messageOf("admin_key", remove("System", system.id))).toBe("none");
    });

    test("lists keys, those of a person to that person and to administrators", async () => {
      await make("user", "member_login", { description: "d" });
      const all = await graphql("admin_login", "{ userApiKeys { id user { username } } systemApiKeys { id name } }");
      expect(all.errors).toBeUndefined();
      const own = await graphql(
        "member_key",
        "{ viewer { apiKeyCount apiKeys { id name description user { username } } } }",
      );
      const { viewer } = own.data as unknown as { viewer: { apiKeyCount: number; apiKeys: object[] } };
      expect(viewer.apiKeys[0]).toMatchObject({ description: "d", user: { username: "the-member" } });
      expect(viewer.apiKeyCount).toBe(viewer.apiKeys.length);
      const nobody = await graphql("system_key", "{ viewer { apiKeys { id } } }");
      expect(nobody.data as unknown).toEqual({ viewer: { apiKeys: [] } });
    });
  });

  test("the log says who made and deleted which, and never the key", async () => {
    const made = await make("user", "member_login");
    await ask("admin_login", `DELETE /v1/user/api_keys/${made.id}`);
    const row = Buffer.from(made.id, "base64").toString().split(":")[1];
    const told = server.lines.filter((line) => line.includes(`api_key_id=${row}`));
    expect(told).toEqual([
      expect.stringMatching(new RegExp(`API key created .*by=user by_user_id=${people.member!.id} `)),
      expect.stringMatching(new RegExp(`API key deleted .*by=user by_user_id=${people.admin!.id} `)),
    ]);
    for (const key of Object.values(bearer)) expect(server.lines.join("\n")).not.toContain(key);
  });
});

forEachDriver("the guide", (driver) => {
  test("shows calls that work", async () => {
    const server = await openSignInServer(await driver.createDatabase());
    const guide = await Bun.file("docs/api-keys-and-secrets.md").text();
    const calls = [...guide.matchAll(/curl -s (?:-X (\w+) )?http:\/\/127\.0\.0\.1:6006(\S+)[\s\S]+?-d '(.+)'/g)];
    const answers: string[] = [];
    for (const [, method = "POST", path, body] of calls) {
      const response = await server.send(`${method} ${path}`, { bearer: ADMIN_SECRET, json: JSON.parse(body!) });
      answers.push(`${path} ${response.status}`);
    }
    expect(answers).toEqual(["/v1/system/api_keys 201", "/v1/secrets 200"]);
    await server.close();
  });
});

forEachDriver("API keys without authentication", (driver) => {
  let server: SignInServer;
  beforeAll(async () => {
    const off = { SERVICE_ENABLE_AUTH: "false" };
    server = await openSignInServer(await driver.createDatabase(), { variables: off });
  });
  afterAll(() => server.close());
  const OFF =
    "403 This action requires authentication to be enabled. Set the SERVICE_ENABLE_AUTH environment variable to true.";

  test("cannot be managed over REST", async () => {
    for (const line of ["GET /v1/user/api_keys", "GET /v1/users/api_keys", "GET /v1/system/api_keys"]) {
      expect(await shown(server.send(line))).toBe(OFF);
    }
    expect(await shown(server.send("POST /v1/user/api_keys", { body: "no JSON" }))).toBe(OFF);
  });

  test("nor in GraphQL", async () => {
    const message = async (query: string) => {
      const response = await server.send("POST /graphql", { json: { query } });
      return ((await response.json()) as { errors: { message: string }[] }).errors[0]!.message;
    };
    expect(await message('mutation { createUserApiKey(input: {name: "a"}) { jwt } }')).toBe(
      "Authentication must be enabled to manage API keys",
    );
    expect(await message('mutation { createSystemApiKey(input: {name: "a"}) { jwt } }')).toBe(
      "Only admin can perform this action",
    );
    expect(await message("{ userApiKeys { id } }")).toBe("Only admin can perform this action");
  });
});

// Secrets over REST and GraphQL, on both databases: written, listed by name, masked for administrators, never shown.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askGraphql, askRefusal } from "../support/graphql.ts";
import { signedIn } from "../support/principals.ts";

const LONG = "sk-live-0123456789-0123456789-abcdWXYZ";
const VALUES = ["sk-live", "hunter2", "swordfish"];

forEachDriver("secrets", (driver) => {
  const lines: string[] = [];
  let principal: Principal = openPrincipal;
  let api: TestApi;
  let url = "";
  const answers: string[] = [];
  const open = (serviceSecret?: string | null) =>
    openTestApi(url, {
      resolvePrincipal: () => principal,
      logger: createLogger({ level: "debug", mode: "default", write: (line) => void lines.push(line) }),
      ...(serviceSecret === undefined ? {} : { serviceSecret }),
    });
  beforeAll(async () => {
    url = await driver.createDatabase();
    api = await open();
  });
  beforeEach(async () => {
    principal = openPrincipal;
    await sql`delete from secrets`.execute(api.stored.storage.handle.write(api.context()));
  });
  afterAll(async () => {
    await api.close();
    // Of everything that was answered and logged.
    const told = [...answers, ...lines].join("\n");
    expect(VALUES.filter((value) => told.includes(value))).toEqual([]);
  });

  const put = async (secrets: unknown) => {
    const response = await send(api.server, "PUT /v1/secrets", { json: { secrets } });
    const text = await response.text();
    answers.push(text);
    return { status: response.status, text };
  };
  const list = async (given = "", on = api) => {
    const query = `{ secrets${given} { edges { node { id key } } pageInfo { hasNextPage endCursor } } }`;
    return (await askData<{ secrets: Secrets }>(on, query)).secrets;
  };
  const names = async (given = "") => (await list(given)).edges.map(({ node }) => node.key);

  describe("PUT /v1/secrets", () => {
    test("stores, replaces and deletes; keys are answered from last to first", async () => {
      const first = await put([
        { key: "A_KEY", value: "hunter2" },
        { key: " b_key ", value: ` ${LONG} ` },
      ]);
      expect([first.status, JSON.parse(first.text)]).toEqual([
        200,
        { data: { upserted_keys: ["b_key", "A_KEY"], deleted_keys: [] } },
      ]);
      const second = await put([
        { key: "A_KEY", value: "swordfish" },
        { key: "B_KEY", value: "hunter2" },
        { key: "A_KEY", value: null },
        { key: "MISSING", value: null },
      ]);
      expect(JSON.parse(second.text)).toEqual({
        data: { upserted_keys: ["B_KEY"], deleted_keys: ["MISSING", "A_KEY"] },
      });
      expect(await names()).toEqual(["B_KEY", "b_key"]);
    });

    const wrong: readonly (readonly [string, unknown, string])[] = [
      ["an empty list", [], "too_short"],
      ["no list", { key: "A", value: "hunter2" }, "list_type"],
      ["a key with a blank inside", [{ key: "A B", value: "hunter2" }], "value_error"],
      ["a key that begins with a digit", [{ key: "1A", value: "hunter2" }], "value_error"],
      ["a key beyond ASCII", [{ key: "Ä", value: "hunter2" }], "value_error"],
      ["an empty key", [{ key: " ", value: "hunter2" }], "value_error"],
      ["a blank value", [{ key: "A", value: "  " }], "value_error"],
      ["a mask as value", [{ key: "A", value: "\uE000REDACTED\uE000\uE000" }], "value_error"],
      ["a value that is left out", [{ key: "A", valu: "hunter2" }], "missing"],
      ["a value that is no text", [{ key: "A", value: { sk: "hunter2" } }], "string_type"],
    ];
    test.each(wrong)("%s is 422, changes nothing and is not shown again", async (_what, secrets, type) => {
      await put([{ key: "KEPT", value: "swordfish" }]);
      const bad = Array.isArray(secrets) && secrets.length > 0 ? [{ key: "KEPT", value: null }, ...secrets] : secrets;
      const { status, text } = await put(bad);
      expect([status, (JSON.parse(text) as Violations).detail[0]?.type]).toEqual([422, type]);
      expect(await names()).toEqual(["KEPT"]);
    });

    test("many at once, by several callers, do not lock each other out", async () => {
      const keys = Array.from({ length: 40 }, (_, at) => `K${at}`);
      const rounds = Array.from({ length: 12 }, (_, round) => {
        const entries = keys.map((key, at) => ({ key, value: (at + round) % 3 === 0 ? null : "hunter2" }));
        return put(round % 2 === 0 ? entries : entries.toReversed());
      });
      expect((await Promise.all(rounds)).map(({ status }) => status)).toEqual(rounds.map(() => 200));
    });

    test("is stored encrypted, with its author", async () => {
      const { rows } = await sql<{ id: number }>`
        insert into users (role, auth_method, username, email, password_hash, created_us, updated_us)
        values ('ADMIN', 'LOCAL', 'anna', 'anna@example.org', 'x', 1, 1) returning id`.execute(
        api.stored.storage.handle.write(api.context()),
      );
      const userId = Number(rows[0]!.id);
      principal = signedIn(userId, "ADMIN");
      await put([{ key: "A_KEY", value: LONG }]);
      const stored = await sql<{ value: Uint8Array; user_id: number }>`select value, user_id from secrets`.execute(
        api.stored.storage.handle.read(api.context(), "short"),
      );
      expect(Number(stored.rows[0]!.user_id)).toBe(userId);
      expect(Buffer.from(stored.rows[0]!.value).toString("latin1")).not.toContain("sk-live");
    });
  });

  describe("GraphQL", () => {
    const change = `mutation ($secrets: [SecretKeyValueInput!]!) { upsertOrDeleteSecrets(input: {secrets: $secrets}) {
      deletedIds upsertedSecrets { id key value { __typename ... on DecryptedSecret { value } } } query { __typename } } }`;
    const idOf = (key: string) => Buffer.from(`Secret:${key}`).toString("base64");

    test("changes like REST, and masks what it stored", async () => {
      const variables = {
        secrets: [
          { key: "SHORT", value: "hunter2" },
          { key: "LONG", value: LONG },
          { key: "GONE", value: null },
        ],
      };
      const { upsertOrDeleteSecrets: changed } = await askData<{ upsertOrDeleteSecrets: Changed }>(
        api,
        change,
        variables,
      );
      expect(changed.deletedIds).toEqual([idOf("GONE")]);
      expect(changed.upsertedSecrets.map(({ id, key }) => [id, key])).toEqual([
        [idOf("LONG"), "LONG"],
        [idOf("SHORT"), "SHORT"],
      ]);
      expect(changed.upsertedSecrets.map(({ value }) => value)).toEqual([
        { __typename: "DecryptedSecret", value: "\uE000REDACTED\uE000WXYZ\uE000" },
        { __typename: "DecryptedSecret", value: "\uE000REDACTED\uE000\uE000" },
      ]);
      const again = await askData<{ upsertOrDeleteSecrets: Changed }>(api, change, variables);
      expect(again.upsertOrDeleteSecrets.upsertedSecrets.map(({ id }) => id)).toEqual([idOf("LONG"), idOf("SHORT")]);
    });

    const refusals: readonly (readonly [unknown[], string])[] = [
      [[], "At least one secret is required"],
      [[{ key: " ", value: "hunter2" }], "Key cannot be empty"],
      [[{ key: "A", value: " " }], "Value cannot be empty"],
      [
        [{ key: "1", value: "hunter2" }],
        "Key must start with a letter or underscore and contain only letters, digits, and underscores",
      ],
    ];
    test.each(refusals)("%j is refused", async (secrets, text) => {
      expect(await askRefusal(api, change, { secrets })).toBe(`BAD_REQUEST ${text}`);
      // Rules of the input come before the rights of the caller.
      principal = signedIn(1, "VIEWER");
      expect(await askRefusal(api, change, { secrets })).toBe(`BAD_REQUEST ${text}`);
    });

    test("lists by name, by page and by key", async () => {
      await put(["C", "a", "B", "_D", "A"].map((key) => ({ key, value: "hunter2" })));
      expect(await names()).toEqual(["A", "B", "C", "_D", "a"]);
      expect(await names('(keys: ["a", " ", "B", "none"])')).toEqual(["B", "a"]);
      expect(await names("(keys: [])")).toEqual([]);
      expect(await names("(first: 0)")).toEqual([]);
      const first = await list("(first: 2)");
      expect([first.edges.length, first.pageInfo.hasNextPage]).toEqual([2, true]);
      expect(await names(`(first: 3, after: "${first.pageInfo.endCursor}")`)).toEqual(["C", "_D", "a"]);
      expect(await askRefusal(api, '{ secrets(after: "x") { edges { node { id } } } }')).toStartWith("BAD_REQUEST");
      expect(await askRefusal(api, "{ secrets(first: -1) { edges { node { id } } } }")).toStartWith("BAD_REQUEST");
    });

    test("finds one by its id", async () => {
      await put([{ key: "A_KEY", value: "hunter2" }]);
      const query = `query ($id: ID!) { node(id: $id) { __typename id ... on Secret { key } } }`;
      expect(await askData<unknown>(api, query, { id: idOf("A_KEY") })).toEqual({
        node: { __typename: "Secret", id: idOf("A_KEY"), key: "A_KEY" },
      });
      expect(await askRefusal(api, query, { id: idOf("NONE") })).toStartWith("NOT_FOUND");
    });

    const value = "{ secrets { edges { node { key value { __typename ... on UnparsableSecret { parseError } } } } } }";

    test.each(["MEMBER", "VIEWER"] as const)("a %s reads names, not masks, and changes nothing", async (role) => {
      await put([{ key: "A_KEY", value: "hunter2" }]);
      principal = signedIn(1, role);
      expect(await names()).toEqual(["A_KEY"]);
      expect(await askRefusal(api, value)).toBe("UNAUTHORIZED Only admin can perform this action");
      const text = role === "VIEWER" ? "Viewers cannot perform this action" : "Only admin can perform this action";
      expect(await askRefusal(api, change, { secrets: [{ key: "A_KEY", value: null }] })).toBe(`UNAUTHORIZED ${text}`);
    });

    test("after a change of SERVICE_SECRET says so, value by value, and lists them for the operator", async () => {
      await put([{ key: "OLD", value: "hunter2" }]);
      const other = await open("another-secret-of-tests-0123456789-01");
      try {
        expect(await list("", other)).toMatchObject({ edges: [{ node: { key: "OLD" } }] });
        const answer = await askGraphql(other, value);
        expect(JSON.stringify(answer)).toContain("encrypted with another SERVICE_SECRET");
        const { secrets } = other;
        expect(await secrets.listUnreadable(other.context())).toEqual(["OLD"]);
        expect(await api.secrets.listUnreadable(api.context())).toEqual([]);
      } finally {
        await other.close();
      }
    });

    test("without SERVICE_SECRET works and warns", async () => {
      lines.length = 0;
      const other = await open(null);
      try {
        const response = await send(other.server, "PUT /v1/secrets", {
          json: { secrets: [{ key: "A", value: "hunter2" }] },
        });
        expect(response.status).toBe(200);
        expect(lines.join("\n")).toContain("secrets are stored without protection: SERVICE_SECRET is not set");
      } finally {
        await other.close();
      }
    });
  });
});

interface Secrets {
  readonly edges: readonly { readonly node: { readonly id: string; readonly key: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}
interface Changed {
  readonly deletedIds: readonly string[];
  readonly upsertedSecrets: readonly { readonly id: string; readonly key: string; readonly value: unknown }[];
}
interface Violations {
  readonly detail: readonly { readonly type: string }[];
}

// Custom providers over GraphQL and REST, on both databases: the recorded rows, what is stored, shown, kept and refused.

import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { globalId } from "../../src/kernel/ids.ts";
import { send } from "../support/api.ts";
import {
  CANARIES,
  type ConfigName,
  CREATE,
  configs,
  createCustomProvider,
  customProvidersOfSuite,
  endpointOf,
  patchCustomProvider,
  patchRefusal,
  readCustomProvider,
  TEST,
  testCustomProvider,
} from "../support/custom-providers.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askGraphql, askRefusal } from "../support/graphql.ts";
import { signedIn } from "../support/principals.ts";
import document from "../vectors/playground.json" with { type: "json" };

const MASK = "\uE000REDACTED\uE000";
const ended = (secret: string) => `${MASK}${secret.slice(-4)}\uE000`;
const WORD = "GenerativeModelCustomProvider";

forEachDriver("custom providers", (driver) => {
  const suite = customProvidersOfSuite(driver);
  const { all, list } = suite;

  describe("the recorded rows", () => {
    const rows = document.vectors.filter(({ group }) => group === "customProviders") as unknown as readonly Row[];
    const expected = (id: string) => rows.find((row) => row.id === id)!.expect;
    let oa: string;
    beforeEach(async () => {
      oa = (await createCustomProvider(suite.api, "oa", all().openai)).id;
    });

    const played: Readonly<Record<string, () => Promise<void>>> = {
      async p1() {
        const { sdk, config } = await readCustomProvider(suite.api, oa);
        expect(sdk).toBe(expected("p1").sdk!);
        expect(JSON.stringify(config)).toContain(MASK);
      },
      async p2() {
        const input = { name: "oa", provider: "openai", clientConfig: all().openai };
        expect(await askRefusal(suite.api, CREATE, { input })).toBe(`CONFLICT ${expected("p2").error}`);
      },
      async p3() {
        const input = { name: "  ", provider: "openai", clientConfig: all().openai };
        expect(await askRefusal(suite.api, CREATE, { input })).toBe(`BAD_REQUEST ${expected("p3").error}`);
      },
      async p5() {
        const clientConfig = { openai: { openaiAuthenticationMethod: { apiKey: "  " } } };
        const refusal = await askRefusal(suite.api, CREATE, { input: { name: "b", provider: "b", clientConfig } });
        expect(refusal).toBe("BAD_REQUEST Invalid client config: apiKey must not be empty");
      },
      async p6() {
        const clientConfig = { openai: { openaiAuthenticationMethod: { apiKey: CANARIES.key } } };
        const { id } = await createCustomProvider(suite.api, "plain", clientConfig);
        const { openaiApiType } = (await readCustomProvider(suite.api, id)).config;
        expect(openaiApiType).toBe(expected("p6").openaiApiType!);
      },
      async p7() {
        expect(await patchRefusal(suite.api, oa, { clientConfig: all().anthropic })).toContain(expected("p7").error!);
      },
      async p8() {
        const { sdk } = await patchCustomProvider(suite.api, oa, { clientConfig: all().azure });
        expect(sdk).toBe(expected("p8").sdk!);
      },
      async p9() {
        const { name } = await patchCustomProvider(suite.api, oa, { name: "" });
        expect(name).toBe(expected("p9").name!);
      },
      async p10() {
        const refusal = await patchRefusal(suite.api, globalId(WORD, 999), { name: "b" });
        expect(refusal).toContain(expected("p10").error!);
      },
      async p12() {
        expect(await testCustomProvider(suite.api, all().openai)).toBeNull();
      },
      async p14() {
        expect((await send(suite.api.server, "GET /v1/custom_model_providers?limit=0")).status).toBe(
          expected("p14").status!,
        );
      },
      async p15() {
        const answer = await send(suite.api.server, "GET /v1/custom_model_providers?cursor=zzz");
        expect(answer.status).toBe(expected("p15").status!);
        expect(await answer.text()).toContain(expected("p15").text!);
      },
    };
    test.each(rows.map(({ id }) => id))("%s", (id) => played[id]!());
  });

  describe("what is stored and shown", () => {
    test.each(Object.keys(configs("")) as ConfigName[])(
      "%s: encrypted in the store, masked in answers",
      async (name) => {
        const { id } = await createCustomProvider(suite.api, name, all()[name]);
        const { rows } = await sql<{ config: Uint8Array }>`select config from custom_providers`.execute(
          suite.api.stored.storage.handle.read(suite.api.context(), "short"),
        );
        const stored = Buffer.from(rows[0]!.config).toString("latin1");
        const { config } = await readCustomProvider(suite.api, id);
        for (const canary of Object.values(CANARIES)) {
          expect(stored).not.toContain(canary);
          expect(JSON.stringify(config)).not.toContain(canary);
        }
        expect(masksIn(config)).toEqual(masksIn(all()[name]).map(ended));
        // What is no secret comes back as it was entered.
        expect(withoutSecrets(config)).toMatchObject(withoutSecrets(Object.values(all()[name])[0]!) as object);
        suite.principal = signedIn(1, "MEMBER");
        expect(masksIn((await readCustomProvider(suite.api, id)).config)).toEqual(
          masksIn(config).map(() => `${MASK}\uE000`),
        );
      },
    );

    test("lists are newest first, by pages, without configurations over REST", async () => {
      const created = [];
      for (const name of ["a", "b", "c"])
        created.push(await createCustomProvider(suite.api, name, all().openai, " lab "));
      const first = await list("(first: 2)");
      expect(first.edges.map(({ node }) => node.name)).toEqual(["c", "b"]);
      expect((await list(`(after: "${first.pageInfo.endCursor}")`)).edges.map(({ node }) => node.name)).toEqual(["a"]);
      expect((await list("(first: 0)")).edges).toEqual([]);
      const page = await (await send(suite.api.server, "GET /v1/custom_model_providers?limit=2")).json();
      expect(page).toEqual({
        data: [created[2]!, created[1]!].map(({ id, name }) => ({
          id,
          name,
          provider: "lab",
          sdk: "openai",
          created_at: expect.any(String),
          updated_at: expect.any(String),
        })),
        next_cursor: created[0]!.id,
      });
      const next = await send(suite.api.server, `GET /v1/custom_model_providers?cursor=${created[0]!.id}`);
      expect(await next.json()).toMatchObject({ data: [{ name: "a" }], next_cursor: null });
    });

    test("two that take a name at once, and two changes of one: none is lost", async () => {
      const names = await Promise.allSettled(
        Array.from({ length: 4 }, () => createCustomProvider(suite.api, "one", all().openai)),
      );
      expect(names.filter(({ status }) => status === "fulfilled").length).toBe(1);
      const { id } = (names.find(({ status }) => status === "fulfilled") as PromiseFulfilledResult<{ id: string }>)
        .value;
      const changes = [
        { name: "renamed" },
        { description: "changed" },
        { provider: "moved" },
        { clientConfig: all().azure },
      ];
      await Promise.all(changes.map((change) => patchCustomProvider(suite.api, id, change)));
      expect(await readCustomProvider(suite.api, id)).toMatchObject({
        name: "renamed",
        description: "changed",
        provider: "moved",
        sdk: "AZURE_OPENAI",
      });
    });
  });

  describe("a change keeps secrets that are left empty", () => {
    const keyOf = async (id: string) => {
      const { endpoint } = await endpointOf(suite.api, id);
      return { credentials: endpoint.credentials, headers: endpoint.headers };
    };
    const withKey = (apiKey: string, kwargs: object) => ({
      openai: { openaiAuthenticationMethod: { apiKey }, openaiClientKwargs: kwargs },
    });

    test("as long as the address stays", async () => {
      const { id } = await createCustomProvider(suite.api, "oa", all().openai);
      const before = await keyOf(id);
      await patchCustomProvider(suite.api, id, {
        clientConfig: withKey("", { baseUrl: `${suite.models.address}/other/`, defaultHeaders: { "x-gateway": null } }),
      });
      expect(await keyOf(id)).toEqual(before);
      expect((await endpointOf(suite.api, id)).endpoint.baseUrl).toBe(`${suite.models.address}/other`);
      // A test of what is being edited counts on the same secrets.
      expect(await testCustomProvider(suite.api, withKey("", { baseUrl: suite.models.openAi }), id)).toBeNull();
      expect(suite.models.requests[0]!.headers.authorization).toBe(`Bearer ${CANARIES.key}`);
    });

    test("and asks for them again for another address, and for another application", async () => {
      const { id } = await createCustomProvider(suite.api, "oa", all().openai);
      const elsewhere = withKey("", { baseUrl: "http://elsewhere.example/v1" });
      const again = "BAD_REQUEST Invalid client config: apiKey must be entered again";
      expect(await patchRefusal(suite.api, id, { clientConfig: elsewhere })).toStartWith(again);
      expect(await askRefusal(suite.api, TEST, { input: elsewhere, providerId: id })).toStartWith(again);
      const header = withKey(CANARIES.key, {
        baseUrl: "http://elsewhere.example/v1",
        defaultHeaders: { "x-gateway": null },
      });
      expect(await patchRefusal(suite.api, id, { clientConfig: header })).toContain(
        'defaultHeaders "x-gateway" must be entered',
      );
      const azure = await createCustomProvider(suite.api, "az", all().azureApplication);
      const application = structuredClone(all().azureApplication);
      Object.assign(application.azureOpenai.azureOpenaiAuthenticationMethod.azureAdTokenProvider, {
        azureTenantId: "another",
        azureClientSecret: "",
      });
      expect(await patchRefusal(suite.api, azure.id, { clientConfig: application })).toContain("azureClientSecret");
    });

    test("the token of a session with the key that it belongs to", async () => {
      const { id } = await createCustomProvider(suite.api, "aws", all().bedrock);
      const change = (keys: object) => {
        const config = structuredClone(all().bedrock);
        config.awsBedrock.awsBedrockAuthenticationMethod.accessKeys = {
          awsAccessKeyId: "AKIAEXAMPLE",
          ...keys,
        } as never;
        return patchCustomProvider(suite.api, id, { clientConfig: config });
      };
      await change({ awsSecretAccessKey: "" });
      expect((await keyOf(id)).credentials).toMatchObject({
        secretAccessKey: CANARIES.access,
        sessionToken: CANARIES.session,
      });
      await change({ awsSecretAccessKey: "another-key-that-lasts" });
      expect((await keyOf(id)).credentials).toMatchObject({
        secretAccessKey: "another-key-that-lasts",
        sessionToken: null,
      });
    });

    test("a mask is never stored", async () => {
      const { id } = await createCustomProvider(suite.api, "oa", all().openai);
      for (const clientConfig of [
        withKey(ended(CANARIES.key), { baseUrl: suite.models.openAi }),
        withKey("", { baseUrl: suite.models.openAi, defaultHeaders: { "x-gateway": ended(CANARIES.header) } }),
      ]) {
        expect(await patchRefusal(suite.api, id, { clientConfig })).toContain("is a mask");
      }
    });
  });

  describe("is refused, by its name", () => {
    const openai = (changes: object) => ({
      openai: { openaiAuthenticationMethod: { apiKey: CANARIES.key }, openaiClientKwargs: changes },
    });
    const aws = (method: object, client: object) => ({
      awsBedrock: { awsBedrockAuthenticationMethod: method, awsBedrockClientKwargs: client },
    });
    const azure = (azureEndpoint: string) => ({
      azureOpenai: {
        azureOpenaiAuthenticationMethod: { defaultCredentials: true },
        azureOpenaiClientKwargs: { azureEndpoint },
      },
    });
    const wrong: readonly (readonly [string, object, string])[] = [
      ["another scheme", openai({ baseUrl: "ftp://no url" }), "baseUrl:"],
      ["a user in the address", openai({ baseUrl: "https://a:b@example.org" }), "baseUrl:"],
      ["a query in the address", openai({ baseUrl: "https://example.org/?key=1" }), "baseUrl:"],
      ["a header that is no text", openai({ defaultHeaders: { "X-A": 1 } }), 'defaultHeaders: headers: "X-A"'],
      ["a header that nobody may set", openai({ defaultHeaders: { Host: "a" } }), 'defaultHeaders: headers: "Host"'],
      ["headers that are no object", openai({ defaultHeaders: ["a"] }), "defaultHeaders must be an object"],
      ["a key that no header can carry", openaiWith("line\nbreak"), "apiKey has a character"],
      ["no region", aws({ defaultCredentials: true }, { regionName: " " }), "regionName must not be empty"],
      ["a region that is none", aws({ defaultCredentials: true }, { regionName: "a/b" }), "regionName:"],
      ["no choice", aws({ defaultCredentials: false }, { regionName: "eu-west-1" }), "defaultCredentials must be true"],
      [
        "the identity of the server for any host",
        aws({ defaultCredentials: true }, { regionName: "eu-west-1", endpointUrl: "https://bedrock.example" }),
        "endpointUrl must be an https address of AWS itself",
      ],
      [
        "the identity of the server for a neighbour of Azure",
        azure("https://evil-openai.azure.com.example"),
        "azureEndpoint",
      ],
      ["more than fits", openai({ defaultHeaders: { "x-a": "a".repeat(70_000) } }), "larger than 65536 bytes"],
    ];
    test.each(wrong)("%s", async (_what, clientConfig, member) => {
      const refusal = await askRefusal(suite.api, CREATE, { input: { name: "b", provider: "b", clientConfig } });
      expect(refusal).toStartWith(`BAD_REQUEST Invalid client config: ${member.startsWith("larger") ? "" : member}`);
      expect(refusal).toContain(member);
      expect(refusal).not.toContain(CANARIES.key);
      expect((await list()).edges).toEqual([]);
    });

    test("more than one kind at once", async () => {
      const clientConfig = { ...all().openai, ...all().anthropic };
      const { errors } = await askGraphql(suite.api, CREATE, { input: { name: "b", provider: "b", clientConfig } });
      expect(errors![0]!.message).toContain("GenerativeModelCustomerProviderConfigInput");
    });

    test("the identity of the server goes to its cloud", async () => {
      await createCustomProvider(suite.api, "az", azure("https://mine.openai.azure.com"));
      expect(await testCustomProvider(suite.api, azure("https://mine.openai.azure.com"))).toContain("AZURE_TENANT_ID");
      expect(
        await testCustomProvider(suite.api, aws({ defaultCredentials: true }, { regionName: "eu-west-1" })),
      ).toContain("AWS_ACCESS_KEY_ID");
    });
  });
});

const openaiWith = (apiKey: string) => ({ openai: { openaiAuthenticationMethod: { apiKey } } });

const isSecret = (value: string) => value.includes(MASK) || Object.values<string>(CANARIES).includes(value);

/** Texts that are secrets or masks, in their order. */
function masksIn(value: unknown): string[] {
  if (typeof value === "string") return isSecret(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(masksIn) : [];
}

/** Names of headers come back in lower case. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => !(typeof member === "string" && isSecret(member)));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSecrets(member)]));
}

interface Row {
  readonly id: string;
  readonly expect: Partial<Record<"sdk" | "error" | "openaiApiType" | "name" | "text", string>> & { status?: number };
}

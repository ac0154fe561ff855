// Custom providers on both databases: tests of credentials, rights, another SERVICE_SECRET, and what a deletion takes along.

import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { modelProvidersFeature } from "../../src/modules/evaluation/model-providers/model-providers.feature.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { send } from "../support/api.ts";
import {
  CANARIES,
  CREATE,
  createCustomProvider,
  customProvidersOfSuite,
  DELETE,
  endpointOf,
  PATCH,
  patchCustomProvider,
  patchRefusal,
  READ,
  readCustomProvider,
  TEST,
  testCustomProvider,
} from "../support/custom-providers.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { signedIn } from "../support/principals.ts";
import { BAD_KEY } from "../support/scripted-models.ts";

const WORD = "GenerativeModelCustomProvider";

forEachDriver("use of custom providers", (driver) => {
  const suite = customProvidersOfSuite(driver);
  const { all, list } = suite;

  describe("a test of credentials", () => {
    test.each(["openai", "azure", "anthropic", "bedrock", "google"] as const)("%s", async (name) => {
      expect(await testCustomProvider(suite.api, all()[name])).toBeNull();
      expect(suite.models.requests.length).toBe(1);
      const bad = JSON.parse(
        JSON.stringify(all()[name]).replaceAll(CANARIES.key, BAD_KEY).replaceAll("AKIAEXAMPLE", BAD_KEY),
      ) as object;
      const error = await testCustomProvider(suite.api, bad);
      expect(error).toStartWith("The provider answered 401: bad key [REDACTED]");
      expect((await list()).edges).toEqual([]);
    });

    test("says what keeps it from the provider", async () => {
      const at = (baseUrl: string) =>
        testCustomProvider(suite.api, {
          openai: { openaiAuthenticationMethod: { apiKey: CANARIES.key }, openaiClientKwargs: { baseUrl } },
        });
      expect(await at("http://127.0.0.1:9/v1")).toContain("127.0.0.1:9 refused the connection");
      expect(await at("http://169.254.169.254/v1")).toContain("never called");
      const closed = await suite.open({ variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "false" } });
      try {
        const error = await testCustomProvider(closed, all().openai);
        expect(error).toContain("SERVICE_ALLOW_PRIVATE_PROVIDERS");
        expect(suite.models.requests).toEqual([]);
      } finally {
        await closed.close();
      }
    });
  });

  describe("rights", () => {
    const operations: Readonly<Record<string, () => Promise<string>>> = {
      read: () =>
        askRefusal(suite.api, "{ generativeModelCustomProviders { edges { node { name config { __typename } } } } }"),
      create: () =>
        askRefusal(suite.api, CREATE, { input: { name: "new", provider: "b", clientConfig: all().openai } }),
      patch: () => askRefusal(suite.api, PATCH, { input: { id: known, name: "patched" } }),
      test: () => askRefusal(suite.api, TEST, { input: all().openai }),
      delete: () => askRefusal(suite.api, DELETE, { id: known }),
    };
    let known: string;
    beforeEach(async () => {
      known = (await createCustomProvider(suite.api, "oa", all().openai)).id;
    });

    const admin = "UNAUTHORIZED Only admin can perform this action";
    const matrix: readonly (readonly [string, Principal, string, string])[] = [
      ["a viewer", signedIn(1, "VIEWER"), "none", "UNAUTHORIZED Viewers cannot perform this action"],
      ["a member", signedIn(1, "MEMBER"), "none", admin],
      ["a system key", { kind: "system", userId: 1 }, "none", admin],
      ["nobody", { kind: "anonymous" }, "UNAUTHORIZED Invalid token", "UNAUTHORIZED Invalid token"],
      ["an administrator", signedIn(1, "ADMIN"), "none", "none"],
      ["the admin secret", { kind: "admin_secret", userId: 1 }, "none", "none"],
    ];
    test.each(matrix)("%s", async (_who, who, reads, changes) => {
      suite.principal = who;
      for (const [name, ask] of Object.entries(operations)) {
        const expected = name === "read" ? reads : changes;
        if (who.kind === "anonymous") await expect(ask()).rejects.toThrow("401");
        else expect([name, await ask()]).toEqual([name, expected]);
      }
      const rest = await send(suite.api.server, "GET /v1/custom_model_providers");
      expect(rest.status).toBe(who.kind === "anonymous" ? 401 : 200);
    });

    test("nothing is changed or tested read-only, and nothing is written into a full database", async () => {
      const readOnly = await suite.open({ settings: { readOnly: true } });
      const full = await suite.open({ isStorageLocked: () => true });
      try {
        for (const [document, variables] of [
          [CREATE, { input: { name: "new", provider: "b", clientConfig: all().openai } }],
          [PATCH, { input: { id: known, name: "patched" } }],
          [DELETE, { id: known }],
          [TEST, { input: all().openai }],
        ] as const) {
          expect(await askRefusal(readOnly, document, variables)).toContain("Application is read-only");
          const refusal = await askRefusal(full, document, variables);
          expect(refusal).toStartWith(document === TEST ? "none" : "INSUFFICIENT_STORAGE");
        }
        expect((await readCustomProvider(readOnly, known)).name).toBe("oa");
      } finally {
        await readOnly.close();
        await full.close();
      }
    });
  });

  describe("with another SERVICE_SECRET", () => {
    test("it says so wherever it is asked, and takes new credentials", async () => {
      const { id } = await createCustomProvider(suite.api, "oa", all().openai);
      const other = await suite.open({ serviceSecret: "another-secret-of-tests-0123456789-012" });
      try {
        expect((await readCustomProvider(other, id)).config).toEqual({
          __typename: "UnparsableConfig",
          parseError: expect.stringContaining("Config cannot be decrypted"),
        });
        await expect(endpointOf(other, id)).rejects.toThrow("Failed to decrypt custom provider config: 'oa'");
        const { customProviders } = other.features.use(modelProvidersFeature);
        await customProviders.reportUnreadable(other.context());
        expect(suite.lines.join("\n")).toContain(
          "SERVICE_SECRET does not open the configuration of all custom providers",
        );
        expect(await customProviders.listUnreadable(other.context())).toEqual(["oa"]);
        const kept = { openai: { openaiAuthenticationMethod: { apiKey: "" } } };
        expect(await patchRefusal(other, id, { clientConfig: kept })).toContain("apiKey must not be empty");
        await patchCustomProvider(other, id, { clientConfig: all().openai });
        expect((await endpointOf(other, id)).endpoint.credentials).toMatchObject({ apiKey: CANARIES.key });
        expect(await customProviders.listUnreadable(other.context())).toEqual([]);
      } finally {
        await other.close();
      }
    });

    test("and so does a configuration that was moved to another row", async () => {
      const { id } = await createCustomProvider(suite.api, "mine", all().openai);
      await createCustomProvider(suite.api, "theirs", all().openai);
      await sql`update custom_providers set config = (select config from custom_providers where name = 'theirs')
        where name = 'mine'`.execute(suite.api.stored.storage.handle.write(suite.api.context()));
      await expect(endpointOf(suite.api, id)).rejects.toThrow("Failed to decrypt custom provider config: 'mine'");
      const differences = async () =>
        (await verifyStorage(suite.api.stored.storage, suite.api.context(), ownedTables)).differences;
      expect(await differences()).toEqual([]);
      await sql`update custom_providers set config = ${new Uint8Array()} where name = 'mine'`.execute(
        suite.api.stored.storage.handle.write(suite.api.context()),
      );
      expect(await differences()).toEqual(["1 custom providers without a configuration"]);
    });
  });

  test("one that is deleted is gone for prompts, which are named before", async () => {
    const { id } = await createCustomProvider(suite.api, "oa", all().openai);
    const version = (customProviderId: string | null) => ({
      templateFormat: "NONE",
      template: { messages: [{ role: "USER", content: [{ text: { text: "hi" } }] }] },
      invocationParameters: { openai: {} },
      modelProvider: "DEEPSEEK",
      modelName: "m",
      customProviderId,
    });
    const make = `mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) { id version { customProvider { name } } } }`;
    const made = (name: string, given: object) =>
      askRefusal(suite.api, make, { input: { name, promptVersion: given } });
    expect(await made("first", version(id))).toBe("none");
    expect(await made("second", version(null))).toBe("none");
    expect(await made("third", version(globalId(WORD, 999)))).toContain("Custom provider with ID 999 not found");
    const anthropic = await createCustomProvider(suite.api, "an", all().anthropic);
    expect(await made("fourth", version(anthropic.id))).toContain(
      "Custom provider 'an' has SDK 'anthropic' which is not compatible with model provider 'DEEPSEEK'.",
    );
    expect(await readCustomProvider(suite.api, id)).toMatchObject({ promptCount: 1, promptNames: ["first"] });
    const names = `{ prompts { edges { node { name version { customProvider { name } } } } } }`;
    const read = async () => JSON.stringify(await askData(suite.api, names));
    expect(await read()).toContain('"customProvider":{"name":"oa"}');
    for (const _ of [1, 2]) {
      const { deleteGenerativeModelCustomProvider: deleted } = await askData<{
        deleteGenerativeModelCustomProvider: { id: string };
      }>(suite.api, DELETE, { id });
      expect(deleted.id).toBe(id);
    }
    expect(await read()).not.toContain('"customProvider":{');
    expect(await askRefusal(suite.api, READ, { id })).toStartWith("NOT_FOUND");
    expect(await askRefusal(suite.api, DELETE, { id: globalId("Project", 1) })).toStartWith(
      "BAD_REQUEST Invalid provider id",
    );
    await expect(endpointOf(suite.api, id)).rejects.toThrow("not found");
  });
});

// A protected tag keeps its prompt: only administrators remove either, over REST and GraphQL, on both databases.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askRefusal } from "../support/graphql.ts";
import { keyOf, signedIn } from "../support/principals.ts";

const version = {
  model_provider: "OPENAI",
  model_name: "gpt-5",
  template_type: "CHAT",
  template_format: "MUSTACHE",
  template: { type: "chat", messages: [{ role: "user", content: "Hi {{name}}" }] },
  invocation_parameters: { type: "openai", openai: {} },
};
const REFUSED =
  'The prompt has the protected tag "production" (SERVICE_PROTECTED_PROMPT_TAGS): only administrators delete it';
const admin = signedIn(13, "ADMIN");
const others: readonly Principal[] = [signedIn(11, "MEMBER"), keyOf(11, "MEMBER"), { kind: "system", userId: 14 }];

forEachDriver("prompts with a protected tag", (driver) => {
  let api: TestApi;
  let principal: Principal = openPrincipal;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase(), {
      resolvePrincipal: () => principal,
      variables: { SERVICE_PROTECTED_PROMPT_TAGS: "staging,production" },
    });
  });
  afterAll(() => api.close());

  const ask = async (who: Principal, line: string, json?: unknown) => {
    principal = who;
    const answer = await send(api.server, line, json === undefined ? {} : { json });
    principal = openPrincipal;
    const text = await answer.text();
    return { status: answer.status, text, data: text.startsWith("{") ? JSON.parse(text).data : null };
  };
  const create = async (name: string, tag: string) => {
    const made = await ask(openPrincipal, "POST /v1/prompts", { prompt: { name }, version });
    await ask(openPrincipal, `POST /v1/prompt_versions/${made.data.id}/tags`, { name: tag });
    const { data } = await ask(openPrincipal, "GET /v1/prompts");
    return (data as { id: string; name: string }[]).find((prompt) => prompt.name === name)!.id;
  };
  const tagged = (name: string, tag: string) => ask(openPrincipal, `GET /v1/prompts/${name}/tags/${tag}`);
  const deleteByGraphql = async (who: Principal, id: string) => {
    principal = who;
    const refusal = await askRefusal(
      api,
      `mutation { deletePrompt(input: {promptId: "${id}"}) { query { projectCount } } }`,
    );
    principal = openPrincipal;
    return refusal;
  };

  test("are deleted by administrators alone", async () => {
    const id = await create("guarded", "production");
    for (const who of others) {
      for (const named of ["guarded", encodeURIComponent(id)]) {
        const answer = await ask(who, `DELETE /v1/prompts/${named}`);
        expect([answer.status, answer.text]).toEqual([403, REFUSED]);
      }
      expect(await deleteByGraphql(who, id)).toBe(`UNAUTHORIZED ${REFUSED}`);
      expect((await tagged("guarded", "production")).status).toBe(200);
    }
    expect((await ask(admin, "DELETE /v1/prompts/guarded")).status).toBe(204);
    const again = await create("guarded", "production");
    expect(await deleteByGraphql(admin, again)).toBe("none");
    expect((await tagged("guarded", "production")).status).toBe(404);
    expect((await ask(admin, "DELETE /v1/prompts/guarded")).status).toBe(404);
  });

  test("other tags protect nothing, and any member deletes", async () => {
    for (const who of others) {
      await create("free", "draft");
      expect((await ask(who, "DELETE /v1/prompts/free")).status).toBe(204);
      expect(await deleteByGraphql(who, await create("free", "draft"))).toBe("none");
    }
  });
});

// Keys of providers stay where they are kept: canaries in the environment, as secrets, in a custom provider and in a request, used for calls
// that succeed and calls that fail with the key in the provider's text, are in no answer, no span, no log and no row of the database.
import { expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { CANARIES, configs, createCustomProvider } from "../support/custom-providers.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { startScriptedModels } from "../support/scripted-models.ts";
import { servicesOfSuite } from "../support/server.ts";
import { SECRET } from "../support/sign-in.ts";
import { openTestStorage } from "../support/storage.ts";

setDefaultTimeout(60_000);

const environment = "canary-of-the-environment-0123456789";
const secret = "canary-of-the-secret-store-0123456789";
const request = "canary-of-the-request-0123456789-0123";
const canaries = [environment, secret, request, CANARIES.key, CANARIES.header];
const forms = canaries.flatMap((canary) => [
  canary,
  ...(["hex", "base64", "base64url"] as const).map((form) => Buffer.from(canary).toString(form).replace(/=+$/, "")),
]);
const leaksIn = (text: string) => forms.filter((form) => text.includes(form));

forEachDriver("keys of providers", (driver) => {
  const startService = servicesOfSuite();

  test("are nowhere but in the encrypted store", async () => {
    const models = await startScriptedModels();
    const databaseUrl = await driver.createDatabase();
    const service = await startService({
      databaseUrl,
      env: {
        SERVICE_SECRET: SECRET,
        SERVICE_ALLOW_PRIVATE_PROVIDERS: "true",
        SERVICE_LOGGING_LEVEL: "debug",
        SERVICE_DB_LOGGING_LEVEL: "debug",
        SERVICE_LOG_SQL: "true",
        OPENAI_API_KEY: environment,
        OPENAI_BASE_URL: models.openAi,
        GROQ_BASE_URL: models.openAi,
        XAI_BASE_URL: models.openAi,
      },
    });
    const answers: string[] = [];
    const post = async (path: string, body: object) => {
      const response = await fetch(`${service.url}${path}`, {
        method: path === "/v1/secrets" ? "PUT" : "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      answers.push(`${path} ${[...response.headers].join()} ${await response.text()}`);
    };
    const api = {
      server: { fetch: (asked: Request) => fetch(asked.url.replace("http://localhost", service.url), asked) },
    };
    await post("/v1/secrets", { secrets: [{ key: "GROQ_API_KEY", value: secret }] });
    const { id } = await createCustomProvider(api as never, "gateway", configs(models.address).openai);
    const messages = [{ role: "user", content: "hi" }];
    // `keyecho` answers with the key, the others name it in their errors.
    const names = ["text", "keyecho", "e400", "e401", "e500", "cut", "html"];
    const runs = names.map((name) => {
      const variants = [
        { model_provider: "XAI", model_name: name, messages },
        { model_provider: "OPENAI", model_name: name, messages },
        { custom_provider_id: id, model_name: name, messages },
      ];
      return post("/v1/playground/runs", { variants, credentials: [{ name: "XAI_API_KEY", value: request }] });
    });
    const calls = names.flatMap((name) =>
      ["openai", "groq", `custom:${id}`].flatMap((provider) =>
        [false, true].map((stream) => post("/v1/chat/completions", { model: `${provider}:${name}`, messages, stream })),
      ),
    );
    await Promise.all([...runs, ...calls]);
    const used = models.requests.map(({ headers }) => JSON.stringify(headers)).join();
    expect(canaries.filter((canary) => !used.includes(canary))).toEqual([]);
    const spans = await askData<{ projects: unknown }>(
      api as never,
      `{ projects { edges { node { name spans(first: 200) { edges { node { attributes events { message } statusMessage } } } } } } }`,
    );
    expect(JSON.stringify(spans)).toContain("[REDACTED]");
    answers.push(JSON.stringify(spans));
    await models.close();
    expect(await service.stop()).toBe(0);
    expect(answers.flatMap((answer) => leaksIn(answer).map((leak) => [leak, answer.slice(0, 200)]))).toEqual([]);
    expect(leaksIn(service.log())).toEqual([]);
    for (const text of await storedTexts(databaseUrl)) expect(leaksIn(text)).toEqual([]);
  });
});

/** Every row of the database as text, and the bytes of its file. */
async function storedTexts(databaseUrl: string): Promise<string[]> {
  const stored = await openTestStorage(databaseUrl);
  const database = stored.storage.handle.read(stored.context(), "short");
  const texts: string[] = [];
  if (databaseUrl.startsWith("sqlite")) {
    const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(database);
    await stored.close();
    const { file } = rows[0]!;
    for (const path of [file, `${file}-wal`]) {
      if (await Bun.file(path).exists()) texts.push(Buffer.from(await Bun.file(path).arrayBuffer()).toString("latin1"));
    }
    expect(texts.length).toBeGreaterThan(0);
    return texts;
  }
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(database);
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(database);
    texts.push(...rows.map(({ text }) => text));
  }
  expect(tables.length).toBeGreaterThan(20);
  await stored.close();
  return texts;
}

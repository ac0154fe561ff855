// `spanlight doctor oidc` as operators run it, at a real provider and at one that is wrong in every way: a line a step, what to do,
// and no secret.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLIENT_SECRET, type RealProvider, startRealProvider } from "../support/openid-provider.ts";
import { type ScriptedProvider, startScriptedProvider } from "../support/scripted-provider.ts";
import { runCommand } from "../support/server.ts";

setDefaultTimeout(60_000);
const WRONG_SECRET = "swordfish-0123456789";

let folder: string;
let real: RealProvider;
let scripted: ScriptedProvider;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-doctor-oidc-"));
  real = await startRealProvider({
    people: {},
    clients: [{ id: "corp", method: "client_secret_basic", pkce: true }],
    callbacks: () => ["http://localhost:6006/oauth2/corp/tokens"],
  });
  scripted = await startScriptedProvider();
});
afterAll(async () => {
  await Promise.all([real.close(), scripted.close()]);
  await rm(folder, { recursive: true, force: true });
});

async function doctor(idp: string, settings: Readonly<Record<string, string>>) {
  const given = { CLIENT_ID: "corp", CLIENT_SECRET, OIDC_CONFIG_URL: real.configUrl, ...settings };
  const { exitCode, output } = await runCommand(["doctor", "oidc", idp], {
    env: {
      SERVICE_WORKING_DIR: folder,
      SERVICE_ENABLE_AUTH: "true",
      SERVICE_SECRET: "a-secret-of-the-doctor-0123456789",
      SERVICE_ROOT_URL: "http://localhost:6006",
      SERVICE_CSRF_TRUSTED_ORIGINS: "http://localhost:6006",
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`SERVICE_OAUTH2_CORP_${name}`, value])),
    },
  });
  for (const secret of [CLIENT_SECRET, WRONG_SECRET]) expect(output).not.toContain(secret);
  const about = (part: string) => output.split("\n").find((line) => line.slice(9).startsWith(`${part}:`)) ?? "";
  return { exitCode, output, about };
}

describe("doctor oidc", () => {
  test("finds nothing wrong with a provider that is set up", async () => {
    const { exitCode, output, about } = await doctor("CORP", { USE_PKCE: "true" });
    expect(output).toEndWith("problems: 0, warnings: 0\n");
    expect(exitCode).toBe(0);
    for (const part of ["metadata", "issuer", "clock", "keys", "signatures", "redirect", "client"]) {
      expect(about(part)).toStartWith("ok ");
    }
    expect(about("redirect")).toContain("http://localhost:6006/oauth2/corp/tokens");
  });

  test("says that the secret is wrong, or the address is not registered", async () => {
    const wrong = await doctor("corp", { USE_PKCE: "true", CLIENT_SECRET: WRONG_SECRET });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.about("client")).toMatch(
      /^problem .* not believed by the provider: invalid_client\. Do: check .*CLIENT_SECRET/,
    );
    const unknown = await doctor("corp", { USE_PKCE: "true", CLIENT_ID: "nobody", SCOPES: "nonsense" });
    expect(unknown.about("redirect")).toMatch(/^problem .*Do: register http:\/\/localhost:6006\/oauth2\/corp\/tokens/);
    expect(unknown.about("scopes")).toContain("does not list nonsense");
    const without = await doctor("corp", {});
    expect(without.about("PKCE")).toContain("set SERVICE_OAUTH2_CORP_USE_PKCE=true");
  });

  test("names providers there are, and a provider that does not answer", async () => {
    const { exitCode, output } = await doctor("google", {});
    expect(exitCode).toBe(1);
    expect(output).toContain(
      "there is no provider google; the settings name: corp. Do: set SERVICE_OAUTH2_GOOGLE_CLIENT_ID",
    );
    const away = await doctor("corp", { OIDC_CONFIG_URL: "http://127.0.0.1:9/x" });
    expect(away.about("metadata")).toMatch(
      /^problem .*no connection to 127\.0\.0\.1:9.*Do: check SERVICE_OAUTH2_CORP_OIDC_CONFIG_URL/,
    );
  });

  test("looks at what the metadata says", async () => {
    const at = { OIDC_CONFIG_URL: scripted.configUrl, USE_PKCE: "true" };
    scripted.script = {
      metadata: {
        issuer: "https://login.example/{tenantid}/v2.0",
        id_token_signing_alg_values_supported: ["none"],
        code_challenge_methods_supported: ["plain"],
        token_endpoint_auth_methods_supported: ["client_secret_post"],
      },
      keys: [{ kty: "oct", k: "AAAA" }],
      token: () => new Response("broken", { status: 500 }),
    };
    const { about } = await doctor("corp", at);
    expect(about("issuer")).toContain("names no issuer but a pattern");
    expect(about("signatures")).toStartWith("problem ");
    expect(about("PKCE")).toContain("does not support S256");
    expect(about("keys")).toStartWith("problem ");
    expect(about("redirect")).toContain("answers 404");
    expect(about("methods")).toContain("does not list client_secret_basic");
    expect(about("client")).toContain("status 500");
    scripted.script = { metadata: { issuer: undefined } };
    expect((await doctor("corp", at)).about("metadata")).toContain("the metadata has no issuer");
    scripted.script = { metadata: { issuer: "https://elsewhere.example" } };
    expect((await doctor("corp", at)).about("issuer")).toStartWith("warning ");
  });
});

// Which addresses of providers may be called, and which keys the environment has.
import { expect, test } from "bun:test";
import { loadSettings, refusalOf } from "../support/load-settings.ts";

const read = (variables: Readonly<Record<string, string>> = {}) => loadSettings(variables).config.modelProviders;
const secret = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: "a-secret-of-tests-0123456789-0123456789" };

test("private addresses are called by a service that only its own machine reaches without signing in, or that is told to", () => {
  expect(read().allowsPrivateAddresses).toBe(true);
  expect(read({ SERVICE_HOST: "0.0.0.0" }).allowsPrivateAddresses).toBe(false);
  expect(read(secret).allowsPrivateAddresses).toBe(false);
  expect(read({ SERVICE_ALLOW_PRIVATE_PROVIDERS: "false" }).allowsPrivateAddresses).toBe(false);
  expect(read({ ...secret, SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" }).allowsPrivateAddresses).toBe(true);
});

test("hosts are names and addresses without scheme and port", () => {
  expect(read().allowedHosts).toBeNull();
  const hosts = ["api.openai.com", "*.example.org", "10.0.0.1", "::1"];
  expect(read({ SERVICE_ALLOWED_PROVIDER_HOSTS: hosts.join(", ") }).allowedHosts).toEqual(hosts);
  for (const wrong of ["https://api.openai.com", "api.openai.com:443", "*", "a.*.example", "a/b"]) {
    const { problems } = refusalOf({ SERVICE_ALLOWED_PROVIDER_HOSTS: wrong });
    expect(problems).toEqual([expect.stringContaining("SERVICE_ALLOWED_PROVIDER_HOSTS")]);
  }
});

test("of the environment only the variables of providers are kept", () => {
  const { variables } = read({
    OPENAI_API_KEY: "sk-1",
    AWS_REGION: "eu-west-1",
    OLLAMA_BASE_URL: "",
    EDITOR: "ed",
  });
  expect([...variables].sort()).toEqual([
    ["AWS_REGION", "eu-west-1"],
    ["OLLAMA_BASE_URL", ""],
    ["OPENAI_API_KEY", "sk-1"],
  ]);
});

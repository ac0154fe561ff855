// Why a provider cannot be called; each message says what to set.
import { fail } from "../kernel/failure.ts";
import type { BuiltInProvider } from "./built-in-providers.ts";

const withoutKey = (provider: BuiltInProvider, text: string) => {
  const variable = provider.requiredVariables.join(" and ");
  return fail(
    "providers.no_key",
    "invalid",
    `${text} Set the ${variable} environment variable or use a custom provider.`,
  );
};

export const noKey = (provider: BuiltInProvider) =>
  withoutKey(provider, `An API key is required for ${provider.modelsName} models.`);

export const noAddress = ({ provider, modelsName, addressVariable }: BuiltInProvider) => {
  const what = provider === "AZURE_OPENAI" ? "An Azure endpoint" : "A base URL";
  const example = provider === "OLLAMA" ? " (e.g., http://localhost:11434/v1)" : "";
  return fail(
    "providers.no_address",
    "invalid",
    `${what} is required for ${modelsName} models. Set the ${addressVariable} environment variable${example} or use a custom provider.`,
  );
};

export const foreignAddress = ({ name }: BuiltInProvider) =>
  fail(
    "providers.foreign_address",
    "invalid",
    `A custom base URL cannot be used with the server-configured ${name} API key. Send a key with the request, or use a custom provider.`,
  );

export const providerNotAllowed = (provider: string) =>
  fail("providers.not_allowed", "invalid", `Model provider '${provider}' is not among SERVICE_ALLOWED_PROVIDERS.`);

export const addressNotTaken = (rule: string) =>
  fail("providers.address", "invalid", `The address of the provider ${rule}`);

export const noSuchRegion = (region: string) =>
  fail(
    "providers.region",
    "invalid",
    `${JSON.stringify(region)} is not the name of a region of AWS, such as us-east-1`,
  );

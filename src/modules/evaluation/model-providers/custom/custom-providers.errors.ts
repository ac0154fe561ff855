// What can be wrong with custom providers. No message repeats a value of a configuration.
import { fail } from "../../../../kernel/failure.ts";
import type { CustomProviderSdk } from "../../../../model/custom-provider.ts";
import { MAX_CUSTOM_PROVIDERS } from "./custom-providers.schema.ts";

export const clientConfigRefused = (member: string, problem: string) =>
  fail("custom_providers.config", "invalid", `Invalid client config: ${member} ${problem}`);

export const textRefused = (member: string, problem: string) =>
  fail("custom_providers.invalid", "invalid", `${member} ${problem}`);

export const nameTaken = (name: string) =>
  fail("custom_providers.name_taken", "conflict", `Provider with name '${name}' already exists`);

export const customProviderNotFound = (id: number | string) =>
  fail("custom_providers.not_found", "not_found", `Custom provider with ID ${id} not found`);

/** Of a mutation, whose id is that of the wire. */
export const changedProviderNotFound = (id: string) =>
  fail("custom_providers.not_found", "not_found", `Provider with ID '${id}' not found`);

export const notAProviderId = (id: string) =>
  fail("custom_providers.wrong_id", "invalid", `Invalid provider id: "${id}"`);

export const cursorRefused = (cursor: string) =>
  fail("custom_providers.cursor", "invalid", `Invalid cursor format: ${cursor}`);

export const tooManyProviders = () =>
  fail(
    "custom_providers.too_many",
    "conflict",
    `There are ${MAX_CUSTOM_PROVIDERS} custom providers already, the most that can be: delete some first`,
  );

/** `AZURE_OPENAI` as `Azure Openai`, in the words of clients. */
const titleOf = (sdk: CustomProviderSdk) =>
  sdk
    .split("_")
    .map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
    .join(" ");

export const sdkChanged = (from: CustomProviderSdk, to: CustomProviderSdk) =>
  fail(
    "custom_providers.sdk",
    "invalid",
    `Cannot change SDK from ${titleOf(from)} to ${titleOf(to)}. Create another provider instead.`,
  );

export const sdkDoesNotFit = (name: string, sdk: CustomProviderSdk, provider: string) =>
  fail(
    "custom_providers.does_not_fit",
    "invalid",
    `Custom provider '${name}' has SDK '${sdk.toLowerCase()}' which is not compatible with model provider '${provider}'.`,
  );

export const configNotDecrypted = (name: string) =>
  fail(
    "custom_providers.undecryptable",
    "invalid",
    `Failed to decrypt custom provider config: '${name}' was stored with another SERVICE_SECRET. Enter its credentials again.`,
  );

export const configNotParsed = (name: string) =>
  fail("custom_providers.unparsable", "invalid", `Failed to parse custom provider config of '${name}'`);

export const noServerIdentity = (what: string, variables: string) =>
  fail("custom_providers.no_identity", "invalid", `The server has no ${what}: set ${variables} in its environment.`);

// Which built-in providers this server offers, and which of them it can call by itself.
import { messageOf } from "../../../../kernel/failure.ts";
import { type ModelProvider, modelProviders } from "../../../../model/prompt.ts";
import { type BuiltInProvider, builtInProviders } from "../../../../providers/built-in-providers.ts";
import { azureBaseUrl, bedrockBaseUrl, checkedAddress, hasServerKeys } from "../../../../providers/endpoints.ts";
import type { IdentitySources } from "../../../../providers/server-identity.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { SecretsService } from "../../../accounts/secrets/secrets.service.ts";
import { credentialNamesOf } from "../model-endpoints.service.ts";
import type { BuiltInProviderStatus, ProviderCredential } from "./built-in-providers.schema.ts";

interface BuiltInProvidersDependencies {
  readonly secrets: SecretsService;
  readonly identity: IdentitySources;
  /** SERVICE_ALLOWED_PROVIDERS; null for all. */
  readonly allowedProviders: readonly ModelProvider[] | null;
}

export interface BuiltInProvidersService {
  /** Those that are allowed. */
  readonly offered: readonly ModelProvider[];
  /** The offered ones, with one read of the stored secrets. */
  listProviders(context: CallContext): Promise<BuiltInProviderStatus[]>;
}

export function createBuiltInProvidersService(dependencies: BuiltInProvidersDependencies): BuiltInProvidersService {
  const { secrets, identity, allowedProviders } = dependencies;
  const { findVariable } = identity;
  const offered = allowedProviders ?? modelProviders;

  function credentialOf(
    name: string,
    isRequired: boolean,
    stored: ReadonlyMap<string, string | null>,
  ): ProviderCredential {
    const value = stored.get(name);
    if (value === null) return { name, isRequired, source: "UNREADABLE_SECRET" };
    if (value !== undefined) return { name, isRequired, source: "SECRET" };
    return { name, isRequired, source: findVariable(name) === null ? null : "ENVIRONMENT" };
  }

  return {
    offered,
    async listProviders(context) {
      const names = new Set(offered.flatMap(credentialNamesOf));
      const stored = await secrets.readSecrets(context, [...names]);
      const sources = { ...identity, findSecret: async (name: string) => stored.get(name) ?? null };
      return Promise.all(
        offered.map(async (provider) => {
          const builtIn = builtInProviders.get(provider)!;
          return {
            provider,
            name: builtIn.name,
            credentials: credentialNamesOf(provider).map((name) =>
              credentialOf(name, builtIn.requiredVariables.includes(name), stored),
            ),
            hasCredentials: await hasServerKeys(provider, sources),
            ...addressOf(builtIn, findVariable),
            addressVariable: provider === "AWS" ? "AWS_REGION" : builtIn.addressVariable,
          };
        }),
      );
    },
  };
}

function addressOf(
  { provider, addressVariable, defaultAddress }: BuiltInProvider,
  findVariable: IdentitySources["findVariable"],
): Pick<BuiltInProviderStatus, "address" | "addressProblem"> {
  try {
    if (provider === "AWS") {
      return { address: bedrockBaseUrl(findVariable("AWS_REGION")?.trim() || "us-east-1"), addressProblem: null };
    }
    const configured = addressVariable === null ? "" : (findVariable(addressVariable)?.trim() ?? "");
    const text = configured === "" ? defaultAddress : configured;
    if (text === null) return { address: null, addressProblem: null };
    const address = checkedAddress(text);
    return { address: provider === "AZURE_OPENAI" ? azureBaseUrl(address) : address, addressProblem: null };
  } catch (error) {
    return { address: null, addressProblem: messageOf(error) };
  }
}

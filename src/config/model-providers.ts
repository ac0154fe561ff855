// Which providers of models are called, at which addresses, and with which keys of the environment.
import { type ModelProvider, modelProviders } from "../model/prompt.ts";
import { providerVariables } from "../providers/built-in-providers.ts";
import type { Environment } from "./environment.ts";
import { quoted } from "./findings.ts";
import { accepted, boolean, list, type Parsed, refused, setting, type Values } from "./setting.ts";

/** A host name, an address, or `*.` before the name that all names below share. */
const HOST = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/i;

export const modelProviderSettings = {
  offered: setting<readonly ModelProvider[] | null>(
    {
      name: "SERVICE_ALLOWED_PROVIDERS",
      default: null,
      defaultText: "all",
      meaning:
        "Model providers that are offered and called by their name, in any letter case, separated by commas; `NONE` for none. Custom providers are not concerned.",
    },
    "list",
    offeredProviders,
  ),
  allowsPrivateAddresses: boolean({
    name: "SERVICE_ALLOW_PRIVATE_PROVIDERS",
    default: null,
    defaultText: "true while the service listens on loopback without authentication, else false",
    meaning:
      "Whether providers may have loopback and private addresses, such as an Ollama beside the service. Link-local addresses and those where clouds answer about the machine are never called ([model-providers.md](model-providers.md)).",
  }),
  allowsMetadata: boolean({
    name: "SERVICE_ALLOW_METADATA_CREDENTIALS",
    default: false,
    meaning:
      "Whether AWS Bedrock and Azure OpenAI may be called with the role of the machine or container: its credentials are asked for at link-local and loopback addresses, which no provider can have ([model-providers.md](model-providers.md#the-identity-of-the-server)).",
  }),
  allowedHosts: list({
    name: "SERVICE_ALLOWED_PROVIDER_HOSTS",
    default: [],
    defaultText: "all",
    meaning:
      "Host names that alone are called for models, separated by commas; `*.example.org` for all names below it. Azure by an application also needs `login.microsoftonline.com`, AWS by a web identity `sts.<region>.amazonaws.com`.",
    check: (host) =>
      HOST.test(host) || IPV6.test(host)
        ? null
        : `SERVICE_ALLOWED_PROVIDER_HOSTS must hold host names without scheme and port, such as api.openai.com or *.example.org. Got: ${quoted(host)}`,
  }),
} as const;

function offeredProviders(value: string): Parsed<readonly ModelProvider[] | null> {
  const names = value
    .split(",")
    .map((name) => name.trim().toUpperCase())
    .filter((name) => name !== "");
  if (names.length === 0) return accepted(null);
  if (names.length === 1 && names[0] === "NONE") return accepted([]);
  const unknown = names.filter((name) => !modelProviders.some((known) => known === name)).sort();
  if (unknown.length === 0) return accepted(modelProviders.filter((known) => names.includes(known)));
  const known = modelProviders.toSorted().join(", ");
  return refused(
    `SERVICE_ALLOWED_PROVIDERS contains unrecognized provider names: ${quoted(unknown.join(", "))}. Valid names are: ${known}`,
  );
}

export interface ModelProvidersConfig
  extends Omit<Values<typeof modelProviderSettings>, "allowsPrivateAddresses" | "allowedHosts"> {
  readonly allowsPrivateAddresses: boolean;
  /** Null for all. */
  readonly allowedHosts: readonly string[] | null;
  /** Keys and addresses of providers that the environment has, by the names of `providerVariables`. Secrets. */
  readonly variables: ReadonlyMap<string, string>;
}

/** `isOpenToItself`: only programs of the same machine reach the service, and authentication is off. */
export function readModelProviders(environment: Environment, isOpenToItself: boolean): ModelProvidersConfig {
  const { allowsPrivateAddresses, allowedHosts, ...values } = environment.readAll(modelProviderSettings);
  const present = providerVariables.flatMap((name) => {
    const value = environment.variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...values,
    allowsPrivateAddresses: allowsPrivateAddresses ?? isOpenToItself,
    allowedHosts: allowedHosts.length === 0 ? null : allowedHosts,
    variables: new Map(present),
  };
}

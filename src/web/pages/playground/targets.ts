// Who can be called: built-in providers and custom ones, those that are ready first.
import type { ModelProvider } from "../../../model/prompt.ts";
import { nodesOf } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import type { ProvidersAnswer } from "./playground.queries.ts";

export interface Target {
  /** Of the choice. */
  readonly value: string;
  readonly label: string;
  /** Of a custom one, whose words it speaks. */
  readonly provider: ModelProvider;
  readonly customProviderId: string | null;
  /** It has a key, or needs none. */
  readonly isReady: boolean;
  /** It is called at an address that someone has to name. */
  readonly needsAddress: boolean;
  /** Any other name may be called. */
  readonly models: readonly string[];
}

const sdkProviders: Readonly<Record<string, ModelProvider>> = {
  OPENAI: "OPENAI",
  AZURE_OPENAI: "AZURE_OPENAI",
  ANTHROPIC: "ANTHROPIC",
  GOOGLE_GENAI: "GOOGLE",
  AWS_BEDROCK: "AWS",
};

export function targetsOf({ modelProviders, generativeModelCustomProviders, playgroundModels }: ProvidersAnswer) {
  const custom = nodesOf(generativeModelCustomProviders.edges).map(
    ({ id, name, sdk, modelNames }): Target => ({
      value: targetValue("OPENAI", id),
      label: text("playground.provider.custom", { name }),
      provider: sdkProviders[sdk] ?? "OPENAI",
      customProviderId: id,
      isReady: true,
      needsAddress: false,
      models: modelNames,
    }),
  );
  const builtIn = modelProviders.map(({ key, name, credentialsSet, baseUrl }): Target => {
    const needsAddress = key === "OLLAMA" && baseUrl === null;
    const isReady = credentialsSet && !needsAddress;
    return {
      value: targetValue(key, null),
      label: isReady || key === "OLLAMA" ? name : text("playground.provider.unset", { name }),
      provider: key,
      customProviderId: null,
      isReady,
      needsAddress,
      models: playgroundModels.filter(({ providerKey }) => providerKey === key).map((model) => model.name),
    };
  });
  const all = [...custom, ...builtIn];
  return [...all.filter(({ isReady }) => isReady), ...all.filter(({ isReady }) => !isReady)];
}

export function targetValue(provider: ModelProvider, customProviderId: string | null): string {
  return customProviderId ?? provider;
}

/** What a new variant calls; null while nothing is ready. */
export function firstTarget(targets: readonly Target[]): Target | null {
  const known = (target: Target) => target.models.length > 0;
  const ready = targets.filter(({ isReady }) => isReady);
  return ready.find(known) ?? ready[0] ?? null;
}

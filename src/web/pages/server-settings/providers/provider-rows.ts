// Custom and built-in providers as rows of one list, and the words that are shown of them.
import { text } from "../../../texts/texts.ts";
import type { BuiltInProvider, CustomProvider } from "./providers.queries.ts";
import { endOfMask, type ShownConfig, shownConfigOf } from "./shown-config.ts";

export type ProviderRow =
  | {
      readonly kind: "custom";
      readonly id: string;
      readonly name: string;
      readonly custom: CustomProvider;
      readonly config: ShownConfig | null;
    }
  | { readonly kind: "builtIn"; readonly id: string; readonly name: string; readonly builtIn: BuiltInProvider };

export function rowsOf(custom: readonly CustomProvider[], builtIn: readonly BuiltInProvider[]): readonly ProviderRow[] {
  return [
    ...custom.map((provider) => ({
      kind: "custom" as const,
      id: provider.id,
      name: provider.name,
      custom: provider,
      config: shownConfigOf(provider),
    })),
    ...builtIn.map((provider) => ({
      kind: "builtIn" as const,
      id: provider.key,
      name: provider.name,
      builtIn: provider,
    })),
  ];
}

/** What a row says about its credentials. */
interface KeyState {
  readonly tone: "ok" | "error" | "neutral";
  readonly word: string;
  /** Behind the word. */
  readonly hint: string | null;
}

export function keyStateOf(row: ProviderRow): KeyState {
  return row.kind === "custom" ? customState(row.config) : builtInState(row.builtIn);
}

function customState(config: ShownConfig | null): KeyState {
  if (config === null) {
    return { tone: "error", word: text("providers.state.again"), hint: text("providers.state.again.hint") };
  }
  if (config.method === "server") return { tone: "ok", word: text("providers.state.server"), hint: null };
  const end = endOfMask(config.mask);
  return {
    tone: "ok",
    word: text(`providers.state.${config.method}`),
    hint: end === null ? null : text("providers.state.ends", { end }),
  };
}

function builtInState({ credentialRequirements, credentialsSet }: BuiltInProvider): KeyState {
  const sources = new Set(credentialRequirements.flatMap(({ source }) => source ?? []));
  if (sources.has("UNREADABLE_SECRET")) {
    return { tone: "error", word: text("providers.state.again"), hint: text("providers.state.unreadable.hint") };
  }
  if (credentialRequirements.length === 0) {
    return { tone: "neutral", word: text("providers.state.none-needed"), hint: null };
  }
  if (!credentialsSet) return { tone: "neutral", word: text("providers.state.none"), hint: null };
  const words = [...sources].map((source) => text(`providers.source.${source}`));
  return { tone: "ok", word: words.length === 0 ? text("providers.state.ready") : words.join(" · "), hint: null };
}

/** Where calls go. */
interface AddressState {
  readonly tone: "address" | "missing" | "error";
  readonly word: string;
  /** What is wrong with it; null if nothing is. */
  readonly problem: string | null;
}

/** Null where it is not shown. */
export function addressOf(row: ProviderRow): AddressState | null {
  if (row.kind === "custom") {
    if (row.config === null) return null;
    const { address, region } = row.config;
    if (address !== null) return { tone: "address", word: address, problem: null };
    return { tone: "missing", word: region ?? text("providers.address.own"), problem: null };
  }
  const { baseUrl, baseUrlProblem, baseUrlEnvVarName, key } = row.builtIn;
  if (baseUrl !== null) return { tone: "address", word: baseUrl, problem: null };
  const variable = baseUrlEnvVarName ?? "";
  if (baseUrlProblem !== null) {
    return { tone: "error", word: text("providers.address.unusable", { variable }), problem: baseUrlProblem };
  }
  const mustBeSet = key === "OLLAMA" || key === "AZURE_OPENAI";
  if (!mustBeSet) return null;
  return { tone: "missing", word: text("providers.address.set", { variable }), problem: null };
}

/** What it speaks. */
export function interfaceOf(row: ProviderRow): string {
  if (row.kind === "builtIn") return text("providers.built-in");
  const { sdk } = row.custom;
  const apiType = row.config?.apiType ?? null;
  const kind = text(`providers.sdk.${sdk}`);
  return apiType === null ? kind : `${kind} · ${text(`providers.api.${apiType}`)}`;
}

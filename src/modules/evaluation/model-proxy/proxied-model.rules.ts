// Names of models as callers of the proxy write them.
import { findGlobalId, globalId } from "../../../kernel/ids.ts";
import { type ModelProvider, modelProviders } from "../../../model/prompt.ts";
import { CUSTOM_PROVIDER } from "../model-providers/custom/custom-providers.schema.ts";
import { unknownModel, unknownModelProvider } from "./model-proxy.errors.ts";

/** Exactly one of the providers is not null. */
export interface NamedProvider {
  readonly provider: ModelProvider | null;
  /** Row id. */
  readonly customProviderId: number | null;
}

interface ProxiedModel extends NamedProvider {
  /** Name at the provider. */
  readonly name: string;
}

const CUSTOM = "custom";
const byWord = new Map<string, ModelProvider>(modelProviders.map((provider) => [provider.toLowerCase(), provider]));

/** `<provider>:<name>` or `custom:<id>:<name>`; names may contain colons. Throws kind `not_found` for anything else. */
export function proxiedModel(text: string): ProxiedModel {
  const [provider, name] = splitOnce(text);
  if (provider === "" || name === "") throw unknownModel(text);
  if (provider.toLowerCase() !== CUSTOM) return { ...namedProvider(provider, text), name };
  const [id, customName] = splitOnce(name);
  if (customName === "") throw unknownModel(text);
  return { ...namedProvider(`${CUSTOM}:${id}`, text), name: customName };
}

/** `<provider>` or `custom:<id>`, as in the model `text`. Throws kind `not_found` for anything else. */
export function namedProvider(provider: string, text: string): NamedProvider {
  const [word, id] = splitOnce(provider);
  if (word.toLowerCase() === CUSTOM) {
    const found = findGlobalId(id);
    if (found?.type !== CUSTOM_PROVIDER) throw unknownModel(text);
    return { provider: null, customProviderId: found.rowId };
  }
  const builtIn = byWord.get(provider.toLowerCase());
  if (builtIn === undefined) throw unknownModelProvider(provider, text);
  return { provider: builtIn, customProviderId: null };
}

export function proxiedName({ provider, customProviderId }: NamedProvider, name: string): string {
  return provider === null
    ? `${CUSTOM}:${globalId(CUSTOM_PROVIDER, customProviderId!)}:${name}`
    : `${provider.toLowerCase()}:${name}`;
}

/** Without a colon the second part is empty. */
function splitOnce(text: string): [string, string] {
  const place = text.indexOf(":");
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
}

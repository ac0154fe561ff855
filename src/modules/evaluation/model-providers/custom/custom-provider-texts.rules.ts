// What the texts of a custom provider must look like.
import { textRefused } from "./custom-providers.errors.ts";
import {
  type CustomProvider,
  type CustomProviderChanges,
  type CustomProviderTexts,
  MAX_DESCRIPTION_BYTES,
  MAX_NAME_BYTES,
} from "./custom-providers.schema.ts";

/** Throws kind `invalid` that names the member. */
export function requireTexts({ name, description, provider }: CustomProviderTexts): CustomProviderTexts {
  return {
    name: requireText("name", name),
    description: requireDescription(description),
    provider: requireText("provider", provider),
  };
}

/** The texts of the provider with the changes in them. Throws as `requireTexts`. */
export function changedTexts(before: CustomProvider, changes: CustomProviderChanges): CustomProviderTexts {
  const { name, description, provider } = changes;
  return requireTexts({
    name: name?.trim() || before.name,
    description: description === undefined ? before.description : description,
    provider: provider?.trim() || before.provider,
  });
}

function requireText(member: string, value: string): string {
  const text = value.trim();
  if (text === "") throw textRefused(member, "must be provided");
  return requireBytes(member, text, MAX_NAME_BYTES);
}

function requireDescription(description: string | null): string | null {
  const text = description?.trim() ?? "";
  return text === "" ? null : requireBytes("description", text, MAX_DESCRIPTION_BYTES);
}

function requireBytes(member: string, text: string, most: number): string {
  if (Buffer.byteLength(text) > most) throw textRefused(member, `must have at most ${most} bytes`);
  return text;
}

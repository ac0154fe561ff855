// Why the endpoint of a call cannot be told.
import { fail } from "../../../kernel/failure.ts";

export const secretUnreadable = (name: string) =>
  fail(
    "model_providers.secret_unreadable",
    "invalid",
    `Failed to decrypt secret: ${name}. It was stored with another SERVICE_SECRET: store it again.`,
  );

export const noProvider = () =>
  fail("model_providers.no_provider", "invalid", "Name a model provider or a custom provider");

export const customProviderNotFound = (id: number) =>
  fail("model_providers.not_found", "not_found", `Custom provider with ID ${id} not found`);

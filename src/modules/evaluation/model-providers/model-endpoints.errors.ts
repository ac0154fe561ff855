// Why the endpoint of a call cannot be resolved or asked.
import { fail } from "../../../kernel/failure.ts";

export const secretUnreadable = (name: string) =>
  fail(
    "model_providers.secret_unreadable",
    "invalid",
    `Failed to decrypt secret: ${name}. It was stored with another SERVICE_SECRET: store it again.`,
  );

export const noProvider = () =>
  fail("model_providers.no_provider", "invalid", "Name a model provider or a custom provider");

export const tooManyChecks = (retryAfterSeconds: number) =>
  fail(
    "model_providers.too_many_checks",
    "rate_limited",
    `Too many requests to providers: try again in ${Math.ceil(retryAfterSeconds)} seconds`,
    { retryAfterSeconds },
  );

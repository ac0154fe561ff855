// Secrets of a call never leave it: providers repeat keys in errors, and models repeat what they read.
import type { ModelEndpoint } from "./model-call.ts";

const REDACTED = "[REDACTED]";
/** Shorter values are parts of ordinary words. */
const LEAST_SECRET_LENGTH = 8;

export interface Redactor {
  /** The text without secrets. */
  text(value: string): string;
  /** For a text that arrives in pieces. */
  stream(): StreamRedactor;
}

interface StreamRedactor {
  /** What is safe to pass on. The beginning of what may become a secret is held back. */
  push(piece: string): string;
  /** What was held back, when nothing more comes. */
  end(): string;
  /** Whether a secret was found. */
  readonly found: boolean;
}

/** Everything of the endpoint that must not be seen: keys, tokens, and values of its headers. */
export function secretsOf({ credentials, headers }: ModelEndpoint): string[] {
  const values = Object.values(headers);
  switch (credentials.type) {
    case "none":
      return values;
    case "api_key":
      return [...values, credentials.apiKey];
    case "access_keys":
      return [...values, credentials.accessKeyId, credentials.secretAccessKey, credentials.sessionToken ?? ""];
    case "azure_ad":
      return [...values, credentials.clientSecret];
  }
}

/** Redacts the values, also as they are written in URLs and in JSON texts. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const long = secrets.filter((secret) => secret.length >= LEAST_SECRET_LENGTH);
  const forms = new Set(
    long.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]),
  );
  // A secret that contains another one goes first.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  const text = (value: string) => sorted.reduce((rest, form) => rest.replaceAll(form, REDACTED), value);
  return { text, stream: () => streamRedactor(sorted, text) };
}

function streamRedactor(forms: readonly string[], redact: (value: string) => string): StreamRedactor {
  let held = "";
  let found = false;
  return {
    get found() {
      return found;
    },
    push(piece) {
      const whole = held + piece;
      const safe = redact(whole);
      if (safe !== whole) found = true;
      const heldLength = beginningAtEnd(safe, forms);
      held = safe.slice(safe.length - heldLength);
      return safe.slice(0, safe.length - heldLength);
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** The length of the longest end of the text that one of the forms begins with. */
function beginningAtEnd(text: string, forms: readonly string[]): number {
  let longest = 0;
  for (const form of forms) {
    const from = Math.max(0, text.length - form.length + 1);
    for (
      let at = text.indexOf(form[0]!, from);
      at >= 0 && text.length - at > longest;
      at = text.indexOf(form[0]!, at + 1)
    ) {
      if (form.startsWith(text.slice(at))) longest = text.length - at;
    }
  }
  return longest;
}

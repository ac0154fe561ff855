// Removes the secrets of a call from texts: providers echo keys in errors, and models repeat their input.
import type { ModelEndpoint } from "./model-call.ts";

const REDACTED = "[REDACTED]";
/** Shorter values would match ordinary text. */
const LEAST_SECRET_LENGTH = 8;

export interface Redactor {
  /** The text without secrets. */
  text(value: string): string;
  /** For text that arrives in pieces. */
  stream(): StreamRedactor;
}

interface StreamRedactor {
  /** The text that can be passed on. A suffix that may be the start of a secret is held back. */
  push(piece: string): string;
  /** The held back text, at the end. */
  end(): string;
  /** Whether a secret was found. */
  readonly found: boolean;
}

/** The secrets of an endpoint: keys, tokens, and values of its headers. */
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
    case "azure_managed":
      return [...values, credentials.endpoint?.header ?? ""];
    case "aws_identity":
      return credentials.source === "container" ? [...values, credentials.token ?? ""] : values;
    case "azure_federated":
      return values;
  }
}

/** Redacts the values, also in their URL-encoded and JSON-escaped forms. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const long = secrets.filter((secret) => secret.length >= LEAST_SECRET_LENGTH);
  const forms = new Set(
    long.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), ...jsonForms(secret)]),
  );
  // Longest first: a secret may contain another one.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  const text = (value: string) => sorted.reduce((rest, form) => rest.replaceAll(form, REDACTED), value);
  return { text, stream: () => streamRedactor(sorted, text) };
}

const redactors = new WeakMap<ModelEndpoint, Redactor>();

/** Redacts the secrets of an endpoint. */
export function redactorOf(endpoint: ModelEndpoint): Redactor {
  let redactor = redactors.get(endpoint);
  if (redactor === undefined) {
    redactor = createRedactor(secretsOf(endpoint));
    redactors.set(endpoint, redactor);
  }
  return redactor;
}

/** Some servers escape slashes too. */
function jsonForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [escaped, escaped.replaceAll("/", "\\/")];
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

/** Length of the longest suffix of the text that is a prefix of one of the forms. */
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

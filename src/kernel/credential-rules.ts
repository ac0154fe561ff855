// What a password or secret must look like, and how a refusal is worded; programs know the texts. One engine for passwords and
// for the secrets among the settings, which check their text before anything else runs.

export interface CredentialRules {
  readonly minimumLength: number;
  /** In the order of the message. */
  readonly classes: readonly CharacterClass[];
}

export type CharacterClass = "digit" | "lower" | "upper" | "special";

const classes: Readonly<Record<CharacterClass, { readonly pattern: RegExp; readonly fragment: string }>> = {
  digit: { pattern: /[0-9]/, fragment: "at least one digit" },
  lower: { pattern: /[a-z]/, fragment: "at least one lowercase letter" },
  upper: { pattern: /[A-Z]/, fragment: "at least one uppercase letter" },
  special: { pattern: /[!@#$%^&*()_+]/, fragment: "at least one special character" },
};

/** Longer texts are refused before anything is computed from them. */
const MAX_CREDENTIAL_CHARACTERS = 1024;

/** What is wrong with the text, as a sentence about `subject` that never repeats the text; null when nothing is. */
export function credentialProblem(subject: string, text: string, rules: CredentialRules): string | null {
  if (text === "") return `${subject} must be non-empty`;
  if (/\s/.test(text)) return `${subject} must not contain whitespace characters`;
  if (!/^[\u0000-\u007f]*$/.test(text)) return `${subject} must contain only ASCII characters`;
  if (text.length > MAX_CREDENTIAL_CHARACTERS) {
    return `${subject} must be at most ${MAX_CREDENTIAL_CHARACTERS} characters long`;
  }
  const fragments = [
    ...(text.length < rules.minimumLength ? [`must be at least ${rules.minimumLength} characters long`] : []),
    ...rules.classes.filter((name) => !classes[name].pattern.test(text)).map((name) => classes[name].fragment),
  ];
  const last = fragments.pop();
  if (last === undefined) return null;
  return `${subject} ${fragments.length === 0 ? last : `${fragments.join(", ")}, and ${last}`}`;
}

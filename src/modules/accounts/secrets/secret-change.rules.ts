// What a change of secrets must look like, and which of its entries count.

/** Like the name of an environment variable. */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Bytes of a name; it is the key of an index. */
const LONGEST_NAME = 255;

/** Begins and ends the mask of a value. A private character: no value of a provider has it. */
const FRAME = "\uE000";
/** Shorter values would be given away by their end. */
const SHORTEST_WITH_PREVIEW = 32;
const PREVIEW_CHARACTERS = 4;

interface Change {
  readonly key: string;
  readonly value: string | null;
}

/** What is wrong with an entry, or null. The text never repeats the value. */
export function changeProblem({ key, value }: Change): string | null {
  const name = key.trim();
  if (name === "") return "Key cannot be empty";
  if (!SECRET_NAME.test(name)) {
    return "Key must start with a letter or underscore and contain only letters, digits, and underscores";
  }
  if (name.length > LONGEST_NAME) return `Key must have at most ${LONGEST_NAME} characters`;
  if (value === null) return null;
  if (value.trim() === "") return "Value cannot be empty";
  if (isMask(value)) return "Value is a mask, as answers show it, and not a secret";
  return null;
}

/** Whether the text is, or contains, what answers show in place of a secret. */
export function isMask(text: string): boolean {
  return text.includes(FRAME);
}

/** The entries that count, trimmed, from last to first: of those with the same key the last one. */
export function effectiveChanges(changes: readonly Change[]): Change[] {
  const byName = new Map<string, Change>();
  for (const { key, value } of changes.toReversed()) {
    const name = key.trim();
    if (!byName.has(name)) byName.set(name, { key: name, value: value?.trim() ?? null });
  }
  return [...byName.values()];
}

/** The mask of a value in answers to administrators: of long values the last four characters, never more. The value cannot be
 *  recovered from it. */
export function maskOf(value: string): string {
  const characters = [...value];
  const preview = characters.length < SHORTEST_WITH_PREVIEW ? "" : characters.slice(-PREVIEW_CHARACTERS).join("");
  return `${FRAME}REDACTED${FRAME}${preview}${FRAME}`;
}

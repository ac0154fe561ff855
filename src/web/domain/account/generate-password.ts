// A password to hand to a person: no character looks like another, and every policy accepts it.
const KINDS = ["ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghijkmnopqrstuvwxyz", "23456789", "!@#$%&*+"] as const;
const CHARACTERS = 16;

/** At random by the browser's generator for keys; 16 characters, at least one of each kind. */
export function generatePassword(): string {
  const letters = KINDS.slice(0, 3).join("");
  const chosen = KINDS.map(anyOf);
  while (chosen.length < CHARACTERS) chosen.push(anyOf(letters));
  for (let at = chosen.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [chosen[at], chosen[other]] = [chosen[other] ?? "", chosen[at] ?? ""];
  }
  return chosen.join("");
}

function anyOf(characters: string): string {
  return characters[below(characters.length)] ?? "";
}

/** Equally likely numbers from 0 to `limit - 1`. */
function below(limit: number): number {
  const largest = 256 - (256 % limit);
  for (;;) {
    const [value = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (value < largest) return value % limit;
  }
}

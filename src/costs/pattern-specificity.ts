// How much a pattern says about a name: of two that match, the one that says more gives the price.

const BOTH_ANCHORS = 10_000;
const ONE_ANCHOR = 5_000;
const A_CHARACTER_OF_LENGTH = 2;

/** Points of a character outside of the elements below. */
const A_CHARACTER = 1000;
type Form = readonly [RegExp, number];
/** Elements by the character they begin with, first match first, with their points. */
const elements: ReadonlyMap<string, readonly Form[]> = new Map<string, readonly Form[]>([
  [
    "\\",
    [
      [/\\[dws]/y, 400],
      [/\\[DWS]/y, 250],
      [/\\[\s\S]/y, 950],
    ],
  ],
  [
    "[",
    [
      [/\[\^(?:\\[\s\S]|\]|)(?:\\[\s\S]|[^\]\\])*\]/y, 300],
      [/\[(?:\\[\s\S]|\]|)(?:\\[\s\S]|[^\]\\])*\]/y, 500],
    ],
  ],
  [
    "{",
    [
      [/\{\d+\}/y, -50],
      [/\{\d+,\d*\}/y, -100],
    ],
  ],
  [".", [[/\./y, -200]]],
  ["?", [[/\?/y, -100]]],
  ["+", [[/\+/y, -150]]],
  ["*", [[/\*/y, -150]]],
  ["|", [[/\|/y, -300]]],
  ...[..."()^$"].map((sign): [string, readonly Form[]] => [sign, [[/[\s\S]/y, 0]]]),
]);
const LEADING_FLAGS = /^(?:\(\?[a-zA-Z]+\))+/;

export function specificityOf(pattern: string): number {
  const plain = pattern.replace(LEADING_FLAGS, "");
  const anchors = Number(plain.startsWith("^")) + Number(plain.endsWith("$") && !plain.endsWith("\\$"));
  let points = [0, ONE_ANCHOR, BOTH_ANCHORS][anchors]!;
  let position = 0;
  while (position < plain.length) {
    const [length, worth] = elementAt(plain, position);
    points += worth;
    position += length;
  }
  return Math.max(1, points + A_CHARACTER_OF_LENGTH * [...pattern].length);
}

/** Its length and its points. */
function elementAt(plain: string, position: number): readonly [number, number] {
  for (const [form, worth] of elements.get(plain[position]!) ?? []) {
    form.lastIndex = position;
    if (form.test(plain)) return [form.lastIndex - position, worth];
  }
  return [1, A_CHARACTER];
}

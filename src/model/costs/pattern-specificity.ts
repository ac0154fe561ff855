// How much a pattern says about a name: of two that match, the one that says more gives the price.

const BOTH_ANCHORS = 10_000;
const ONE_ANCHOR = 5_000;
const A_CHARACTER_OF_LENGTH = 2;

/** Elements, first match first, with their points. */
const elements: readonly (readonly [RegExp, number])[] = [
  [/\\[dws]/y, 400],
  [/\\[DWS]/y, 250],
  [/\\[\s\S]/y, 950],
  [/\[\^(?:\\[\s\S]|\]|)(?:\\[\s\S]|[^\]\\])*\]/y, 300],
  [/\[(?:\\[\s\S]|\]|)(?:\\[\s\S]|[^\]\\])*\]/y, 500],
  [/\{\d+\}/y, -50],
  [/\{\d+,\d*\}/y, -100],
  [/\./y, -200],
  [/\?/y, -100],
  [/[+*]/y, -150],
  [/\|/y, -300],
  [/[()^$]/y, 0],
  [/[\s\S]/y, 1000],
];
const LEADING_FLAGS = /^(?:\(\?[a-zA-Z]+\))+/;

export function specificityOf(pattern: string): number {
  const plain = pattern.replace(LEADING_FLAGS, "");
  const anchors = Number(plain.startsWith("^")) + Number(plain.endsWith("$") && !plain.endsWith("\\$"));
  let points = [0, ONE_ANCHOR, BOTH_ANCHORS][anchors]!;
  let position = 0;
  while (position < plain.length) {
    for (const [form, worth] of elements) {
      form.lastIndex = position;
      const found = form.exec(plain);
      if (found === null) continue;
      points += worth;
      position += found[0].length;
      break;
    }
  }
  return Math.max(1, points + A_CHARACTER_OF_LENGTH * [...pattern].length);
}

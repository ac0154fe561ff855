// Edges as paths of SVG, each with its arrow head and the place of its label.

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Drawn {
  readonly path: string;
  /** A triangle; its tip is at the card. */
  readonly head: string;
  readonly labelX: number;
  readonly labelY: number;
}

const HEAD = { length: 7, half: 3.5 };
const ROUND = 8;
/** How far an edge that leads back stands off the cards; those beside each other differ. */
const OFF = { least: 12, step: 6, count: 5 };
const OWN = { off: 10, below: 14 };
/** Where edges that lead back leave and reach a card: a part of its height. */
const LOW = 0.76;
/** The same of one that leads to the card that it leaves. */
const LOWEST = 0.9;

/** `right`: the end of its column. Straight through the columns between, a curve from each to the next. */
export function forwardPath(
  from: Box,
  right: number,
  between: readonly { readonly x: number; readonly width: number; readonly y: number }[],
  to: Box,
  stroke: number,
): Drawn {
  const startY = from.y + from.height / 2;
  let path = `M${point(from.x + from.width, startY)}H${number(right)}`;
  let [x, y] = [right, startY];
  for (const each of between) {
    path += curve(x, y, each.x, each.y) + `H${number(each.x + each.width)}`;
    [x, y] = [each.x + each.width, each.y];
  }
  const endY = to.y + to.height / 2;
  const head = headAt(to.x, endY, stroke);
  return { path: path + curve(x, y, head.x, endY), head: head.path, labelX: (x + head.x) / 2, labelY: (y + endY) / 2 };
}

/** Out to the right of the column, down to its lane, back, and up to the card it leads to. */
export function backPath(
  from: Box,
  to: Box,
  { right, laneY, lane }: { readonly right: number; readonly laneY: number; readonly lane: number },
): Drawn {
  const off = OFF.least + OFF.step * (lane % OFF.count);
  const [startX, startY] = [from.x + from.width, from.y + from.height * LOW];
  const endY = to.y + to.height * LOW;
  const head = headAt(to.x, endY, 1);
  const corners: readonly (readonly [number, number])[] = [
    [startX, startY],
    [right + off, startY],
    [right + off, laneY],
    [to.x - off, laneY],
    [to.x - off, endY],
    [head.x, endY],
  ];
  return { path: rounded(corners), head: head.path, labelX: (right + to.x) / 2, labelY: laneY };
}

/** From a card to itself, right below it. */
export function ownPath(card: Box): Drawn {
  const [right, y] = [card.x + card.width, card.y + card.height * LOWEST];
  const below = card.y + card.height + OWN.below;
  const head = headAt(card.x, y, 1);
  const corners: readonly (readonly [number, number])[] = [
    [right, y],
    [right + OWN.off, y],
    [right + OWN.off, below],
    [card.x - OWN.off - HEAD.length, below],
    [card.x - OWN.off - HEAD.length, y],
    [head.x, y],
  ];
  return { path: rounded(corners), head: head.path, labelX: card.x + card.width / 2, labelY: below };
}

function headAt(x: number, y: number, stroke: number): { readonly x: number; readonly path: string } {
  const half = HEAD.half + stroke / 2;
  const length = HEAD.length + stroke / 2;
  const path = `M${point(x, y)}L${point(x - length, y - half)}V${number(y + half)}Z`;
  return { x: x - length, path };
}

function curve(fromX: number, fromY: number, toX: number, toY: number): string {
  const middle = (fromX + toX) / 2;
  return `C${point(middle, fromY)} ${point(middle, toY)} ${point(toX, toY)}`;
}

/** Straight pieces, with round corners where there is space for them. */
function rounded(corners: readonly (readonly [number, number])[]): string {
  const [first] = corners;
  let path = `M${point(...first!)}`;
  for (let at = 1; at < corners.length - 1; at++) {
    const [before, corner, behind] = [corners[at - 1]!, corners[at]!, corners[at + 1]!];
    const round = Math.min(ROUND, distance(before, corner) / 2, distance(corner, behind) / 2);
    path += `L${point(...towards(corner, before, round))}Q${point(...corner)} ${point(...towards(corner, behind, round))}`;
  }
  return `${path}L${point(...corners.at(-1)!)}`;
}

function distance(one: readonly [number, number], other: readonly [number, number]): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

function towards(
  from: readonly [number, number],
  to: readonly [number, number],
  length: number,
): readonly [number, number] {
  const whole = distance(from, to);
  const share = whole === 0 ? 0 : length / whole;
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

function point(x: number, y: number): string {
  return `${number(x)} ${number(y)}`;
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}

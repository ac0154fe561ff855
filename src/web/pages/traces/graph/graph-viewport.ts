// Which part of a picture is seen, and how large.

export interface Viewport {
  /** Where the left upper corner of the picture stands, in pixels of the view. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const SCALE = { least: 0.1, most: 2 };
/** Around a picture that fits. */
const MARGIN = 16;

/** The whole in the middle, never larger than it is; where it would be smaller than `least`, from its left upper corner on. */
export function fit(picture: Size, view: Size, least: number): Viewport {
  const whole = Math.min(
    1,
    (view.width - 2 * MARGIN) / Math.max(1, picture.width),
    (view.height - 2 * MARGIN) / Math.max(1, picture.height),
  );
  const scale = bounded(Math.max(whole, least));
  const place = (length: number, seen: number) => Math.max(MARGIN, (seen - length * scale) / 2);
  return { x: place(picture.width, view.width), y: place(picture.height, view.height), scale };
}

/** The point (in pixels of the view) stays where it is. */
export function zoomAt({ x, y, scale }: Viewport, factor: number, atX: number, atY: number): Viewport {
  const next = bounded(scale * factor);
  const by = next / scale;
  return { x: atX - (atX - x) * by, y: atY - (atY - y) * by, scale: next };
}

/** Moved as little as needed, so that the frame is seen; its left upper corner where it is too large. */
export function showing(
  { x, y, scale }: Viewport,
  frame: Size & { readonly x: number; readonly y: number },
  view: Size,
): Viewport {
  const place = (offset: number, begin: number, length: number, seen: number) => {
    const [from, to] = [offset + begin * scale, offset + (begin + length) * scale];
    if (from < MARGIN || to - from > seen - 2 * MARGIN) return offset + MARGIN - from;
    return to > seen - MARGIN ? offset + seen - MARGIN - to : offset;
  };
  return {
    x: place(x, frame.x, frame.width, view.width),
    y: place(y, frame.y, frame.height, view.height),
    scale,
  };
}

function bounded(scale: number): number {
  return Math.max(SCALE.least, Math.min(SCALE.most, scale));
}

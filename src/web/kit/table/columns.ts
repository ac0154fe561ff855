// Columns of a table, and the layout that a browser remembers: which are shown, in which order, how wide.
import { type ReactNode, useMemo } from "react";
import { createPreference, type Preference, usePreference } from "../../lib/preferences.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** Pixels, also the least when it grows. */
  readonly width: number;
  /** Takes a share of the space that is left. */
  readonly grow?: number;
  /** Numbers and times stand at the end. */
  readonly align?: "start" | "end";
  readonly sortable?: boolean;
  /** Not shown until the reader chooses it. */
  readonly hidden?: boolean;
  /** The first column of most tables: always shown, always first. */
  readonly pinned?: boolean;
  /** Its place in the two lines of a row on a phone; without one it is left out there. */
  readonly narrow?: "title" | "aside" | "line";
}

interface Layout {
  readonly order: readonly string[];
  /** True or false where the reader chose. */
  readonly shown: Readonly<Record<string, boolean>>;
  readonly widths: Readonly<Record<string, number>>;
  /** Keys of columns that the reader added. */
  readonly added: readonly string[];
}

/** 26 px rows instead of 32, in every table. */
export const densePreference = createPreference("table.dense", false);

const fresh: Layout = { order: [], shown: {}, widths: {}, added: [] };
const preferences = new Map<string, Preference<Layout>>();

function preferenceOf(table: string): Preference<Layout> {
  let preference = preferences.get(table);
  if (preference === undefined) {
    preference = createPreference<Layout>(`columns.${table}`, fresh);
    preferences.set(table, preference);
  }
  return preference;
}

export interface ArrangedColumns<Row> {
  readonly visible: readonly Column<Row>[];
  /** All, in order, for the menu. */
  readonly all: readonly (Column<Row> & { readonly visible: boolean })[];
  /** A value of `grid-template-columns`, and the least width of a row in pixels. */
  readonly template: string;
  readonly leastWidth: number;
  widthOf(key: string): number | null;
  show(key: string, shown: boolean): void;
  /** By places, negative to the left. */
  move(key: string, by: number): void;
  resize(key: string, pixels: number): void;
  reset(): void;
}

const LEAST_WIDTH = 48;
const NOTHING: readonly string[] = [];
const NONE: ReadonlyMap<string, number> = new Map();

/** Columns that the reader added to a table. Unchecking one in the menu of columns takes it away. */
export function useAddedColumns(table: string): readonly [readonly string[], (key: string) => void] {
  const [layout, setLayout] = usePreference(preferenceOf(table));
  const added = layout.added ?? NOTHING;
  return [added, (key) => !added.includes(key) && setLayout({ ...layout, added: [...added, key] })];
}

/** The share of their width that texts keep where the window is too narrow for all columns, so that figures stay in sight. */
const LEAST_TEXT = 0.5;

/** `fitting` are least widths by the key of a column, whatever the reader chose; `available` is the width of the window in pixels, where it is
 *  known. */
export function useArrangedColumns<Row>(
  table: string,
  columns: readonly Column<Row>[],
  fitting: ReadonlyMap<string, number> = NONE,
  available = Number.POSITIVE_INFINITY,
): ArrangedColumns<Row> {
  const preference = preferenceOf(table);
  const [layout, setLayout] = usePreference(preference);
  return useMemo(() => {
    const ordered = orderedColumns(columns, layout.order ?? []);
    const isVisible = (column: Column<Row>) => column.pinned === true || (layout.shown?.[column.key] ?? !column.hidden);
    const visible = ordered.filter(isVisible);
    const widthOf = (key: string) => layout.widths?.[key] ?? null;
    const wantedOf = ({ key, width }: Column<Row>) => Math.max(widthOf(key) ?? width, fitting.get(key) ?? 0);
    const givesWay = ({ key, align }: Column<Row>) => align !== "end" && widthOf(key) === null;
    const sum = (some: readonly Column<Row>[]) => some.reduce((pixels, column) => pixels + wantedOf(column), 0);
    const texts = sum(visible.filter(givesWay));
    const kept = texts === 0 ? 1 : Math.min(1, Math.max(LEAST_TEXT, 1 - (sum(visible) - available) / texts));
    const pixelsOf = (column: Column<Row>) => Math.floor(wantedOf(column) * (givesWay(column) ? kept : 1));
    const tracks = visible.map((column) => {
      const pixels = pixelsOf(column);
      const fixed = column.grow === undefined || widthOf(column.key) !== null;
      return fixed ? `${pixels}px` : `minmax(${pixels}px, ${column.grow}fr)`;
    });
    return {
      visible,
      all: ordered.map((column) => ({ ...column, visible: isVisible(column) })),
      template: tracks.join(" "),
      leastWidth: visible.reduce((sum, column) => sum + pixelsOf(column), 0),
      widthOf,
      show(key, shown) {
        const added = layout.added ?? NOTHING;
        if (added.includes(key)) setLayout({ ...layout, added: added.filter((each) => each !== key) });
        else setLayout({ ...layout, shown: { ...layout.shown, [key]: shown } });
      },
      move(key, by) {
        const order = ordered.map((column) => column.key);
        const from = order.indexOf(key);
        const to = from + by;
        const pinned = ordered.filter((column) => column.pinned).length;
        if (from < pinned || to < pinned || to >= order.length) return;
        order.splice(to, 0, ...order.splice(from, 1));
        setLayout({ ...layout, order });
      },
      resize: (key, pixels) =>
        setLayout({ ...layout, widths: { ...layout.widths, [key]: Math.max(LEAST_WIDTH, Math.round(pixels)) } }),
      reset: () => setLayout(fresh),
    };
  }, [columns, layout, setLayout, fitting, available]);
}

/** Pinned ones first, then those whose place is known, then what is new since. */
function orderedColumns<Row>(columns: readonly Column<Row>[], order: readonly string[]): readonly Column<Row>[] {
  const place = (column: Column<Row>, index: number) => {
    if (column.pinned) return -1;
    const known = order.indexOf(column.key);
    return known < 0 ? order.length + index : known;
  };
  return columns
    .map((column, index) => ({ column, place: place(column, index) }))
    .sort((a, b) => a.place - b.place)
    .map(({ column }) => column);
}

// What the database holds, by table and by kind. It is looked through once a minute at most, however many ask.
import type { Clock } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { type Contents, contentsOf } from "./contents.rules.ts";
import type { TableSizes, TableSizesStore } from "./table-sizes.store.ts";

const FRESH_US = 60_000_000;

export interface ContentsService {
  readTables(): Promise<TableSizes["tables"]>;
  /** The largest kind first. */
  readContents(): Promise<Contents[]>;
}

/** Each look gets a context of its own: it goes on when a caller leaves, because others wait for it, too. */
export function createContentsService(
  store: TableSizesStore,
  context: () => CallContext,
  clock: Clock,
): ContentsService {
  let last: { readonly sizes: Promise<TableSizes>; readonly atUs: number } | null = null;

  function read(): Promise<TableSizes> {
    if (last === null || clock.now() - last.atUs > FRESH_US) {
      const look = { sizes: store.readTableSizes(context()), atUs: clock.now() };
      last = look;
      look.sizes.catch(() => {
        if (last === look) last = null;
      });
    }
    return last.sizes;
  }

  return {
    readTables: async () => (await read()).tables,
    async readContents() {
      const { tables, freeBytes } = await read();
      return contentsOf(tables, freeBytes);
    },
  };
}

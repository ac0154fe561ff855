// What lies over a list can go on behind its last row: the list loads more, as it does when the reader scrolls there.
import { createContext } from "react";

interface ListEnd {
  /** Undefined where nothing follows, and while it is on its way. */
  readonly loadMore: (() => void) | undefined;
  readonly loadingMore: boolean;
}

export const ListEnd = createContext<ListEnd>({ loadMore: undefined, loadingMore: false });

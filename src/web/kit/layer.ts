// Where floating things are hung up. A modal dialog lies above everything else and makes it inert: menus and tooltips of what is
// inside it must be inside it too.
import { createContext, useContext } from "react";

export const Layer = createContext<HTMLElement | null>(null);

/** For the `container` of a portal; undefined is the body. */
export function useLayer(): { readonly container?: HTMLElement } {
  const layer = useContext(Layer);
  return layer === null ? {} : { container: layer };
}

// Which overlay of the waterfall is shown: in the address, so that a link shows the same.
import { type OverlayMode, overlayModes } from "../../../../domain/trace/overlays.ts";
import { useAddress } from "../../../../lib/address.ts";
import { OVERLAY } from "../panel-address.ts";

export interface OverlayChoice {
  readonly mode: OverlayMode | null;
  /** The one that is shown is taken away. */
  readonly toggle: (mode: OverlayMode) => void;
}

export function useOverlay(): OverlayChoice {
  const { get, set } = useAddress();
  const mode = overlayModes.find((each) => each === get(OVERLAY)) ?? null;
  return { mode, toggle: (chosen) => set({ [OVERLAY]: chosen === mode ? null : chosen }, "replace") };
}

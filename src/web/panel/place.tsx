// Where a panel stands: over a list or on the whole page, with its neighbours in the list. The same buttons and keys for whatever
// is open.
import { ChevronDown, ChevronUp, Maximize2, Minimize2, X } from "lucide-react";
import { IconButton } from "../kit/Button.tsx";
import { useShortcut } from "../kit/keys.ts";
import { type LabelKey, text } from "../texts/texts.ts";
import styles from "./place.module.css";

export interface PanelPlace {
  /** Beside the list or on the whole page; null where there is no list to go back to. */
  readonly full: boolean;
  readonly onFull: ((full: boolean) => void) | null;
  readonly onClose: (() => void) | null;
  /** The neighbours in the list underneath; null at its ends. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
  readonly hasList: boolean;
}

export interface PlaceWords {
  readonly group: LabelKey;
  readonly previous: LabelKey;
  readonly next: LabelKey;
  readonly close: LabelKey;
}

export function PlaceButtons({ place, words }: { readonly place: PanelPlace; readonly words: PlaceWords }) {
  return (
    <>
      {place.hasList && (
        <>
          <IconButton
            label={text(words.previous)}
            icon={<ChevronUp />}
            disabled={place.onPrevious === null}
            onClick={() => place.onPrevious?.()}
          />
          <IconButton
            label={text(words.next)}
            icon={<ChevronDown />}
            disabled={place.onNext === null}
            onClick={() => place.onNext?.()}
          />
        </>
      )}
      {place.onFull !== null && (
        <span className={styles.wideOnly}>
          <IconButton
            label={text(place.full ? "trace.shrink" : "trace.expand")}
            icon={place.full ? <Minimize2 /> : <Maximize2 />}
            onClick={() => place.onFull?.(!place.full)}
          />
        </span>
      )}
      {place.onClose !== null && (
        <IconButton label={text(words.close)} icon={<X />} onClick={() => place.onClose?.()} />
      )}
    </>
  );
}

export function usePlaceKeys(place: PanelPlace, { group, previous, next, close }: PlaceWords): void {
  useShortcut({ keys: "Escape", label: close, group, run: () => place.onClose?.() }, place.onClose !== null);
  useShortcut({ keys: "[", label: previous, group, run: () => place.onPrevious?.() }, place.onPrevious !== null);
  useShortcut({ keys: "]", label: next, group, run: () => place.onNext?.() }, place.onNext !== null);
}

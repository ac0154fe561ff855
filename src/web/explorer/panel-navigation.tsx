// How a panel is left, enlarged and moved to its neighbours in the list: the same buttons and keys for traces and sessions.
import { ChevronDown, ChevronUp, Maximize2, Minimize2, X } from "lucide-react";
import { IconButton } from "../kit/Button.tsx";
import { useShortcut } from "../kit/keys.ts";
import { type LabelKey, text } from "../texts/texts.ts";
import styles from "./panel-navigation.module.css";

export interface PanelNavigation {
  /** Beside the list or on the whole page; null where there is no list to go back to. */
  readonly full: boolean;
  readonly onFull: ((full: boolean) => void) | null;
  readonly onClose: (() => void) | null;
  /** The neighbours in the list underneath; null at its ends. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
  readonly hasList: boolean;
}

export interface PanelTexts {
  readonly group: LabelKey;
  readonly previous: LabelKey;
  readonly next: LabelKey;
  readonly close: LabelKey;
}

export function PanelButtons({
  navigation,
  words,
}: {
  readonly navigation: PanelNavigation;
  readonly words: PanelTexts;
}) {
  return (
    <>
      {navigation.hasList && (
        <>
          <IconButton
            label={text(words.previous)}
            icon={<ChevronUp />}
            disabled={navigation.onPrevious === null}
            onClick={() => navigation.onPrevious?.()}
          />
          <IconButton
            label={text(words.next)}
            icon={<ChevronDown />}
            disabled={navigation.onNext === null}
            onClick={() => navigation.onNext?.()}
          />
        </>
      )}
      {navigation.onFull !== null && (
        <span className={styles.wideOnly}>
          <IconButton
            label={text(navigation.full ? "trace.shrink" : "trace.expand")}
            icon={navigation.full ? <Minimize2 /> : <Maximize2 />}
            onClick={() => navigation.onFull?.(!navigation.full)}
          />
        </span>
      )}
      {navigation.onClose !== null && (
        <IconButton label={text(words.close)} icon={<X />} onClick={() => navigation.onClose?.()} />
      )}
    </>
  );
}

export function usePanelKeys(navigation: PanelNavigation, { group, previous, next, close }: PanelTexts): void {
  useShortcut({ keys: "Escape", label: close, group, run: () => navigation.onClose?.() }, navigation.onClose !== null);
  useShortcut(
    { keys: "[", label: previous, group, run: () => navigation.onPrevious?.() },
    navigation.onPrevious !== null,
  );
  useShortcut({ keys: "]", label: next, group, run: () => navigation.onNext?.() }, navigation.onNext !== null);
}

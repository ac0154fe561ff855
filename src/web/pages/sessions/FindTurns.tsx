// Words in a conversation: how many turns hold them, and the way from one to the next.
import { ChevronDown, ChevronUp, Search } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { IconButton } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./SessionPanel.module.css";
import type { Hits } from "./use-hits.ts";

interface FindTurnsProps {
  readonly field: RefObject<HTMLDivElement | null>;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly hits: Hits;
  readonly selected: number;
  readonly onSelect: (position: number) => void;
  /** Escape: back to the turn that had the keys. */
  readonly onLeave: () => void;
}

export function FindTurns({ field, words, onWords, hits, selected, onSelect, onLeave }: FindTurnsProps) {
  const { positions, running, failure } = hits;
  const at = positions.indexOf(selected);
  const go = (step: 1 | -1) => {
    // From a turn that does not match on to the next that does.
    const beyond =
      step === 1 ? positions.find((each) => each > selected) : positions.findLast((each) => each < selected);
    const next = beyond ?? (step === 1 ? positions[0] : positions.at(-1));
    if (next !== undefined) onSelect(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onWords("");
      onLeave();
    }
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  };
  const note = () => {
    if (failure !== null) return text("sessions.find.failed", { message: failure.message });
    if (running && positions.length === 0) return text("sessions.find.running");
    if (at >= 0) return text("trace.find.at", { position: at + 1, count: positions.length });
    return text("trace.find.found", { count: positions.length });
  };
  return (
    <div ref={field} className={styles.find}>
      <TextField
        label={text("sessions.find")}
        labelHidden
        type="search"
        placeholder={text("sessions.find")}
        icon={<Search />}
        value={words}
        onChange={onWords}
        onKeyDown={onKeyDown}
      />
      {words !== "" && (
        <div className={styles.hits}>
          <span role="status">{note()}</span>
          <IconButton
            small
            label={text("trace.find.previous")}
            icon={<ChevronUp />}
            disabled={positions.length === 0}
            onClick={() => go(-1)}
          />
          <IconButton
            small
            label={text("trace.find.next")}
            icon={<ChevronDown />}
            disabled={positions.length === 0}
            onClick={() => go(1)}
          />
        </div>
      )}
    </div>
  );
}

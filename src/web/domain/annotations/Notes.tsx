// The notes about a target: everybody's to read, one's own to change and to delete.
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/Button.tsx";
import { TextArea } from "../../kit/Field.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { failureOf } from "../../lib/failure.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Notes.module.css";
import type { NoteChanges } from "./use-review.ts";
import type { Annotation } from "./verdicts.ts";
import { Who } from "./Who.tsx";

interface NotesProps {
  readonly notes: readonly Annotation[];
  /** Null where nothing may be changed. */
  readonly changes: NoteChanges | null;
}

export function Notes({ notes, changes }: NotesProps) {
  return notes.map((note) => <OneNote key={note.id} note={note} changes={changes?.mayChange(note) ? changes : null} />);
}

interface OneNoteProps {
  readonly note: Annotation;
  readonly changes: NoteChanges | null;
}

function OneNote({ note, changes }: OneNoteProps) {
  const written = note.explanation ?? "";
  const [state, setState] = useState<"read" | "write" | "delete">("read");
  const [draft, setDraft] = useState(written);
  const [busy, setBusy] = useState(false);
  const run = async (work: Promise<void>) => {
    setBusy(true);
    try {
      await work;
      setState("read");
    } catch (error) {
      showToast(text("review.note.failed", { message: failureOf(error).message }), "error");
    }
    setBusy(false);
  };
  const back = () => setState("read");
  if (changes !== null && state === "write") {
    return (
      <div className={styles.form}>
        <TextArea label={text("review.note.change")} rows={3} value={draft} onChange={setDraft} />
        <div className={styles.buttons}>
          <Button look="quiet" onClick={back}>
            {text("review.note.keep")}
          </Button>
          <Button
            disabled={busy || draft.trim() === "" || draft.trim() === written}
            onClick={() => void run(changes.change(note, draft.trim()))}
          >
            {text("review.note.save")}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.note}>
      <Who annotation={note} />
      <p dir="auto">{written}</p>
      {changes !== null && state === "read" && (
        <span className={styles.actions}>
          <IconButton
            small
            label={text("review.note.change")}
            icon={<Pencil />}
            onClick={() => {
              setDraft(written);
              setState("write");
            }}
          />
          <IconButton small label={text("review.note.delete")} icon={<Trash2 />} onClick={() => setState("delete")} />
        </span>
      )}
      {changes !== null && state === "delete" && (
        <div className={styles.buttons}>
          <Button look="quiet" onClick={back}>
            {text("review.note.keep")}
          </Button>
          <Button look="danger" disabled={busy} onClick={() => void run(changes.remove(note))}>
            {text("review.note.delete")}
          </Button>
        </div>
      )}
    </div>
  );
}

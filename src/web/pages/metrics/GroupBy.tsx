// What the charts of the page are grouped by: an attribute that was seen, or any other that is written out.
import { Group } from "lucide-react";
import { useState } from "react";
import { attributeNameOf } from "../../explorer/attribute-columns.tsx";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { useVocabulary } from "../../explorer/use-vocabulary.ts";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { Popover } from "../../kit/Menu.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./GroupBy.module.css";
import { attributeWord } from "./group-series.ts";
import { groupVocabulary } from "./metrics.queries.ts";

interface GroupByProps {
  readonly projectId: string;
  /** Null for none. */
  readonly attribute: string | null;
  readonly onChange: (attribute: string | null) => void;
}

export function GroupBy(props: GroupByProps) {
  const { attribute, onChange } = props;
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={text("metrics.group")}
      align="start"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button icon={<Group />} pressed={attribute !== null}>
          {attribute === null ? text("metrics.group") : text("metrics.group.by", { name: attributeWord(attribute) })}
        </Button>
      }
    >
      {(close) => (
        <GroupForm
          {...props}
          onChange={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </Popover>
  );
}

/** Shown below the field. */
const MOST_SEEN = 8;

function GroupForm({ projectId: id, attribute, onChange }: GroupByProps) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const { data, error } = useGraphql(groupVocabulary, { id });
  const { attributes } = useVocabulary(projectOf(data)?.spanFilterVocabulary);
  const wanted = typed.trim().toLowerCase();
  const seen = attributes.filter((name) => name !== attribute && name !== "metadata");
  const take = (what: string) => {
    const name = attributeNameOf(what);
    if (name === null) return setProblem(text("explorer.attribute.invalid"));
    onChange(name);
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        take(typed);
      }}
    >
      <TextField
        label={text("metrics.group.attribute")}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          setProblem(null);
        }}
        placeholder={text("explorer.attribute.example")}
        problem={problem ?? error?.message ?? null}
        autoComplete="off"
        autoFocus
        mono
      />
      <ul className={styles.seen}>
        {seen
          .filter((name) => name.toLowerCase().includes(wanted))
          .slice(0, MOST_SEEN)
          .map((name) => (
            <li key={name}>
              <button type="button" title={name} onClick={() => take(name)}>
                {name}
              </button>
            </li>
          ))}
      </ul>
      <div className={styles.buttons}>
        {attribute !== null && (
          <Button look="quiet" onClick={() => onChange(null)}>
            {text("metrics.group.remove")}
          </Button>
        )}
        <Button look="main" type="submit">
          {text("metrics.group.apply")}
        </Button>
      </div>
    </form>
  );
}

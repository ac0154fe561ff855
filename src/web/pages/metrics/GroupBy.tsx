// What the charts of the page are grouped by: an attribute that was seen, or any other that is written out.
import { Group } from "lucide-react";
import { AttributeForm } from "../../explorer/AttributeForm.tsx";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { useVocabulary } from "../../explorer/use-vocabulary.ts";
import { Button } from "../../kit/Button.tsx";
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
  return (
    <Popover
      label={text("metrics.group")}
      align="start"
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

function GroupForm({ projectId: id, attribute, onChange }: GroupByProps) {
  const { data, error } = useGraphql(groupVocabulary, { id });
  const { attributes } = useVocabulary(projectOf(data)?.spanFilterVocabulary);
  return (
    <AttributeForm
      label={text("metrics.group.attribute")}
      seen={attributes.filter((name) => name !== attribute && name !== "metadata")}
      most={8}
      onTake={(name) => {
        onChange(name);
        return null;
      }}
      problem={error?.message}
      autoFocus
    >
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
    </AttributeForm>
  );
}

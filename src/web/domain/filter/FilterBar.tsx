// The filter of a list, one field with two faces: chips made by clicks, and text in the filter language. Each turns into the other.
// Plain words are a search instead of a condition.
import { Code2, History, Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../kit/Button.tsx";
import { useShortcut } from "../../kit/keys.ts";
import { Menu, MenuItem } from "../../kit/Menu.tsx";
import { createPreference, usePreference } from "../../lib/preferences.ts";
import { text } from "../../texts/texts.ts";
import { ConditionChip, SearchChip } from "./Chips.tsx";
import { ConditionInput } from "./ConditionInput.tsx";
import { chipsOf, withoutPart, withPart } from "./chips.ts";
import type { Vocabulary } from "./completion.ts";
import styles from "./FilterBar.module.css";
import { isCondition } from "./is-condition.ts";
import { type Check, useCheck } from "./use-check.ts";

interface FilterBarProps<Of> {
  /** Names what is remembered. */
  readonly name: string;
  readonly condition: string;
  readonly onCondition: (condition: string) => void;
  /** Words that inputs and outputs must contain; undefined where there is no search. */
  readonly search?: string;
  readonly onSearch?: (search: string) => void;
  readonly vocabulary: Vocabulary;
  readonly check: Check<Of>;
  /** In the empty field. */
  readonly placeholder?: string;
}

const MOST_RECENT = 8;
const recentPreference = createPreference<Readonly<Record<string, readonly string[]>>>("filters.recent", {});

export function FilterBar<Of>(props: FilterBarProps<Of>) {
  const { name, condition, onCondition, search = "", onSearch, vocabulary } = props;
  const [asText, setAsText] = useState(false);
  const [draft, setDraft] = useState("");
  const [recent, setRecent] = usePreference(recentPreference);
  const field = useRef<HTMLInputElement>(null);
  const chips = chipsOf(condition);
  const showsText = asText || chips === null;
  const check = useCheck(props.check, draft);
  useShortcut({ keys: "/", label: "filter.keys.focus", group: "keys.list", run: focusOn(field) });
  // Any other change of the condition ends the writing of it.
  useEffect(() => setDraft(showsText ? condition : ""), [condition, showsText]);

  const apply = (next: string) => {
    if (next !== "") {
      const others = (recent[name] ?? []).filter((each) => each !== next);
      setRecent({ ...recent, [name]: [next, ...others].slice(0, MOST_RECENT) });
    }
    onCondition(next);
  };
  const submit = () => {
    const written = draft.trim();
    if (showsText) {
      if (written !== "" && onSearch !== undefined && !isCondition(written)) {
        onSearch(written);
        onCondition("");
      } else if (check.problem === null) apply(written);
      else return;
      setAsText(false);
      return;
    }
    if (written === "") return;
    if (onSearch !== undefined && !isCondition(written)) onSearch(written);
    else if (check.problem === null) apply(withPart(condition, written));
    else return;
    setDraft("");
  };
  const removeLast = () => {
    if (showsText || draft !== "") return;
    if (chips !== null && chips.length > 0) apply(withoutPart(condition, chips.length - 1));
    else if (search !== "") onSearch?.("");
  };
  const isEmpty = condition === "" && search === "";
  const placeholder = props.placeholder ?? text(onSearch ? "filter.placeholder" : "filter.placeholder.plain");

  return (
    <div className={styles.bar}>
      <div className={styles.field}>
        <Search className={styles.icon} />
        {search !== "" && <SearchChip words={search} onRemove={() => onSearch?.("")} />}
        {!showsText &&
          chips.map((chip, at) => (
            <ConditionChip key={chip.text} chip={chip} onRemove={() => apply(withoutPart(condition, at))} />
          ))}
        <ConditionInput
          field={field}
          value={draft}
          onChange={setDraft}
          onSubmit={submit}
          onBackspace={removeLast}
          onEscape={() => {
            setDraft(showsText ? condition : "");
            setAsText(false);
          }}
          vocabulary={vocabulary}
          problem={isCondition(draft) || showsText ? check.problem : null}
          placeholder={isEmpty && !showsText ? placeholder : ""}
        />
        {!isEmpty && (
          <IconButton
            small
            label={text("filter.clear")}
            icon={<X />}
            onClick={() => {
              onSearch?.("");
              onCondition("");
            }}
          />
        )}
        <IconButton
          small
          label={text(showsText ? "filter.as.chips" : "filter.as.text")}
          icon={<Code2 />}
          pressed={showsText}
          onClick={() => {
            setAsText(!showsText);
            field.current?.focus();
          }}
        />
      </div>
      {(recent[name]?.length ?? 0) > 0 && (
        <Menu trigger={<Button icon={<History />}>{text("filter.recent")}</Button>}>
          {recent[name]?.map((each) => (
            <MenuItem key={each} onSelect={() => onCondition(each)}>
              <code className={styles.recent}>{each}</code>
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}

function focusOn(field: { readonly current: HTMLInputElement | null }) {
  return (event: KeyboardEvent) => {
    event.preventDefault();
    field.current?.focus();
  };
}

// Makes, changes and deletes a model with its prices; a copy of a built-in one begins with what that says.
import { Plus, X } from "lucide-react";
import { IconButton } from "../../../kit/Button.tsx";
import { Select, TextField } from "../../../kit/Field.tsx";
import { ConfirmDialog } from "../../../kit/form/ConfirmDialog.tsx";
import { FieldPair, FieldRows } from "../../../kit/form/FieldRows.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { changedRows, withRow } from "../../../kit/form/field-rows.ts";
import { type FormField, useForm } from "../../../kit/form/use-form.ts";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { useTimeZone } from "../../../lib/time-zone.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./ModelDialogs.module.css";
import {
  isFixed,
  type ModelValues,
  modelInputOf,
  modelProblems,
  modelValuesOf,
  modelValuesOfName,
  type PriceRow,
  type TierRow,
} from "./model-form.ts";
import { createModel, deleteModel, type ListedModel, updateModel } from "./models.queries.ts";
import { PatternMatches } from "./PatternMatches.tsx";
import type { UsedName } from "./used-names.ts";

interface ModelDialogProps {
  /** What the form begins with: a model, a name that has no price, or nothing. */
  readonly model: ListedModel | null;
  readonly name?: string | undefined;
  /** Names in recent spans. */
  readonly usedNames: readonly UsedName[] | undefined;
  /** It is changed; else a new one is made. */
  readonly editing: boolean;
  readonly onClose: () => void;
}

export function ModelDialog({ model, name, usedNames, editing, onClose }: ModelDialogProps) {
  const zone = useTimeZone();
  const form = useForm(name === undefined ? modelValuesOf(model, zone) : modelValuesOfName(name), {
    send: async (values) => {
      const input = modelInputOf(values, zone);
      if (editing && model !== null) await askGraphql(updateModel, { input: { id: model.id, ...input } });
      else await askGraphql(createModel, { input });
    },
    changes: ["generativeModels"],
    check: modelProblems,
    done: (_, saved) => showToast(text("models.saved", { name: saved.name.trim() })),
    onClose,
  });
  const title = editing
    ? text("models.edit.of", { name: model?.name ?? "" })
    : model === null
      ? text("models.new")
      : text("models.clone.of", { name: model.name });
  return (
    <FormDialog open firm wide form={form} title={title} submit={text(editing ? "models.save" : "models.create")}>
      <FieldPair>
        <TextField label={text("models.name")} autoComplete="off" {...form.field("name")} />
        <TextField
          label={text("models.provider")}
          note={text("models.optional")}
          hint={text("models.provider.hint")}
          autoComplete="off"
          {...form.field("provider")}
        />
      </FieldPair>
      <TextField
        mono
        label={text("models.pattern")}
        hint={text("models.pattern.hint")}
        {...form.field("namePattern")}
      />
      <PatternMatches pattern={form.values.namePattern} names={usedNames} />
      <TextField
        type="datetime-local"
        label={text("models.start")}
        note={text("models.optional")}
        hint={text("models.start.hint")}
        {...form.field("start")}
      />
      <Prices {...form.field("prices")} />
      <p className={styles.hint}>{text("models.later")}</p>
    </FormDialog>
  );
}

/** Names of kinds as senders write them. */
const furtherKinds = ["cache_read", "cache_write", "audio", "reasoning"];
const sides = [
  { value: "PROMPT", label: text("models.side.PROMPT") },
  { value: "COMPLETION", label: text("models.side.COMPLETION") },
] as const;

function Prices(field: FormField<ModelValues["prices"]>) {
  return (
    <>
      <datalist id="token-kinds">
        {furtherKinds.map((kind) => (
          <option key={kind} value={kind} />
        ))}
      </datalist>
      <FieldRows
        {...field}
        legend={text("models.prices")}
        blank={{ tokenType: "", kind: "PROMPT", price: "", tiers: [] }}
        add={text("models.price.add")}
      >
        {(row, { change, remove }) => <PriceFields row={row} onChange={change} onRemove={remove} />}
      </FieldRows>
    </>
  );
}

interface PriceFieldsProps {
  readonly row: PriceRow;
  readonly onChange: (changed: Partial<PriceRow>) => void;
  readonly onRemove: () => void;
}

function PriceFields({ row, onChange, onRemove }: PriceFieldsProps) {
  const { tokenType, kind, price, tiers } = row;
  const word = tokenType.trim() || text("models.price.this");
  const of = { kind: word };
  const changeTier = (key: number, changed: Partial<TierRow>) => onChange({ tiers: changedRows(tiers, key, changed) });
  return (
    <>
      <div className={styles.row}>
        {isFixed(row) ? (
          <span className={styles.fixed}>{text(tokenType === "input" ? "costs.kind.input" : "costs.kind.output")}</span>
        ) : (
          <span className={styles.kind}>
            <TextField
              mono
              labelHidden
              label={text("models.price.kind")}
              placeholder={furtherKinds[0]}
              list="token-kinds"
              value={tokenType}
              onChange={(typed) => onChange({ tokenType: typed })}
            />
            <Select
              labelHidden
              label={text("models.side.of", of)}
              choices={sides}
              value={kind}
              onChange={(side) => onChange({ kind: side })}
            />
          </span>
        )}
        <TextField
          labelHidden
          label={text("models.price.of", of)}
          placeholder="0.00"
          inputMode="decimal"
          autoComplete="off"
          value={price}
          onChange={(typed) => onChange({ price: typed })}
        />
        <IconButton
          label={text("models.tier.add", of)}
          icon={<Plus />}
          onClick={() => onChange({ tiers: withRow(tiers, { above: "", price: "" }) })}
        />
        {!isFixed(row) && <IconButton label={text("models.price.remove", of)} icon={<X />} onClick={onRemove} />}
      </div>
      {tiers.map(({ key, above, price: tierPrice }) => (
        <div key={key} className={styles.row}>
          <span className={styles.tier}>
            {text("models.tier.above")}
            <TextField
              labelHidden
              label={text("models.tier.above.of", of)}
              placeholder="200000"
              inputMode="numeric"
              autoComplete="off"
              value={above}
              onChange={(typed) => changeTier(key, { above: typed })}
            />
          </span>
          <TextField
            labelHidden
            label={text("models.tier.price.of", of)}
            placeholder="0.00"
            inputMode="decimal"
            autoComplete="off"
            value={tierPrice}
            onChange={(typed) => changeTier(key, { price: typed })}
          />
          <span />
          <IconButton
            label={text("models.tier.remove", of)}
            icon={<X />}
            onClick={() => onChange({ tiers: tiers.filter((tier) => tier.key !== key) })}
          />
        </div>
      ))}
    </>
  );
}

interface DeleteModelDialogProps {
  readonly model: ListedModel;
  readonly onClose: () => void;
}

export function DeleteModelDialog({ model: { id, name }, onClose }: DeleteModelDialogProps) {
  return (
    <ConfirmDialog
      title={text("models.delete.title", { name })}
      confirm={text("models.delete")}
      send={() => askGraphql(deleteModel, { id })}
      changes={["generativeModels"]}
      done={text("models.deleted", { name })}
      onClose={onClose}
    >
      <p>{text("models.delete.text")}</p>
    </ConfirmDialog>
  );
}

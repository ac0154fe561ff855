// The columns of the table of models.
import { Copy, Pencil, Trash2 } from "lucide-react";
import { Badge } from "../../../kit/States.tsx";
import { Time } from "../../../kit/Time.tsx";
import type { Column } from "../../../kit/table/DataTable.tsx";
import { actionsColumn, Mono, nameColumn } from "../../../kit/table/thing-columns.tsx";
import { text } from "../../../texts/texts.ts";
import type { ListedModel } from "./models.queries.ts";
import { priceOf } from "./price-text.ts";
import { hostOf } from "./validity.ts";

interface ModelActions {
  readonly onEdit: (model: ListedModel) => void;
  readonly onClone: (model: ListedModel) => void;
  readonly onDelete: (model: ListedModel) => void;
}

export const isOwn = ({ kind }: ListedModel) => kind === "CUSTOM";

function priceColumn(key: string, tokenType: string, kind: "PROMPT" | "COMPLETION"): Column<ListedModel> {
  return {
    key,
    title: text(`models.column.${tokenType as "input" | "output" | "cache_read"}`),
    width: 92,
    align: "end",
    narrow: "line",
    render: ({ tokenPrices }) => priceOf(tokenPrices, tokenType, kind),
  };
}

interface ValidityProps {
  readonly start: string | null;
  readonly end: string | null;
}

/** Prices without a start and an end always apply: nothing is shown. */
function Validity({ start, end }: ValidityProps) {
  if (start === null && end === null) return null;
  return (
    <>
      {start !== null && <Time at={start} />} – {end !== null && <Time at={end} />}
    </>
  );
}

const buttons = ({ onEdit, onClone, onDelete }: ModelActions) =>
  actionsColumn<ListedModel>(104, (model) => {
    const of = { name: model.name };
    return [
      { label: text("models.clone.of", of), icon: <Copy />, run: () => onClone(model) },
      ...(isOwn(model)
        ? [
            { label: text("models.edit.of", of), icon: <Pencil />, run: () => onEdit(model) },
            { label: text("models.delete.of", of), icon: <Trash2 />, run: () => onDelete(model) },
          ]
        : []),
    ];
  });

/** Without actions nothing may be changed. */
export function modelColumns(
  actions: ModelActions | null,
  ends: ReadonlyMap<string, string>,
): readonly Column<ListedModel>[] {
  return [
    nameColumn({
      title: text("models.name"),
      width: 200,
      grow: 2,
      nameOf: ({ name }) => name,
      badges: (model) => isOwn(model) && <Badge>{text("models.own")}</Badge>,
    }),
    { key: "provider", title: text("models.provider"), width: 116, narrow: "line", render: ({ provider }) => provider },
    {
      key: "pattern",
      title: text("models.pattern"),
      width: 180,
      grow: 2,
      render: ({ namePattern }) => <Mono>{namePattern}</Mono>,
    },
    priceColumn("input", "input", "PROMPT"),
    priceColumn("output", "output", "COMPLETION"),
    priceColumn("cached", "cache_read", "PROMPT"),
    {
      key: "valid",
      title: text("models.valid"),
      width: 144,
      align: "end",
      render: ({ id, startTime }) => <Validity start={startTime} end={ends.get(id) ?? null} />,
    },
    {
      key: "source",
      title: text("models.source"),
      width: 164,
      render: ({ priceSource }) => priceSource !== null && (hostOf(priceSource) ?? priceSource),
    },
    {
      key: "used",
      title: text("models.used"),
      width: 116,
      align: "end",
      render: ({ lastUsedAt }) => lastUsedAt !== null && <Time at={lastUsedAt} relative />,
    },
    ...(actions === null ? [] : [buttons(actions)]),
  ];
}

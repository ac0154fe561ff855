// All prompts: which there are, where their tags point, and who changed them last.
import { useMemo } from "react";
import { useLocation } from "wouter";
import { type ListedPrompt, promptList } from "../../domain/prompts/prompts.queries.ts";
import { LinkButton } from "../../kit/Button.tsx";
import { Select } from "../../kit/Field.tsx";
import { ColumnsMenu } from "../../kit/table/ColumnsMenu.tsx";
import { SearchList, useSearchText } from "../../kit/table/SearchList.tsx";
import { useAddress } from "../../lib/address.ts";
import { useDebounced } from "../../lib/debounced.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql, useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { promptColumns } from "./prompt-columns.tsx";
import { labelList } from "./prompts.queries.ts";

const AT_ONCE = 100;
const keyOf = ({ id }: ListedPrompt) => id;
const promptsOf = (answer: ResultOf<typeof promptList>) => answer.prompts;
const searching = {
  label: "prompts.search",
  none: (search: string) => ({ title: text("prompts.none.title"), text: text("prompts.none.text", { search }) }),
} as const;

export default function PromptsPage() {
  const [, navigate] = useLocation();
  const address = useAddress();
  const search = useDebounced(useSearchText());
  const { mayWrite } = useRights();
  const labelId = address.get("label") ?? "";
  const list = useGraphqlPages(
    promptList,
    {
      first: AT_ONCE,
      filter: search === "" ? null : { col: "name" as const, value: search },
      labelIds: labelId === "" ? null : [labelId],
    },
    promptsOf,
    { keepPrevious: true },
  );
  return (
    <Page title={text("prompts.title")}>
      <SearchList
        name="prompts"
        label={text("prompts.title")}
        columns={promptColumns}
        list={list}
        keyOf={keyOf}
        onOpen={({ id }) => navigate(linkTo("prompt", { promptId: id }))}
        search={searching}
        note={(count) => count !== undefined && text("prompts.count", { count })}
        empty={
          labelId === ""
            ? { title: text("prompts.empty.title"), text: text("prompts.empty.text") }
            : { title: text("prompts.unlabelled.title"), text: text("prompts.unlabelled.text") }
        }
        lead={<LabelFilter value={labelId} onChange={(label) => address.set({ label })} />}
        actions={
          <>
            <ColumnsMenu table="prompts" columns={promptColumns} />
            {mayWrite && (
              <LinkButton look="main" to={linkTo("newPrompt")}>
                {text("prompts.new")}
              </LinkButton>
            )}
          </>
        }
      />
    </Page>
  );
}

interface LabelFilterProps {
  readonly value: string;
  readonly onChange: (labelId: string) => void;
}

/** Nothing while there are no labels. */
function LabelFilter({ value, onChange }: LabelFilterProps) {
  const { data } = useGraphql(labelList, {});
  const choices = useMemo(
    () => [
      { value: "", label: text("prompts.labels.all") },
      ...(data?.promptLabels.edges ?? []).map(({ node: { id, name } }) => ({ value: id, label: name })),
    ],
    [data],
  );
  if (choices.length === 1) return null;
  return <Select labelHidden label={text("prompts.labels")} choices={choices} value={value} onChange={onChange} />;
}

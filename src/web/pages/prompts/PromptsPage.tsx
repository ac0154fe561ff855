// All prompts: which there are, where their tags point, and who changed them last.
import { useLocation } from "wouter";
import { useLabelFilter } from "../../domain/labels/use-label-filter.tsx";
import { type ListedPrompt, promptList } from "../../domain/prompts/prompts.queries.ts";
import { LinkButton } from "../../kit/Button.tsx";
import { ColumnsMenu } from "../../kit/table/ColumnsMenu.tsx";
import { SearchList, useSearchText } from "../../kit/table/SearchList.tsx";
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
  const search = useDebounced(useSearchText());
  const { mayWrite } = useRights();
  const { labelId, choice } = useLabelFilter(useGraphql(labelList, {}).data?.promptLabels.edges);
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
        lead={choice}
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

// The address under which other programs and old links know the metrics of a project.
import { Redirect, useParams, useSearch } from "wouter";
import { linkTo } from "../lib/links.ts";

export function DashboardRedirect() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const search = useSearch();
  return <Redirect replace to={linkTo("metrics", { projectId }) + (search === "" ? "" : `?${search}`)} />;
}

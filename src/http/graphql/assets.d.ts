// Files that are embedded as they are: the import gives their path.
declare module "*/graphiql.min.css" {
  const path: string;
  export default path;
}
declare module "*/graphiql.min.js" {
  const path: string;
  export default path;
}
declare module "*/react.production.min.js" {
  const path: string;
  export default path;
}
declare module "*/react-dom.production.min.js" {
  const path: string;
  export default path;
}

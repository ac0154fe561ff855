// Class names of a style sheet that belongs to one component.
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

// The front door of views/setup/: how the program is set up, for a person who
// begins, and how it is doing.
export { BeginView } from "./begin.tsx";
export { StatusView } from "./status.tsx";

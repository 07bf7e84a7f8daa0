export function OutlineView(_: object) {
  return null;
}

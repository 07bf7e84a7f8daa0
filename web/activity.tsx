export function ActivityView(_: object) {
  return null;
}

export function ConversationView(_: object) {
  return null;
}

// Emoji and signs are words: the next push of a conversation writes its words again.
// Released versions are never changed: see versions.ts.

export const VERSION_12 = `
  -- Who migrates sees the rows only for these statements.
  ALTER TABLE conversation NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation_page NO FORCE ROW LEVEL SECURITY;
  UPDATE conversation SET content = '', stamps = '{}';
  UPDATE conversation_page SET content = '';
  ALTER TABLE conversation FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation_page FORCE ROW LEVEL SECURITY;`;

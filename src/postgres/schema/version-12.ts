// Emoji and signs are words: every note waits to be indexed again, and the next push of
// a conversation writes its words again. Released versions are never changed: see
// versions.ts.

export const VERSION_12 = `
  -- Who migrates sees the rows only for these statements.
  ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE note_waiting NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation_page NO FORCE ROW LEVEL SECURITY;
  INSERT INTO note_waiting (space, file) SELECT space, id FROM file WHERE kind = 'file' 
    ON CONFLICT (space, file) DO UPDATE SET mark = note_waiting.mark + 1;
  UPDATE conversation SET content = '', stamps = '{}';
  UPDATE conversation_page SET content = '';
  ALTER TABLE file FORCE ROW LEVEL SECURITY;
  ALTER TABLE note_waiting FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation_page FORCE ROW LEVEL SECURITY;`;

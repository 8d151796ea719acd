import { comparedLength } from './0008-similar-texts.ts'

/**
 * Moves the extensions out of the schema of the tables. They were created there if the database
 * user had the name of that schema: the role of requests did not find their operators, and a
 * restore, which drops the schema, lost them. Only a superuser can move a trusted extension, but
 * its owner can create it again.
 */
export const extensionSchema = `
  do $$
  declare
    misplaced text[] := array(
      select extname from pg_extension
      where extname in ('pg_trgm', 'btree_gist') and extnamespace = 'servicekit'::regnamespace
    );
    extension text;
  begin
    if misplaced = '{}' then return; end if;
    drop index servicekit.texts_similar;
    foreach extension in array misplaced loop
      execute format('drop extension %I', extension);
      execute format('create extension %I with schema public', extension);
    end loop;
    create index texts_similar on servicekit.texts
      using gist (language_id, left(value, ${comparedLength}) public.gist_trgm_ops);
  end
  $$;
`

/**
 * A job looks for the bytes of each upload, and finds its file by `seq`. Files whose upload was
 * pending before get one.
 */
export const uploadJobs = `
  create unique index stored_files_seq on servicekit.stored_files (seq);
  create index jobs_upload on servicekit.jobs (subject) where kind = 'upload';
  do $$ declare project int; begin
    for project in select id from servicekit.projects loop
      perform set_config('servicekit.project', project::text, true);
      insert into servicekit.jobs (kind, for_project, subject, run_at)
        select 'upload', project_id, seq, created_date from servicekit.stored_files
        where project_id = project and stored_at is null;
    end loop;
    perform set_config('servicekit.project', '', true);
  end $$;
`

import { eq, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { ensureDefaultOrganization, organizationIdOf, saveOrganization } from './organizations.ts'
import type { IdentityFile } from './parse-identity.ts'
import { hashSecret } from './secrets.ts'
import { saveSettings } from './settings.ts'
import { clients } from './tables.ts'
import { findByName, insertUser, replaceMemberships, updateUser } from './users.ts'

type Saving = Pick<Services, 'options' | 'identity' | 'database'>

/**
 * Inserts or updates the entries of a file in one transaction. All other entries remain
 * unchanged.
 */
export async function saveIdentity(
  services: Saving,
  project: Pick<Project, 'id' | 'name' | 'organizationId'>,
  file: IdentityFile,
): Promise<void> {
  const { passwords } = await services.identity()
  const hashes = new Map<string, string>()
  for (const { email, password, passwordHash } of file.users ?? []) {
    if (passwordHash !== undefined) hashes.set(email, passwordHash)
    else if (password !== undefined) hashes.set(email, await passwords.hash(password))
  }
  const now = services.options.now()
  await services.database.scoped(project.id, async (tables) => {
    await ensureDefaultOrganization(tables, project as Project, now)
    if (file.settings) await saveSettings(tables, project.id, file.settings)
    for (const one of file.organizations ?? []) {
      await saveOrganization(tables, project.id, one, now)
    }
    await saveRoles(tables, services, project.id, file)
    await saveClients(tables, project.id, file.clients ?? [])
    for (const user of file.users ?? []) {
      await saveUser(tables, services, project as Project, user, hashes.get(user.email))
    }
  })
}

async function saveRoles(
  tables: Tables,
  { options }: Saving,
  projectId: number,
  { roles = [], permissions = [] }: IdentityFile,
): Promise<void> {
  const now = options.now()
  for (const { slug, name = slug, description, ancestorRoleSlugs = [] } of roles) {
    await tables.execute(sql`
      insert into servicekit.roles (project_id, item_id, created_date, last_updated_date, slug,
        name, description, ancestor_role_slugs)
      values (${projectId}, ${options.newId()}, ${now}, ${now}, ${slug}, ${name},
        ${description ?? null}, ${sql.param(ancestorRoleSlugs)}::text[])
      on conflict (project_id, slug) do update set name = excluded.name,
        description = excluded.description, ancestor_role_slugs = excluded.ancestor_role_slugs`)
  }
  for (const one of permissions) {
    await tables.execute(sql`
      insert into servicekit.permissions (project_id, item_id, created_date, last_updated_date,
        name, type, description, resource, resource_group, is_built_in, is_archived, roles)
      values (${projectId}, ${options.newId()}, ${now}, ${now}, ${one.name}, ${one.type ?? 0},
        ${one.description ?? null}, ${one.resource ?? null}, ${one.resourceGroup ?? null},
        ${one.isBuiltIn ?? false}, ${one.isArchived ?? false},
        ${sql.param(one.roles ?? [])}::text[])
      on conflict (project_id, name) do update set type = excluded.type,
        description = excluded.description, resource = excluded.resource,
        resource_group = excluded.resource_group, is_built_in = excluded.is_built_in,
        is_archived = excluded.is_archived, roles = excluded.roles`)
  }
}

async function saveClients(
  tables: Tables,
  projectId: number,
  given: NonNullable<IdentityFile['clients']>,
): Promise<void> {
  for (const one of given) {
    const values = {
      name: one.name ?? one.clientId,
      secretHash: one.clientSecret === undefined ? null : hashSecret(one.clientSecret),
      redirectUris: one.redirectUris ?? [],
      postLogoutRedirectUris: one.postLogoutRedirectUris ?? [],
      organizations: one.organizations ?? null,
      roles: [...new Set(one.roles)],
    }
    await tables
      .insert(clients)
      .values({ projectId, clientId: one.clientId, ...values })
      .onConflictDoUpdate({ target: [clients.projectId, clients.clientId], set: values })
  }
}

async function saveUser(
  tables: Tables,
  { options }: Saving,
  project: Project,
  user: NonNullable<IdentityFile['users']>[number],
  passwordHash: string | undefined,
): Promise<void> {
  const now = options.now()
  const organizationId = organizationIdOf(project, user.organizationId)
  const own = { organizationId, roles: user.roles ?? [], permissions: user.permissions ?? [] }
  const memberships = user.memberships?.map((one) => ({
    ...one,
    organizationId: organizationIdOf(project, one.organizationId),
  })) ?? [own]
  const columns = {
    first_name: user.firstName,
    last_name: user.lastName,
    phone_number: user.phoneNumber,
    language: user.language,
  }
  const known = await findByName(tables, user.email)
  if (known) {
    await updateUser(tables, known.item_id, {
      ...columns,
      password_hash: passwordHash,
      active: user.active,
      organization_id: organizationId,
      last_updated_date: now,
    })
    await replaceMemberships(tables, project.id, known.item_id, memberships)
    return
  }
  await insertUser(
    tables,
    project.id,
    {
      itemId: user.itemId ?? options.newId(),
      email: user.email,
      userName: user.userName ?? user.email,
      passwordHash: passwordHash ?? null,
      active: user.active ?? true,
      isVerified: true,
      organizationId,
      memberships,
      columns,
    },
    now,
    null,
  )
}

/** Removes a client. @returns true if it existed. */
export async function removeClient(tables: Tables, clientId: string): Promise<boolean> {
  const { rowCount } = await tables.delete(clients).where(eq(clients.clientId, clientId))
  return rowCount === 1
}

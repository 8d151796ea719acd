import {
  assignments,
  comments,
  console as people,
  marks,
  tasks,
} from '@servicekit/contract/control'
import { Invalid, requireFound } from '../domain-errors.ts'
import { actingUserId, currentActor } from '../database/actor.ts'
import type { Tables } from '../database/database.ts'
import { type Project, updateProject } from '../database/project-directory.ts'
import type { Caller } from '../http/caller.ts'
import { type ConsolePerson, readConsolePeople } from '../identity/console-people.ts'
import { sendTaskMails } from '../identity/task-mails.ts'
import { readUserNames } from '../identity/users.ts'
import {
  assign,
  finishAssignments,
  listAssignments,
  readAssignedIds,
} from '../localization/assignments.ts'
import {
  addComment,
  editComment,
  findAuthorship,
  listComments,
  removeComment,
  resolveComment,
} from '../localization/comments.ts'
import { listMessageMarks } from '../localization/message-marks.ts'
import { countTasks, listTasks, type TaskOwner } from '../localization/tasks.ts'
import { implementControl } from './control-operation.ts'
import {
  editedLanguages,
  requireAuthor,
  requireCommentRights,
  requireEditRights,
  reviewedLanguages,
} from './translation-rights.ts'

/** Returns people of the console by their ids. @throws Invalid */
async function findPeople(
  tables: Tables,
  project: Project,
  ids: readonly string[],
): Promise<readonly ConsolePerson[]> {
  if (ids.length === 0) return []
  const known = new Map((await readConsolePeople(tables, project)).map((one) => [one.id, one]))
  return [...new Set(ids)].map((id) => {
    const person = known.get(id)
    if (!person) throw new Invalid(`${id} is no active person with a role for the console.`)
    return person
  })
}

/** A change does not notify the person who makes it. */
const others = (all: readonly ConsolePerson[]): readonly ConsolePerson[] =>
  all.filter(({ id }) => id !== actingUserId())

const pathOf = ({ module, key }: { readonly module: string; readonly key: string }): string =>
  `/translations/${encodeURIComponent(module)}/${encodeURIComponent(key)}`

/** Mail to those whom a comment mentions. */
const mentionMail = (project: Project, { id, key, module, author, text }: comments.CommentRecord) =>
  ({
    purpose: 'Mention',
    subject: `${project.name}: a comment mentions you`,
    text: `${author ?? 'The operator'} mentions you in a comment on ${key}:\n\n${text}`,
    page: `${pathOf({ module, key })}?comment=${id}`,
  }) as const

const commenting = [
  implementControl(comments.listComments, ({ query, snapshot }) => {
    const { module, key, page, pageSize } = query
    const only = module === undefined || key === undefined ? undefined : { module, key }
    return snapshot((tables) => listComments(tables, only, { page, pageSize }))
  }),
  implementControl(comments.addComment, ({ c, services, project, body, transaction }) =>
    transaction(async (tables) => {
      const mentioned = await findPeople(tables, project, body.mentions)
      const comment = await addComment(tables, project.id, body, services.options.now())
      const request = { services, project, request: c.req.raw }
      await sendTaskMails(tables, request, others(mentioned), mentionMail(project, comment))
      return comment
    }),
  ),
  implementControl(comments.editComment, ({ c, services, project, path, body, transaction }) =>
    transaction(async (tables) => {
      const before = await findAuthorship(tables, path.id)
      requireFound(before !== undefined, 'comment')
      requireAuthor(before.actor === currentActor().actor)
      // Somebody who left may stay mentioned.
      const added = body.mentions.filter((id) => !before.mentions.includes(id))
      const mentioned = await findPeople(tables, project, added)
      const comment = await editComment(tables, path.id, body, services.options.now())
      const request = { services, project, request: c.req.raw }
      await sendTaskMails(tables, request, others(mentioned), mentionMail(project, comment))
      return comment
    }),
  ),
  implementControl(comments.resolveComment, async ({ path, body, transaction }) => {
    const comment = await transaction((tables) => resolveComment(tables, path.id, body.isResolved))
    requireFound(comment !== undefined, 'comment')
    return comment
  }),
  implementControl(comments.removeComment, ({ services, path, caller, transaction }) =>
    transaction(async (tables) => {
      const found = await findAuthorship(tables, path.id)
      requireFound(found !== undefined, 'comment')
      requireCommentRights(caller, found.actor === currentActor().actor)
      await removeComment(tables, path.id, services.options.now())
    }),
  ),
]

const assigning = [
  implementControl(assignments.listAssignments, ({ query, snapshot }) =>
    snapshot((tables) => listAssignments(tables, query)),
  ),
  implementControl(assignments.assign, ({ c, services, project, caller, body, transaction }) => {
    requireEditRights(caller, body.languages)
    return transaction(async (tables) => {
      const { person: id, languages, due } = body
      const assigned = await findPeople(tables, project, id === null ? [] : [id])
      for (const person of assigned) requireLanguages(person, languages)
      const changed = await assign(tables, project.id, body)
      if (changed > 0) {
        await sendTaskMails(tables, { services, project, request: c.req.raw }, others(assigned), {
          purpose: 'Assignment',
          subject: `${project.name}: translations for you`,
          text: `Translations that wait for you now: ${changed}, in ${languages.join(', ')}${due === null ? '' : `, until ${due}`}.`,
          page: '/tasks',
        })
      }
      return { changed }
    })
  }),
  implementControl(assignments.finishAssignments, async ({ caller, body, transaction }) => {
    const { translations, isDone } = body
    requireEditRights(caller, [...new Set(translations.map(({ language }) => language))])
    return {
      changed: await transaction((tables) => finishAssignments(tables, translations, isDone)),
    }
  }),
]

/** @throws Invalid if a person may not edit the translations of a language. */
function requireLanguages(person: ConsolePerson, languages: readonly string[]): void {
  const edited = editedLanguages(person)
  const other = edited === 'all' ? undefined : languages.find((code) => !edited.has(code))
  if (other === undefined) return
  throw new Invalid(`The roles of ${person.name} do not include translations in ${other}.`)
}

/** Returns the person that a request names, or its caller, with the languages of the roles. */
async function ownerOf(
  tables: Tables,
  project: Project,
  caller: Caller,
  named: string | undefined,
): Promise<TaskOwner> {
  const id = named ?? caller.userId
  if (id === undefined) throw new Invalid('The operator is no person. Send the parameter person.')
  const person =
    id === caller.userId
      ? caller
      : (await readConsolePeople(tables, project)).find((one) => one.id === id)
  if (!person) return { id, edits: new Set(), reviews: new Set() }
  return { id, edits: editedLanguages(person), reviews: reviewedLanguages(person) }
}

const waiting = [
  implementControl(marks.listMessageMarks, ({ query, snapshot }) =>
    snapshot((tables) => listMessageMarks(tables, query)),
  ),
  implementControl(tasks.listTasks, ({ query, project, caller, snapshot }) =>
    snapshot(async (tables) =>
      listTasks(tables, await ownerOf(tables, project, caller, query.person), query),
    ),
  ),
  implementControl(tasks.countTasks, ({ query, project, caller, snapshot }) =>
    snapshot(async (tables) =>
      countTasks(tables, await ownerOf(tables, project, caller, query.person)),
    ),
  ),
  implementControl(tasks.readNotifications, ({ project }) => ({ byMail: project.notifyByMail })),
  implementControl(tasks.changeNotifications, async ({ project, body, locked }) => {
    await locked((tables) => updateProject(tables, project, { notifyByMail: body.byMail }))
    return body
  }),
  implementControl(people.listPeople, ({ project, caller, snapshot }) =>
    snapshot(async (tables) => {
      const active = await readConsolePeople(tables, project)
      const known = new Set(active.map(({ id }) => id))
      const former = (await readAssignedIds(tables)).filter((id) => !known.has(id))
      return [
        ...active.map((person) => ({
          id: person.id,
          name: person.name,
          isActive: true,
          isCaller: person.id === caller.userId,
          edits: listOf(editedLanguages(person)),
        })),
        ...(await readUserNames(tables, former)).map((person) => ({
          ...person,
          isActive: false,
          isCaller: false,
          edits: [],
        })),
      ]
    }),
  ),
]

const listOf = (codes: ReadonlySet<string> | 'all'): string[] | null =>
  codes === 'all' ? null : [...codes]

/** Operations on comments, assignments and the tasks of people. */
export const taskOperations = [...commenting, ...assigning, ...waiting]

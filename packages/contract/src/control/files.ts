import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'

export const read = defineControl('files.read', 'GET /projects/{project}/files/{id}', {
  summary: 'Read the bytes of a file, in any storage',
  access: access.operator,
  result: z.string(),
  mediaType: 'application/octet-stream',
  errors: { 404: 'there is no such file' },
})

export const write = defineControl('files.write', 'PUT /projects/{project}/files/{id}', {
  summary: 'Write the bytes of a file, in any storage',
  access: access.operator,
  hasBytes: true,
  errors: { 404: 'there is no such file' },
})

export const remove = defineControl('files.remove', 'DELETE /projects/{project}/files/{id}', {
  summary: 'Remove a file with its bytes',
  access: access.administration,
  errors: { 404: 'there is no such file' },
})

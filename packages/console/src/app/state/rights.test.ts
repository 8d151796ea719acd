import { expect, test } from 'vitest'
import { type Rights, rightsOf } from './rights.ts'

const pages = ['', 'translations', 'tasks', 'data', 'people', 'files', 'webhooks', 'tools', 'inbox']

const summary = ({ opens, managesTranslations, edits, reviews }: Rights) => ({
  pages: pages.filter(opens),
  managesTranslations,
  edits: ['de-DE', 'fr-FR'].filter(edits),
  reviews: ['de-DE', 'fr-FR'].filter(reviews),
})

test('an administrator may do everything', () => {
  const all = ['de-DE', 'fr-FR']
  expect(summary(rightsOf(null))).toEqual({
    pages,
    managesTranslations: true,
    edits: all,
    reviews: all,
  })
})

test('somebody without a role may do nothing', () => {
  expect(summary(rightsOf([]))).toEqual({
    pages: [],
    managesTranslations: false,
    edits: [],
    reviews: [],
  })
})

test('a translator of one language who reviews another one edits both', () => {
  const roles = [
    { role: 'translator', languages: ['de-DE'] },
    { role: 'reviewer', languages: ['fr-FR'] },
  ] as const
  expect(summary(rightsOf(roles))).toEqual({
    pages: ['', 'translations', 'tasks'],
    managesTranslations: false,
    edits: ['de-DE', 'fr-FR'],
    reviews: ['fr-FR'],
  })
})

test('a role without languages is for all of them', () => {
  expect(summary(rightsOf([{ role: 'translator', languages: null }]))).toMatchObject({
    edits: ['de-DE', 'fr-FR'],
    reviews: [],
  })
  expect(summary(rightsOf([{ role: 'manager', languages: null }]))).toMatchObject({
    managesTranslations: true,
    edits: ['de-DE', 'fr-FR'],
    reviews: ['de-DE', 'fr-FR'],
  })
})

test('a developer opens the webhooks and changes no translation', () => {
  expect(summary(rightsOf([{ role: 'developer', languages: null }]))).toEqual({
    pages: ['', 'translations', 'tasks', 'webhooks'],
    managesTranslations: false,
    edits: [],
    reviews: [],
  })
})

import { expect, it } from 'vitest'
import { formNames, pluralForms } from './plural-forms.ts'

const examples = (code: string, name: string) => pluralForms(code).get(name)

it('lists the plural forms of a language with sample numbers', () => {
  expect(examples('en-US', 'one')).toEqual([1])
  expect(examples('en-US', 'other')).toEqual([0, 2, 3])
  expect(examples('en-US', 'few')).toEqual([])
  expect(examples('ar_EG', 'few')).toEqual([3, 4, 5])
  expect(examples('pl-PL', 'few')).toEqual([2, 3, 4])
  expect(examples('en-US', 'ordinal_two')).toEqual([2, 22, 32])
  expect([...pluralForms('ja-JP').keys()]).toEqual(formNames)
})

it('treats an invalid language code as a language with one form', () => {
  expect(examples('not a code', 'other')).toEqual([0, 1, 2])
})

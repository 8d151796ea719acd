import { expect, it } from 'vitest'
import { checkProposals } from './suggest.ts'

const proposal = (translation: string, ...alternatives: string[]) => ({
  translation,
  alternatives,
  confidence: 0.876,
  explanation: 'e',
})

it('counts characters and rounds the confidence', () => {
  expect(checkProposals({ sourceText: 'Save' }, [proposal('Sichern 👍')])).toEqual([
    {
      translation: 'Sichern 👍',
      confidence: 0.88,
      characterCount: 9,
      explanation: 'e',
      alternativePhrasings: [],
    },
  ])
})

it('drops a proposal that loses a placeholder, is too long, empty or a duplicate', () => {
  const checked = checkProposals({ sourceText: 'Hi {{name}}', maxCharacterLength: 15 }, [
    proposal('Hallo', 'Hallo {{name}}'),
    proposal('Hallo {{name}}'),
    proposal('Seien Sie gegrüßt, {{name}}'),
    proposal('   '),
  ])
  expect(checked.map(({ translation }) => translation)).toEqual(['Hallo {{name}}'])
})

it('keeps outer white space', () => {
  const [checked] = checkProposals({ sourceText: ' and \n' }, [proposal('und', ' und ', 'sowie')])
  expect(checked).toMatchObject({ translation: ' und \n', alternativePhrasings: [' sowie \n'] })
})

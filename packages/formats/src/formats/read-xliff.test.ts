import { describe, expect, it } from 'vitest'
import { readXliff } from './read-xliff.ts'

describe('inline elements of XLIFF', () => {
  const xliff1 = (target: string) =>
    `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="common" source-language="en-US" target-language="de-DE"><body><trans-unit id="INLINE"><source/><target>${target}</target></trans-unit></body></file></xliff>`
  const xliff2 = (target: string) =>
    `<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en-US" trgLang="de-DE"><file id="common"><unit id="INLINE"><originalData><data id="d1">{{name}}</data><data id="d2">&lt;b&gt;</data><data id="d3">&lt;/b&gt;</data></originalData><segment><source/><target>${target}</target></segment></unit></file></xliff>`

  it.each([
    [xliff1('Hallo <x id="1" equiv-text="{{name}}"/>!'), 'Hallo {{name}}!'],
    [xliff1('Hallo <ph id="1">{{name}}</ph>!'), 'Hallo {{name}}!'],
    [xliff1('<g id="1" ctype="bold">Hallo</g> {{name}}'), '<b>Hallo</b> {{name}}'],
    [xliff1('<g id="1" ctype="x-html-strong">Hallo</g>'), '<strong>Hallo</strong>'],
    [xliff1('<bpt id="1">&lt;b&gt;</bpt>Hallo<ept id="1">&lt;/b&gt;</ept>'), '<b>Hallo</b>'],
    [xliff1('<mrk mtype="term">Hallo</mrk><!-- note --> {{name}}'), 'Hallo {{name}}'],
    [xliff1('<![CDATA[<b>Hallo</b>]]>'), '<b>Hallo</b>'],
    [xliff2('Hallo <ph id="1" dataRef="d1"/>!'), 'Hallo {{name}}!'],
    [xliff2('Hallo <ph id="1" equiv="{{name}}"/>!'), 'Hallo {{name}}!'],
    [xliff2('<pc id="1" dataRefStart="d2" dataRefEnd="d3">Hallo</pc>'), '<b>Hallo</b>'],
    [xliff2('<sc id="1" dataRef="d2"/>Hallo<ec startRef="1" dataRef="d3"/>'), '<b>Hallo</b>'],
    [xliff2('<mrk id="m">Hallo<cp hex="0009"/></mrk>'), 'Hallo\t'],
  ])('become text: %#', (file, expected) => {
    const targets = readXliff(file, 'a.xlf').entries.filter(({ isSource }) => !isSource)
    expect(targets.map(({ key, value }) => [key, value])).toEqual([['INLINE', expected]])
  })

  it.each([
    xliff1('Hallo <x id="1"/>!'),
    xliff1('<g id="1">Hallo</g>'),
    xliff1('Hallo <bx id="1"/>'),
    xliff1('Hallo <ph id="1">{{name}}<sub>x</sub></ph>'),
    xliff2('Hallo <ph id="1"/>!'),
    xliff2('Hallo <ph id="1" dataRef="missing"/>!'),
    xliff2('<pc id="1">Hallo</pc>'),
    xliff2('<cp/>'),
  ])('are refused without their text, with the place: %#', (file) => {
    expect(() => readXliff(file, 'a.xlf')).toThrow(
      /^Cannot read a\.xlf: the text of the inline element <[^]*"INLINE" is not in the file\n[^]*line: 1/,
    )
  })
})

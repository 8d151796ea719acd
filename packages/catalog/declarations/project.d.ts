/** Language codes of the project. In declarations of a project, they are those of its catalog. */
declare type Language = 'de-DE' | 'en-US'
